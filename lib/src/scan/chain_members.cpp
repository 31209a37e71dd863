#include "scan/chain_members.hpp"

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

bool shows_bad_value(const ScanItem& item) {
    return item.origin && item.origin->verdict != OriginVerdict::not_visible;
}

std::vector<ChainMembers> members_of_chains(const std::vector<const ScanItem*>& overflowed) {
    std::map<ChainKey, std::size_t> known;
    std::vector<ChainMembers> chains;
    for (const ScanItem* item : overflowed) {
        const auto [place, added] = known.emplace(chain_key_of(*item), chains.size());
        if (added) {
            chains.push_back({place->first, {}});
        }
        ChainMembers& chain = chains[place->second];
        const std::size_t position = chain.items.size();
        if (!chain.first_bad && shows_bad_value(*item)) {
            chain.first_bad = position;
        }
        if (!chain.first_born && item->origin && item->origin->verdict == OriginVerdict::born_here) {
            chain.first_born = position;
        }
        chain.items.push_back(item);
    }
    return chains;
}

}  // namespace opdebug::scan_stage
