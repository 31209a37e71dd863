#include "logs/text/entry_inside.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "logs/text/lexer.hpp"
#include "logs/text/line.hpp"

namespace opdebug::logs {
namespace {

/// "[INFO]", or any other word or number: lower letters may be hexadecimal digits.
bool begins_with_level(std::string_view text) noexcept {
    text.remove_prefix(1);
    const std::string_view level = front_while(text, is_word);
    return !level.empty() && text.substr(level.size()).starts_with(']');
}

}  // namespace

EntryInside entry_inside(std::string_view text) {
    EntryInside found;
    constexpr std::string_view kEndOfProcess = "):";
    constexpr std::size_t kLongestPrefix = 400;  // far more than one has; bounds what is looked at for each "):"
    constexpr std::size_t kLongestTime = 40;     // with spaces around it
    for (std::size_t end = text.find(kEndOfProcess); end != std::string_view::npos;
         end = text.find(kEndOfProcess, end + 1)) {
        const std::size_t window = end - std::min(end, kLongestPrefix);
        const std::size_t begin = text.substr(window, end - window).rfind('[');
        if (begin == std::string_view::npos || !begins_with_level(text.substr(window + begin))) {
            continue;
        }
        const std::string_view inside = text.substr(window + begin);
        const std::size_t size_of_prefix = end - (window + begin) + kEndOfProcess.size();
        const std::optional<LogLine> entry = parse_line_prefix(inside.substr(0, size_of_prefix + kLongestTime));
        if (entry && entry->local_time_us && entry->level.data() == inside.data() + 1) {
            found.entry = inside;
            break;
        }
    }
    return found;
}

}  // namespace opdebug::logs
