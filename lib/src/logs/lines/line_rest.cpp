// What follows the time in a log line. Three families: "[file:line]TID Func:message" (RUNTIME, GE, ASCENDCL, FE),
// "[file:line][Func][tid:N] message" (CCECPU, TDT, IDEDD) and the driver's and firmware's own forms.
#include <algorithm>
#include <array>

#include "logs/lines/lexer.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {
namespace {

/// "name.cc:123", also with a path; not "stream id:5, task id:3", which messages put in brackets.
bool is_file_and_line(std::string_view content) noexcept {
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos || colon + 1 == content.size()) {
        return false;
    }
    const std::string_view number = content.substr(colon + 1);
    return front_while(number, is_digit).size() == number.size() &&
           content.substr(0, colon).find('.') != std::string_view::npos &&
           content.substr(0, colon).find(',') == std::string_view::npos;
}

/// "[EVENT]" and "[status:INIT]" occur on either side of the file; "[ERROR]" and "[Event]" in the compact runtime.
bool is_marker(std::string_view content) noexcept {
    constexpr std::array<std::string_view, 7> kWords{"EVENT", "Event", "ERROR", "WARNING", "INFO", "DEBUG", "TRACE"};
    return std::find(kWords.begin(), kWords.end(), content) != kWords.end() || content.starts_with("status:");
}

/// Firmware: "28 (cpuid:0) file.c:1012 " or "2170 (dieid:0,cpuid:0) "; the number counts lines.
void take_firmware_sequence(std::string_view& rest) noexcept {
    std::string_view after = rest;
    if (!take_integer(after) || !(after.starts_with(" (cpuid:") || after.starts_with(" (dieid:"))) {
        return;
    }
    const std::size_t end = after.find(") ");
    if (end == std::string_view::npos) {
        return;
    }
    after.remove_prefix(end + 2);
    const std::string_view word = after.substr(0, after.find(' '));
    if (is_file_and_line(word)) {
        after.remove_prefix(word.size());
    }
    rest = after;
}

/// Driver: "[ascend][curpid:PID,TID][drv][part][Func]message"; the function may be followed by its line.
bool take_driver_blocks(std::string_view& rest, LogLine& line) noexcept {
    std::string_view after = rest;
    if (!take(after, "[ascend][curpid:")) {
        return false;
    }
    skip_spaces(after);
    take_integer(after);
    if (take(after, ",")) {
        skip_spaces(after);
        line.tid = take_integer(after);
    }
    if (!take(after, "]")) {
        return false;
    }
    for (std::optional<std::string_view> block = front_block(after); block; block = front_block(after)) {
        line.function = block->substr(0, block->find(' '));
        take_block(after, *block);
    }
    rest = after;
    return true;
}

/// "[tid:N]" and its neighbours: "[Func]" before, "[AICPU_SCHEDULE]" after.
bool take_thread_block(std::string_view& rest, LogLine& line) noexcept {
    std::string_view after = rest;
    std::string_view function;
    const std::optional<std::string_view> first = front_block(after);
    if (first && !first->empty() && front_while(*first, is_word).size() == first->size()) {
        function = *first;
        take_block(after, *first);
    }
    if (!take(after, "[tid:")) {
        return false;
    }
    const std::optional<std::int64_t> tid = take_integer(after);
    if (!tid || !take(after, "]")) {
        return false;
    }
    take(after, "[AICPU_SCHEDULE]");
    line.tid = tid;
    line.function = function;
    rest = after;
    return true;
}

/// "Func:" or "Func :"; of "Class::Func:" the last part. A lambda prints "operator()".
std::string_view take_function(std::string_view& rest) noexcept {
    constexpr std::string_view kLambda = "operator()";
    std::string_view after = rest;
    std::string_view name = rest.substr(0, kLambda.size());
    if (!take(after, kLambda)) {
        const auto in_name = [](char c) { return is_word(c) || c == '~' || c == '<' || c == '>'; };
        do {
            name = front_while(after, in_name);
            after.remove_prefix(name.size());
        } while (!name.empty() && take(after, "::"));
        if (name.empty() || is_digit(name.front())) {
            return {};
        }
    }
    take(after, " ");
    if (!take(after, ":")) {
        return {};
    }
    rest = after;
    return name;
}

/// "TID [tag] Func:": each part may be missing; a tag is only recognised when a function follows.
void take_thread_and_function(std::string_view& rest, LogLine& line) noexcept {
    skip_spaces(rest);
    std::string_view after = rest;
    if (!after.empty() && is_digit(after.front())) {
        const std::optional<std::int64_t> tid = take_integer(after);
        if (tid && (after.empty() || after.front() == ' ')) {
            line.tid = tid;
            skip_spaces(after);
            rest = after;
        }
    }
    if (const std::optional<std::string_view> tag = front_block(after)) {
        take_block(after, *tag);
        if (!take(after, " ")) {
            return;
        }
    }
    line.function = take_function(after);
    if (!line.function.empty()) {
        rest = after;
    }
}

/// MindSpore's own lines: "[file:line] Func] message"; their thread is in the prefix.
bool take_function_before_bracket(std::string_view& rest, LogLine& line) noexcept {
    std::string_view after = rest;
    skip_spaces(after);
    const std::string_view name = front_while(after, is_word);
    after.remove_prefix(name.size());
    if (!line.tid || name.empty() || !take(after, "] ")) {
        return false;
    }
    line.function = name;
    rest = after;
    return true;
}

}  // namespace

void parse_line_rest(std::string_view rest, LogLine& line) noexcept {
    skip_spaces(rest);
    take_firmware_sequence(rest);
    skip_spaces(rest);
    bool file_seen = false;
    for (std::optional<std::string_view> block = front_block(rest); block; block = front_block(rest)) {
        const bool file = !file_seen && is_file_and_line(*block);
        if (!file && !is_marker(*block)) {
            break;
        }
        file_seen = file_seen || file;
        take_block(rest, *block);
        if (!file_seen) {
            skip_spaces(rest);
        }
    }
    if (!take_function_before_bracket(rest, line) && !take_driver_blocks(rest, line) &&
        !take_thread_block(rest, line)) {
        take_thread_and_function(rest, line);
    }
    skip_spaces(rest);
    line.text = rest;
}

}  // namespace opdebug::logs
