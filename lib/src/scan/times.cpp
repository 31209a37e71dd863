#include "scan/times.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace opdebug::scan_stage {

std::int64_t time_difference(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto size = static_cast<std::int64_t>(std::min(a > b ? a - b : b - a, kMost));
    return a < b ? -size : size;
}

std::string show_duration(std::int64_t microseconds) {
    // Where time_difference() cuts; as a double, so the nearest 1,000 numbers count as cut as well.
    constexpr auto kCut = static_cast<double>(std::numeric_limits<std::int64_t>::max());
    const auto size = microseconds < 0 ? -static_cast<double>(microseconds) : static_cast<double>(microseconds);
    if (size >= kCut) {
        return fmt::format("at least {:.3f} s", kCut / 1e6);
    }
    return size < 1000 ? fmt::format("{:.0f} us", size) : fmt::format("{:.3f} s", size / 1e6);
}

std::string show_later(std::int64_t later_us) {
    return later_us == 0 ? "at the same time"
                         : fmt::format("{} {}", show_duration(later_us), later_us < 0 ? "earlier" : "later");
}

}  // namespace opdebug::scan_stage
