// The dumps of a chain, before it is told.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/chains.hpp>

#include "scan/place.hpp"

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

}  // namespace opdebug::scan_stage
