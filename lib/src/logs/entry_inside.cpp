#include "logs/entry_inside.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "logs/line.hpp"

namespace opdebug::logs {

std::string_view entry_inside(std::string_view text) {
    constexpr std::string_view kEndOfProcess = "):";
    constexpr std::size_t kLongestPrefix = 400;  // far more than one has; bounds what is looked at for each "):"
    for (std::size_t end = text.find(kEndOfProcess); end != std::string_view::npos;
         end = text.find(kEndOfProcess, end + 1)) {
        const std::size_t window = end - std::min(end, kLongestPrefix);
        const std::size_t begin = text.substr(window, end - window).rfind('[');
        if (begin == std::string_view::npos) {
            continue;
        }
        const std::string_view inside = text.substr(window + begin);
        const std::optional<LogLine> entry = parse_line_prefix(inside.substr(0, 2 * kLongestPrefix));
        if (entry && entry->local_time_us && entry->level.data() == inside.data() + 1) {
            return inside;
        }
    }
    return {};
}

}  // namespace opdebug::logs
