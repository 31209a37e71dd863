// The chains of overflowing operators, and where the first bad value of each appears.
#include <opdebug/chains.hpp>

#include <algorithm>

#include "scan/chain_members.hpp"
#include "scan/chain_remarks.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using scan_stage::ChainMembers;

/// A report shall not name each of its files a second time.
constexpr std::size_t kMostChains = 1000;
constexpr std::size_t kMostLinks = 20;

ChainLink link_at(const ChainMembers& chain, std::size_t position) {
    const ScanItem& item = *chain.items[position];
    return {position, item.file, item.timestamp_us, item.operator_type, item.operator_name, item.origin, item.op_dump};
}

void count_verdicts(const ChainMembers& members, OverflowChain& chain) {
    for (std::size_t i = 0; i < members.items.size(); ++i) {
        const std::optional<Origin>& origin = members.items[i]->origin;
        if (!origin) {
            ++chain.not_measured;
            continue;
        }
        switch (origin->verdict) {
            case OriginVerdict::born_here: ++chain.born_here; break;
            case OriginVerdict::inherited:
                ++chain.inherited;
                chain.inherited_after += members.first_born && i > *members.first_born ? 1U : 0U;
                break;
            case OriginVerdict::not_visible: ++chain.not_visible; break;
        }
    }
}

void take_times(const ChainMembers& members, OverflowChain& chain) {
    for (const ScanItem* item : members.items) {
        if (item->timestamp_us) {
            chain.first_us = std::min(chain.first_us.value_or(*item->timestamp_us), *item->timestamp_us);
            chain.last_us = std::max(chain.last_us.value_or(*item->timestamp_us), *item->timestamp_us);
        }
    }
}

/// The model's name in the path, else what the first dump of which it is known tells.
std::string model_of(const ChainMembers& members) {
    const auto known = std::find_if(members.items.begin(), members.items.end(),
                                    [](const ScanItem* item) { return !item->model.empty(); });
    return members.key.model_name.value_or(known != members.items.end() ? (*known)->model : std::string());
}

OverflowChain chain_of(const ChainMembers& members) {
    OverflowChain chain;
    chain.step = members.key.step;
    chain.rank = members.key.place.rank;
    chain.device_id = members.key.place.device_id;
    chain.folder_time = members.key.place.time;
    chain.model = model_of(members);
    chain.count = members.items.size();
    count_verdicts(members, chain);
    take_times(members, chain);
    if (members.first_bad) {
        chain.first_bad = link_at(members, *members.first_bad);
    }
    if (members.first_born) {
        chain.first_born_here = link_at(members, *members.first_born);
    }
    for (std::size_t i = 0; i < members.items.size() && i < kMostLinks; ++i) {
        chain.links.push_back(link_at(members, i));
    }
    chain.remarks = scan_stage::remarks_on_chain(members);
    return chain;
}

}  // namespace

OverflowChains chains_of(const std::vector<ScanItem>& items) {
    std::vector<const ScanItem*> overflowed;
    for (const ScanItem& item : items) {
        if (item.state == DumpState::overflowed) {
            overflowed.push_back(&item);
        }
    }
    const std::vector<ChainMembers> members = scan_stage::members_of_chains(overflowed);
    OverflowChains found;
    found.count = members.size();
    const std::vector<std::vector<ScanRemark>> across =
        scan_stage::remarks_across_places(members, overflowed, kMostChains);
    found.chains.reserve(across.size());
    for (std::size_t i = 0; i < across.size(); ++i) {
        found.chains.push_back(chain_of(members[i]));
        std::vector<ScanRemark>& remarks = found.chains.back().remarks;
        remarks.insert(remarks.end(), across[i].begin(), across[i].end());
    }
    return found;
}

}  // namespace v0
}  // namespace opdebug
