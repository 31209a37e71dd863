// The dumps of a chain, and how certain it is where its first bad value appears.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// The chain that a dump belongs to. Steps of different models are different counts.
struct ChainKey {
    std::optional<std::uint64_t> step;
    DumpSource source;
    std::optional<std::string> model_name;  ///< of the path
    std::optional<std::uint64_t> model_id;

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    std::strong_ordering operator<=>(const ChainKey&) const = default;
};

struct ChainMembers {
    ChainKey key;
    std::vector<const ScanItem*> items;          ///< in report order
    std::optional<std::size_t> first_bad = {};   ///< position of OverflowChain::first_bad
    std::optional<std::size_t> first_born = {};  ///< of OverflowChain::first_born_here
};

/// Whether the item's operator dump shows a bad value.
bool shows_bad_value(const ScanItem& item);

/// The same, and more than integers at the ends of their range.
bool shows_certain_bad_value(const ScanItem& item);

/// Whether the item's operator dump may hide a bad value: not dumped, not measured or damaged.
bool may_hide_bad_value(const ScanItem& item);

/// Remarks on one chain: dumps before the first bad value that were not measured, an order by path, a value that came
/// in from outside, an unknown step.
std::vector<ScanRemark> remarks_on_chain(const ChainMembers& chain);

/// Bad values of other ranks, devices and processes in the same step, if the times are known. One list for each of the
/// first `count` chains.
std::vector<std::vector<ScanRemark>> remarks_across_sources(const std::vector<ChainMembers>& chains, std::size_t count);

}  // namespace opdebug::scan_stage
