// The overflow dumps that can be tied to API calls: bounded, and the same in one scan and in shards of it.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// Limits for each step and rank (device, if the rank is unknown), and for all: later ones in report order are seldom
/// the cause.
constexpr std::size_t kOverflowsPerRank = 1'000, kOverflows = 20'000;

KernelOverflow kernel_overflow_of(const ScannedDump& scanned);

/// The first ones in report order. Overflows may be added in any order and from shards: one of the first of all is one
/// of the first of its shard.
class KernelOverflows {
public:
    void add(KernelOverflow overflow);
    /// Those of another shard.
    void add(const ScanApiDumps& shard);
    std::size_t size() const noexcept { return overflows_.size(); }
    /// Moves them to `api`, in report order, each once.
    void finish(ScanApiDumps& api);

private:
    void cut();

    std::vector<KernelOverflow> overflows_;
    std::uint64_t left_out_ = 0;
};

}  // namespace opdebug::scan_stage
