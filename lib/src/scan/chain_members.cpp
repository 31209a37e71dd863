#include "scan/chain_members.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace opdebug::scan_stage {

bool ChainKey::operator<(const ChainKey& other) const {
    return std::tie(step, place, model_name, model_id) <
           std::tie(other.step, other.place, other.model_name, other.model_id);
}

ChainKey chain_key_of(const ScanItem& item) {
    return {item.path_ids.data_index, place_of(item), item.path_ids.model_name, item.path_ids.model_id};
}

namespace {

template <class Condition>
std::optional<std::size_t> first_with(const std::vector<const ScanItem*>& items, Condition condition) {
    const auto found =
        std::find_if(items.begin(), items.end(), [&condition](const ScanItem* item) { return condition(*item); });
    return found == items.end() ? std::nullopt
                                : std::optional<std::size_t>(static_cast<std::size_t>(found - items.begin()));
}

bool is_born_here(const ScanItem& item) {
    return item.origin && item.origin->verdict == OriginVerdict::born_here;
}

/// Integers at the ends of their range may be meant so: they count only where nothing else is bad.
void find_first(ChainMembers& chain) {
    chain.first_bad = first_with(chain.items, shows_certain_bad_value);
    if (chain.first_bad) {
        chain.first_born = first_with(
            chain.items, [](const ScanItem& item) { return is_born_here(item) && shows_certain_bad_value(item); });
    } else {
        chain.first_bad = first_with(chain.items, shows_bad_value);
        chain.first_born = first_with(chain.items, is_born_here);
    }
}

}  // namespace

bool shows_bad_value(const ScanItem& item) {
    return item.origin && (item.origin->bad_input || item.origin->bad_output);
}

bool shows_certain_bad_value(const ScanItem& item) {
    return shows_bad_value(item) && !item.origin->integers_only;
}

bool may_hide_bad_value(const ScanItem& item) {
    return !item.origin || item.origin->values_unseen;
}

std::vector<ChainMembers> members_of_chains(const std::vector<const ScanItem*>& overflowed) {
    std::map<ChainKey, std::size_t> known;
    std::vector<ChainMembers> chains;
    for (const ScanItem* item : overflowed) {
        const auto [place, added] = known.emplace(chain_key_of(*item), chains.size());
        if (added) {
            chains.push_back({place->first, {}});
        }
        chains[place->second].items.push_back(item);
    }
    for (ChainMembers& chain : chains) {
        find_first(chain);
    }
    return chains;
}

}  // namespace opdebug::scan_stage
