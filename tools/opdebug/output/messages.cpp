#include "output/messages.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// Set before anything is written (run_program()).
Language language_of_messages = Language::english;

}  // namespace

void print_message(const std::string& message) {
    const std::string line = fmt::format("opdebug: {}\n", printable(message));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_phrase(std::string_view id, remarks::Fields fields) {
    print_message(sentence(id, fields));
}

void set_message_language(Language language) {
    language_of_messages = language;
}

Language message_language() {
    return language_of_messages;
}

std::string sentence(std::string_view id, remarks::Fields fields) {
    return remarks::phrase(id, fields).in(language_of_messages);
}

std::string sentence(const Error& failure) {
    return remarks::text_of(failure).in(language_of_messages);
}

void print_message(const Diagnostic& remark, const std::string& file) {
    print_message(file.empty() ? remark.message_in(language_of_messages)
                               : remarks::begin_with(file, remark).message_in(language_of_messages));
}

void print_message(const Error& failure) {
    print_message(sentence(failure));
}

void print_failures(const std::vector<Error>& failures) {
    for (const Error& failure : failures) {
        print_message(failure);
    }
}

void print_remarks(const std::vector<Diagnostic>& remarks) {
    for (const Diagnostic& remark : remarks) {
        print_message(remark);
    }
}

void print_errors(const std::vector<Diagnostic>& remarks, const std::string& file) {
    for (const Diagnostic& remark : remarks) {
        if (remark.severity == Severity::error) {
            print_message(remark, file);
        }
    }
}

bool has_errors(const std::vector<Diagnostic>& remarks) {
    return std::any_of(remarks.begin(), remarks.end(),
                       [](const Diagnostic& remark) { return remark.severity == Severity::error; });
}

ProgressLine::ProgressLine(bool quiet)
    : enabled_(!quiet && ::isatty(STDERR_FILENO) == 1 && terminals_know_sequences()) {}

ProgressLine::~ProgressLine() {
    clear();
}

/// At most ten times a second.
bool ProgressLine::is_due() {
    constexpr std::chrono::milliseconds kInterval{100};
    const auto now = std::chrono::steady_clock::now();
    if (!enabled_ || now - last_ < kInterval) {
        return false;
    }
    last_ = now;
    return true;
}

/// Truncates long lines: of a wrapped line, only the last part could be cleared.
void ProgressLine::write(const std::string& text) {
    winsize window{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    const std::size_t columns = known ? window.ws_col - std::size_t{1} : text.size();
    fmt::print(stderr, "\r\x1b[K{}", text.substr(0, columns));
    std::fflush(stderr);
    shown_ = true;
}

void ProgressLine::show(const ScanProgress& progress) {
    if (progress.walking || progress.done == 0) {
        begin_ = std::chrono::steady_clock::now();  // the rate is for decoding only
    }
    if (!is_due()) {
        return;
    }
    if (progress.walking) {
        write(sentence("progress.found", {{"count", progress.found}}));
        return;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const std::string rate =
        progress.done == 0 || seconds <= 0
            ? std::string()
            : sentence("progress.rate",
                       {{"rate", fmt::format("{:.0f}", static_cast<double>(progress.done) / seconds)}});
    write(sentence("progress.done", {{"done", progress.done}, {"count", progress.found}, {"rate", rate}}));
}

void ProgressLine::show_logs(std::uint64_t bytes) {
    if (is_due()) {
        write(sentence("progress.logs", {{"count", bytes / 1'000'000}}));
    }
}

void ProgressLine::clear() {
    if (shown_) {
        fmt::print(stderr, "\r\x1b[K");
        std::fflush(stderr);
        shown_ = false;
        last_ = {};  // shows the next progress immediately
    }
}

}  // namespace opdebug::tool
