// How far two times of lines lie apart. Saved maps may hold any times, so no difference is taken as a signed number.
#pragma once

#include <cstdint>

namespace opdebug::logs {

/// Whether `next_us` is at least so much later than `last_us`. `least_us`: above 0.
inline bool is_gap(std::int64_t last_us, std::int64_t next_us, std::int64_t least_us) noexcept {
    return next_us > last_us && static_cast<std::uint64_t>(next_us) - static_cast<std::uint64_t>(last_us) >=
                                    static_cast<std::uint64_t>(least_us);
}

}  // namespace opdebug::logs
