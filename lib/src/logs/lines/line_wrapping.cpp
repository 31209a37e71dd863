// Text around a log line or inside it: collectors, terminals, web pages, and entries of other processes in one line.
#include <algorithm>
#include <cstddef>
#include <optional>

#include "logs/lines/lexer.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {
namespace {

constexpr std::string_view kEscape = "\x1b[", kEscapeInJson = "\\u001b[";
constexpr std::string_view kEscapedUnderscore = "\\_";  // Markdown

/// Whether "\x1b[0m" or the like begins there, for a colour or to erase the rest of a line; its size.
std::size_t size_of_colour(std::string_view text) noexcept {
    const std::string_view escape = text.starts_with(kEscape) ? kEscape : kEscapeInJson;
    if (!text.starts_with(escape)) {
        return 0;
    }
    const std::string_view numbers =
        front_while(text.substr(escape.size()), [](char c) { return is_digit(c) || c == ';'; });
    const std::size_t size = escape.size() + numbers.size() + 1;
    return size <= text.size() && (text[size - 1] == 'm' || text[size - 1] == 'K') ? size : 0;
}

/// Up to the quote that ends the JSON text at the front; nothing is cut where none does.
std::string_view inside_quotes(std::string_view text) noexcept {
    std::size_t end = 0;
    while (end < text.size() && text[end] != '"') {
        end += text[end] == '\\' ? 2U : 1U;
    }
    text = text.substr(0, end);
    while (take(text, "\\t")) {  // continuation lines begin with tabs
    }
    for (const std::string_view line_break : {"\\n", "\\r"}) {
        text.remove_suffix(text.ends_with(line_break) ? line_break.size() : 0U);
    }
    return text;
}

/// What the JSON of a collector holds of the line; nothing where it is none. Docker writes it without blanks and the
/// log first; others write it again, with blanks and in an order of their own. A label may have the same name: a log
/// line has a bracket.
std::string_view json_text(std::string_view line) noexcept {
    constexpr std::size_t kMostBefore = 400;  // as of a carrier (line.cpp)
    std::string_view first;
    for (const std::string_view key : {"\"log\":", "\"message\":"}) {
        const std::size_t place = line.substr(0, kMostBefore).find(key);
        if (place == std::string_view::npos) {
            continue;
        }
        std::string_view value = line.substr(place + key.size());
        skip_spaces(value);
        const std::string_view text = take(value, "\"") ? inside_quotes(value) : std::string_view();
        if (text.find('[') != std::string_view::npos) {
            return text;
        }
        first = first.empty() ? text : first;
    }
    return first;
}

}  // namespace

std::string_view without_wrapping(std::string_view line) noexcept {
    if (line.starts_with("{\"")) {
        const std::string_view text = json_text(line);
        line = text.empty() ? line : text;
    }
    return line;
}

bool may_have_markup(std::string_view text) noexcept {
    return text.find(kEscape) != std::string_view::npos || text.find(kEscapeInJson) != std::string_view::npos ||
           text.find(kEscapedUnderscore) != std::string_view::npos;
}

std::string without_markup(std::string_view line) {
    std::string text;
    while (!line.empty()) {
        const std::size_t colour = size_of_colour(line);
        const std::size_t markup = colour != 0 ? colour : line.starts_with(kEscapedUnderscore) ? 1U : 0U;
        const std::size_t end = markup != 0 ? 0 : std::min(line.find_first_of("\x1b\\", 1), line.size());
        text += line.substr(0, end);
        line.remove_prefix(std::max(markup, end));
    }
    return text;
}

std::string_view entry_inside(std::string_view text) {
    constexpr std::string_view kEndOfProcess = "):";
    constexpr std::size_t kLongestPrefix = 400;  // far more than one has; bounds what is looked at for each "):"
    constexpr std::size_t kLongestTime = 40;     // with spaces around it
    for (std::size_t end = text.find(kEndOfProcess); end != std::string_view::npos;
         end = text.find(kEndOfProcess, end + 1)) {
        const std::size_t window = end - std::min(end, kLongestPrefix);
        const std::size_t begin = text.substr(window, end - window).rfind('[');
        if (begin == std::string_view::npos) {
            continue;
        }
        const std::string_view inside = text.substr(window + begin);
        const std::size_t size_of_prefix = end - (window + begin) + kEndOfProcess.size();
        const std::optional<LogLine> entry = parse_line_prefix(inside.substr(0, size_of_prefix + kLongestTime));
        if (entry && entry->local_time_us && entry->level.data() == inside.data() + 1) {
            return inside;
        }
    }
    return {};
}

}  // namespace opdebug::logs
