// The dumps of a chain, and how sure it is where its first bad value appears.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/chains.hpp>

#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// Which chain a dump belongs to. Steps of different models are different counts.
struct ChainKey {
    std::optional<std::uint64_t> step;
    Place place;
    std::optional<std::string> model_name;  ///< of the path
    std::optional<std::uint64_t> model_id;

    bool operator<(const ChainKey& other) const;
};

ChainKey chain_key_of(const ScanItem& item);

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

/// Whether a bad value may be in the item's operator dump that is not shown: not dumped, not measured or damaged.
bool may_hide_bad_value(const ScanItem& item);

/// The chains, in the order of their first items. `overflowed`: in report order; they must outlive the chains.
std::vector<ChainMembers> members_of_chains(const std::vector<const ScanItem*>& overflowed);

/// What the chain itself tells: dumps before the first bad value that were not measured, an order by path, a value that
/// came in from outside, an unknown step.
std::vector<ScanRemark> remarks_on_chain(const ChainMembers& chain);

/// Where other ranks, devices and processes show a bad value in the same step, as far as their times can be compared.
/// One list for each of the first `count` chains.
std::vector<std::vector<ScanRemark>> remarks_across_places(const std::vector<ChainMembers>& chains,
                                                           const std::vector<const ScanItem*>& overflowed,
                                                           std::size_t count);

}  // namespace opdebug::scan_stage
