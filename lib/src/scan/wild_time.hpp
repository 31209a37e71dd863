// Times that no clock shows that is set right.
#pragma once

#include <cstdint>

namespace opdebug::scan_stage {

/// 2019-01-01 UTC. Overflow dumps appear in documents of 2020 (docs/format.md); a year is left for safety.
constexpr std::uint64_t kFirstDumps = 1'546'300'800'000'000;
constexpr std::uint64_t kTooLate = 4'102'444'800'000'000;  ///< 2100-01-01 UTC

constexpr bool is_wild(std::uint64_t timestamp_us) noexcept {
    return timestamp_us < kFirstDumps || timestamp_us >= kTooLate;
}

}  // namespace opdebug::scan_stage
