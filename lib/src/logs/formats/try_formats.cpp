// A definition file on trial: which lines of a log its formats read.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <opdebug/log_lines.hpp>

#include "logs/files/log_parts.hpp"
#include "logs/formats/format_match.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

constexpr std::size_t kTriedBytes = std::size_t{1} << 20U;  // read at a time
constexpr std::size_t kTriedLength = 1024;                  // of the text of a line

bool is_of_module(const logs::FormatDefinition& definition, std::string_view module) {
    return module.empty() ||
           std::find(definition.modules.begin(), definition.modules.end(), module) != definition.modules.end();
}

class LogFormatTrier {
public:
    explicit LogFormatTrier(std::vector<logs::CompiledFormat> formats) : formats_(std::move(formats)) {}

    void take_line(std::string_view text) {
        ++trial_.lines;
        const std::string plain = logs::without_markup(text);
        const std::optional<logs::LogLine> line = logs::parse_line(plain);
        std::optional<TriedLine> unread;
        for (const logs::CompiledFormat& format : formats_) {
            const logs::FormatDefinition& definition = format.definition;
            if (plain.find(definition.literal) == std::string_view::npos) {
                continue;
            }
            TriedLine tried = try_format(format, line, plain);
            tried.number = trial_.lines;
            tried.format = definition.id;
            tried.text = text.substr(0, std::min(text.find_last_not_of("\r\n") + 1, kTriedLength));
            if (tried.reason.empty()) {
                trial_.read.push_back(std::move(tried));
                return;
            }
            unread = unread ? std::move(unread) : std::move(tried);
        }
        if (unread) {
            trial_.not_read.push_back(*std::move(unread));
        }
    }

    LogFormatTrial take() { return std::move(trial_); }

private:
    static TriedLine try_format(const logs::CompiledFormat& format, const std::optional<logs::LogLine>& parsed,
                                std::string_view whole) {
        TriedLine tried;
        const logs::FormatDefinition& definition = format.definition;
        if (!parsed) {
            tried.reason = "the line has no prefix [LEVEL] MODULE(PID,NAME):TIME";
            return tried;
        }
        const logs::LogLine& line = *parsed;
        if (!is_of_module(definition, line.module)) {
            tried.reason = fmt::format("the module is \"{}\"", line.module);
            return tried;
        }
        if (line.text.find(definition.literal) == std::string_view::npos) {
            tried.reason = "the literal is before the text of the line";
            return tried;
        }
        if (!logs::is_of_kind(format, line)) {
            tried.reason = definition.cut_lines && !line.may_be_cut
                               ? std::string("the line is not cut")
                               : fmt::format("the function is \"{}\"", line.function);
            return tried;
        }
        logs::StepsLeft steps(line.text.size()), again(line.text.size());
        logs::Fact fact;
        std::optional<Diagnostic> diagnostic;
        const bool is_read = logs::read_fact(format, line, steps, fact, &diagnostic) != logs::Reading::nothing;
        if (diagnostic) {
            tried.reason = diagnostic->message;
            return tried;
        }
        logs::CapturedTexts texts;
        const bool matches = format.pattern->search(line.text, again, texts);
        if (!is_read) {
            logs::StepsLeft of_whole(whole.size());
            tried.reason = matches ? "a value is ignored, missing or no number"
                           : format.pattern->search(whole, of_whole, texts)
                               ? "the pattern contains a part of the prefix; it is compared with the text after it"
                               : "the pattern does not match";
            return tried;
        }
        for (std::size_t capture = 0; capture < definition.captures.size(); ++capture) {
            if (texts[capture].data() != nullptr) {
                tried.captures.emplace_back(definition.captures[capture], texts[capture]);
            }
        }
        tried.states = logs::to_string(definition.states);
        return tried;
    }

    std::vector<logs::CompiledFormat> formats_;
    LogFormatTrial trial_;
};

}  // namespace

Result<LogFormatTrial> try_log_formats(const NamedText& file, const std::string& log, const Limits& limits) {
    Result<std::vector<logs::FormatDefinition>> definitions = logs::read_format_file(file, limits);
    if (!definitions) {
        return std::move(definitions.error());
    }
    std::vector<logs::CompiledFormat> formats;
    formats.reserve(definitions->size());
    for (logs::FormatDefinition& definition : *definitions) {
        formats.push_back(logs::compile_format(std::move(definition)));
    }
    Result<logs::ByteSource> source = logs::ByteSource::open(log);
    if (!source) {
        return std::move(source.error());
    }
    LogFormatTrier trier(std::move(formats));
    logs::LogParts parts(*std::move(source), kTriedBytes, limits.line_bytes);
    logs::LogRead read;
    do {
        read = parts.read();
        if (read.failure) {
            return *std::move(read.failure);
        }
        for (std::string_view rest = read.lines; !rest.empty();) {
            const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
            trier.take_line(rest.substr(0, end));
            rest.remove_prefix(end);
        }
    } while (read.bytes != 0);
    return trier.take();
}

}  // namespace v0
}  // namespace opdebug
