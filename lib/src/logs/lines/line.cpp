// The prefix of a log line and its time: carrier, level, module, process and time. Grammar: docs/internals/logs.md.
#include "logs/lines/line.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "logs/lines/lexer.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kCarrierLimit = 400;  // collectors put at most a path or a worker's name in front
constexpr std::size_t kNameLimit = 256;     // far more than a process name can have
constexpr std::size_t kLevelLimit = 10;     // "WARNING" is the longest word
constexpr std::size_t kModuleLimit = 32;    // "ASCENDCKERNEL" is the longest name
constexpr std::size_t kLengthLimit = 1020;  // real lines end at 1022 bytes
constexpr std::size_t kTextLimit = 895;     // the runtime's own buffer for errors and DEBUG lines (source: rt_log.h)

/// "[LEVEL] MODULE("; Markdown puts asterisks around the level.
bool take_level_and_module(std::string_view& rest, LogLine& line) noexcept {
    if (!take(rest, "[")) {
        return false;
    }
    take(rest, "**");
    line.level = front_while(rest.substr(0, kLevelLimit + 1), [](char c) { return is_upper(c) || is_digit(c); });
    rest.remove_prefix(line.level.size());
    take(rest, "**");
    if (line.level.empty() || line.level.size() > kLevelLimit || !take(rest, "]")) {
        return false;
    }
    if (!take(rest, " ") && is_digit(line.level.front())) {  // documents lose the blank
        return false;
    }
    line.module = front_while(rest.substr(0, kModuleLimit + 1), is_word);
    rest.remove_prefix(line.module.size());
    return !line.module.empty() && line.module.size() <= kModuleLimit && take(rest, "(");
}

/// MindSpore's own lines: "ffff2effd1e0,python", the thread as a pointer before the name.
void take_thread_of_name(LogLine& line) noexcept {
    constexpr std::size_t kPointerDigits = 8;  // no process name begins like that
    const std::size_t comma = line.process_name.find(',');
    if (comma == std::string_view::npos || comma < kPointerDigits) {
        return;
    }
    std::int64_t thread = 0;
    const char* const begin = line.process_name.data();
    const auto [end, failure] = std::from_chars(begin, begin + comma, thread, 16);
    if (failure == std::errc{} && end == begin + comma) {
        line.tid = thread;
        line.process_name.remove_prefix(comma + 1);
    }
}

/// "PID,NAME):" and, from one old parser's comment, "NAME):". A name may be empty or hold spaces and brackets. A comma
/// after text that is no number ends a damaged process id: whose line it is is not known.
bool take_process(std::string_view& rest, LogLine& line) noexcept {
    std::string_view after = rest;
    const std::optional<std::int64_t> pid = take_integer(after);
    if (pid && after.starts_with(')') && !after.starts_with("):")) {
        return false;  // the console form
    }
    if (pid && (take(after, ",") || after.starts_with(')'))) {
        line.pid = pid;
        rest = after;
        take(rest, " ");
    }
    const std::string_view front = rest.substr(0, kNameLimit + 2);
    std::size_t size_of_end = 2;
    std::size_t end = front.find("):");
    if (end == std::string_view::npos) {
        end = front.find(") :");  // copied from a page
        size_of_end = 3;
    }
    if (end == std::string_view::npos) {
        return false;
    }
    line.process_name = rest.substr(0, end);
    if (!line.pid && line.process_name.find(',') != std::string_view::npos) {
        return false;
    }
    rest.remove_prefix(end + size_of_end);
    take_thread_of_name(line);
    return true;
}

/// The time is the text up to the next space. Inside other text it must look like one; at the start of a line anything
/// but a block passes, because documents replace the time by placeholders.
bool take_time(std::string_view& rest, LogLine& line, bool at_line_start) noexcept {
    skip_spaces(rest);
    const std::string_view text = rest.substr(0, std::min(rest.find_first_of(" ["), rest.size()));
    if (text.empty() || text.front() == '[' || (!at_line_start && !is_digit(text.front()) && text.front() != 'Y')) {
        return false;
    }
    line.local_time_us = parse_line_time(text);
    rest.remove_prefix(text.size());
    return true;
}

/// "[LEVEL] MODULE(PID)message": the short form on the console in 2020 and 2021.
std::optional<LogLine> parse_console_form(std::string_view rest) noexcept {
    LogLine line;
    if (!take_level_and_module(rest, line)) {
        return std::nullopt;
    }
    line.pid = take_integer(rest);
    if (!line.pid || !take(rest, ")") || rest.starts_with(':')) {
        return std::nullopt;
    }
    skip_spaces(rest);
    line.text = rest;
    line.short_form = true;
    return line;
}

/// "    Aicore kernel execute failed, ...[FUNC:GetError][FILE:stream.cc][LINE:701][THREAD:9]": an error of a module as
/// an application prints it, without module, process and time. Terminals and copies put blanks between the blocks;
/// carriers put remarks after them ("[repeated 7x across cluster]").
std::optional<LogLine> parse_printed_error(std::string_view text) noexcept {
    constexpr std::string_view kFunction = "[FUNC:";
    const std::size_t end = text.rfind(kFunction);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view rest = text.substr(end + kFunction.size());
    const std::string_view function = front_while(rest, is_word);
    rest.remove_prefix(function.size());
    const bool names_file = take(rest, "]") && (skip_spaces(rest), rest.starts_with("[FILE:"));
    const std::size_t number = rest.find("[LINE");
    if (!names_file || number == std::string_view::npos || rest.find(']', number) == std::string_view::npos) {
        return std::nullopt;
    }
    LogLine line = printed_line(text.substr(0, end));
    line.function = function;
    if (const std::size_t thread = rest.find("[THREAD:", number); thread != std::string_view::npos) {
        rest.remove_prefix(thread + std::string_view("[THREAD:").size());
        line.tid = take_integer(rest);
    }
    return line;
}

/// Fills `line`, which is large, where it will stay.
bool parse_at(std::string_view rest, bool at_line_start, LogLine& line) noexcept {
    const std::size_t length = rest.size();
    if (!take_level_and_module(rest, line) || !take_process(rest, line) ||
        !take_time(rest, line, at_line_start && line.pid)) {
        return false;
    }
    line.text = rest;
    line.may_be_cut = may_be_cut(length);
    return true;
}

/// Whether a program's own logger printed the line as a message that is no error, and something is quoted in it: "INFO
/// 08-28 02:33:28 [logger.py:41] Received request: prompt: '...'". An error in there is only words.
bool is_quotation(std::string_view text) noexcept {
    constexpr std::size_t kLevelColumns = 100;
    const std::size_t quote = text.find_first_of("'\"`");
    std::string_view rest =
        quote == std::string_view::npos ? std::string_view() : text.substr(0, std::min(kLevelColumns, quote));
    while (!rest.empty()) {
        const std::string_view word = front_while(rest, is_word);
        if (word == "INFO" || word == "DEBUG") {
            return true;
        }
        if (word == "ERROR" || word == "WARNING" || word == "CRITICAL") {
            return false;
        }
        rest.remove_prefix(std::max<std::size_t>(word.size(), 1));
    }
    return false;
}

constexpr std::string_view kMilliseconds = "YYYY-MM-DD-hh:mm:ss.mmm", kMicroseconds = "YYYY-MM-DD-hh:mm:ss.mmm.uuu";

/// The number of that many digits; negative: one of them is none.
template <std::size_t Digits>
int number_at(std::string_view text, std::size_t place) noexcept {
    int value = 0, not_digit = 0;
    for (const char c : text.substr(place, Digits)) {
        value = value * 10 + (c - '0');
        not_digit |= (c - '0') | ('9' - c);  // negative where it is none
    }
    return not_digit < 0 ? -1 : value;
}

bool has_marks(std::string_view text) noexcept {
    return text[4] == '-' && text[7] == '-' && text[10] == '-' && text[13] == ':' && text[16] == ':';
}

/// "YYYY-MM-DD-hh:mm:ss" in microseconds.
std::optional<std::int64_t> parse_second(std::string_view text) noexcept {
    const int year = number_at<4>(text, 0), month = number_at<2>(text, 5), day = number_at<2>(text, 8);
    const int hour = number_at<2>(text, 11), minute = number_at<2>(text, 14), second = number_at<2>(text, 17);
    if (!has_marks(text) || std::min({year, month, day, hour, minute, second}) < 0) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok() || year < 1970 || year > 2100 || hour > 23 || minute > 59 || second > 59) {
        return std::nullopt;
    }
    const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1'000'000;
}

}  // namespace

bool may_be_cut(std::size_t line_size) noexcept {
    return line_size >= kLengthLimit;
}

LogLine printed_line(std::string_view text) noexcept {
    LogLine line;
    line.level = is_quotation(text) ? "INFO" : "ERROR";
    line.text = text;
    skip_spaces(line.text);
    line.short_form = true;
    for (const std::string_view key : {"pid=", "[rank", "worker-"}) {
        const std::size_t place = text.substr(0, kCarrierLimit).find(key);
        std::string_view number = text.substr(std::min(place, text.size()));
        if (take(number, key) && !line.tid) {
            line.tid = take_integer(number);
        }
    }
    return line;
}

std::optional<LogLine> parse_line_prefix(std::string_view line) {
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r' || line.back() == '\0')) {
        line.remove_suffix(1);
    }
    line = without_wrapping(line);
    std::optional<LogLine> parsed;
    std::size_t start = line.substr(0, kCarrierLimit + 1).find('[');
    while (start != std::string_view::npos) {
        if (parse_at(line.substr(start), start == 0, parsed.emplace())) {
            return parsed;
        }
        if (start == 0) {
            parsed = parse_console_form(line);
            if (parsed) {
                return parsed;
            }
        }
        start = line.substr(0, kCarrierLimit + 1).find('[', start + 1);
    }
    return parse_printed_error(line);
}

void complete_line(LogLine& line) noexcept {
    if (!line.short_form) {
        parse_line_rest(line.text, line);
    }
    const bool may_be_of_runtime = line.module == "RUNTIME" || line.module.empty();
    const bool is_short_text = may_be_of_runtime && (line.level == "ERROR" || line.level == "DEBUG");
    line.may_be_cut = line.may_be_cut || (is_short_text && line.text.size() >= kTextLimit);
}

std::optional<LogLine> parse_line(std::string_view line) {
    std::optional<LogLine> parsed = parse_line_prefix(line);
    if (parsed) {
        complete_line(*parsed);
    }
    return parsed;
}

std::optional<std::int64_t> LineTimes::parse(std::string_view text) noexcept {
    const bool has_microseconds = text.size() == kMicroseconds.size();
    if ((!has_microseconds && text.size() != kMilliseconds.size()) || text[19] != '.' ||
        (has_microseconds && text[23] != '.')) {
        return std::nullopt;
    }
    const int milliseconds = number_at<3>(text, 20), microseconds = has_microseconds ? number_at<3>(text, 24) : 0;
    if (milliseconds < 0 || microseconds < 0) {
        return std::nullopt;
    }
    if (second_us_ < 0 || !text.starts_with(std::string_view(second_.data(), second_.size()))) {
        const std::optional<std::int64_t> second_us = parse_second(text);
        if (!second_us) {
            return std::nullopt;
        }
        std::copy_n(text.begin(), second_.size(), second_.begin());
        second_us_ = *second_us;
    }
    return second_us_ + std::int64_t{milliseconds} * 1000 + microseconds;
}

}  // namespace opdebug::logs
