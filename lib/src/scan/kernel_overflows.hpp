// What ties to API calls need of overflow dumps: bounded, and the same whether the dumps are seen in one scan or in
// shares of it.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// So many are kept of each step and rank, or device where the rank is not known, and of all: what comes behind them
/// in report order was seldom the cause.
constexpr std::size_t kOverflowsPerPlace = 1'000, kOverflows = 20'000;

/// Types and shapes are those of the operator's dump beside it, each once; its header is read where it was not
/// measured. They are not known where that cannot be read, several dumps fit as well, or it has more than 64 of them or
/// 256 extents in all.
KernelOverflow kernel_overflow_of(const ScannedDump& scanned, const Limits& limits);

/// Keeps the first in report order. Overflows may come in any order and in shares: what is among the first of all is
/// among the first of its share.
class KernelOverflows {
public:
    void add(KernelOverflow overflow);
    /// Those of another share.
    void add(const ScanApiDumps& share);
    std::size_t size() const noexcept { return kept_.size(); }
    /// In report order, each once.
    void finish(ScanApiDumps& kept);

private:
    void cut();

    std::vector<KernelOverflow> kept_;
    std::uint64_t left_out_ = 0;
};

}  // namespace opdebug::scan_stage
