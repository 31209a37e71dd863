// The chains of overflowing operators, and where the first bad value of each appears.
#include "scan/chains.hpp"

#include <algorithm>
#include <map>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

bool shows_bad_value(const ScanItem& item) {
    return item.origin && (item.origin->bad_input || item.origin->bad_output);
}

bool shows_certain_bad_value(const ScanItem& item) {
    return shows_bad_value(item) && !item.origin->integers_only;
}

bool may_hide_bad_value(const ScanItem& item) {
    return !item.origin || item.origin->values_unseen;
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

/// Integers at the ends of their range may be intended: they count only if nothing else is bad.
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

/// The chains, in the order of their first items. `overflowed`: in report order; they must outlive the chains.
std::vector<ChainMembers> members_of_chains(const std::vector<const ScanItem*>& overflowed) {
    std::map<ChainKey, std::size_t> numbers;
    std::vector<ChainMembers> chains;
    for (const ScanItem* item : overflowed) {
        const PathIds& ids = item->path_ids;
        const auto [entry, is_new] =
            numbers.emplace(ChainKey{ids.data_index, source_of(*item), ids.model_name, ids.model_id}, chains.size());
        if (is_new) {
            chains.push_back({entry->first, {}});
        }
        chains[entry->second].items.push_back(item);
    }
    for (ChainMembers& chain : chains) {
        find_first(chain);
    }
    return chains;
}

}  // namespace

}  // namespace opdebug::scan_stage

namespace opdebug {
inline namespace v0 {
namespace {

using scan_stage::ChainMembers;

/// Limits: a report must not name each of its files a second time.
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

/// The model's name in the path; without one, the first known model of the dumps.
std::string model_of(const ChainMembers& members) {
    const auto known = std::find_if(members.items.begin(), members.items.end(),
                                    [](const ScanItem* item) { return !item->model.empty(); });
    return members.key.model_name.value_or(known != members.items.end() ? (*known)->model : std::string());
}

OverflowChain chain_of(const ChainMembers& members) {
    OverflowChain chain;
    chain.step = members.key.step;
    chain.rank = members.key.source.rank;
    chain.device_id = members.key.source.device_id;
    chain.folder_time = members.key.source.time;
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
    const std::vector<std::vector<ScanRemark>> across = scan_stage::remarks_across_sources(members, kMostChains);
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
