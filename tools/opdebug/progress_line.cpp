#include "progress_line.hpp"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

namespace opdebug::tool {

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    clear();
}

/// Ten times a second is as often as anybody can read.
bool ProgressLine::is_due() {
    constexpr std::chrono::milliseconds kInterval{100};
    const auto now = std::chrono::steady_clock::now();
    if (!enabled_ || now - last_ < kInterval) {
        return false;
    }
    last_ = now;
    return true;
}

void ProgressLine::write(const std::string& text) {
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
    shown_ = true;
}

void ProgressLine::show(const ScanProgress& progress) {
    if (progress.walking || progress.done == 0) {
        begin_ = std::chrono::steady_clock::now();  // the rate is that of decoding
    }
    if (!is_due()) {
        return;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    write(progress.walking ? fmt::format("{} dumps found so far", progress.found)
                           : fmt::format("{} of {} dumps, {:.0f} a second", progress.done, progress.found,
                                         seconds > 0 ? static_cast<double>(progress.done) / seconds : 0.0));
}

void ProgressLine::show_logs(std::uint64_t bytes) {
    if (is_due()) {
        write(fmt::format("{} MB of logs read", bytes / 1'000'000));
    }
}

void ProgressLine::clear() {
    if (shown_) {
        fmt::print(stderr, "\r\x1b[K");
        std::fflush(stderr);
        shown_ = false;
    }
}

}  // namespace opdebug::tool
