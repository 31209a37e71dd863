// The chains of overflowing operators: where the first bad value of each appears, and how certain that is.
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "remarks/diagnose.hpp"
#include "scan/dump_source.hpp"
#include "scan/times.hpp"

namespace opdebug {
namespace scan_stage {
namespace {

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
bool shows_bad_value(const ScanItem& item) {
    return item.origin && (item.origin->bad_input || item.origin->bad_output);
}

/// Integers at the ends of their range may be intended: they count only if nothing else is bad.
bool shows_certain_bad_value(const ScanItem& item) {
    return shows_bad_value(item) && !item.origin->integers_only;
}

/// Whether the item's operator dump may hide a bad value: not dumped, not measured or damaged.
bool may_hide_bad_value(const ScanItem& item) {
    return !item.origin || item.origin->values_unseen;
}

bool is_born_here(const ScanItem& item) {
    return item.origin && item.origin->verdict == OriginVerdict::born_here;
}

template <class Condition>
std::optional<std::size_t> first_with(const std::vector<const ScanItem*>& items, Condition condition) {
    const auto found =
        std::find_if(items.begin(), items.end(), [&condition](const ScanItem* item) { return condition(*item); });
    return found == items.end() ? std::nullopt
                                : std::optional<std::size_t>(static_cast<std::size_t>(found - items.begin()));
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
        chain.first_bad = first_with(chain.items, shows_certain_bad_value);
        const bool is_certain = chain.first_bad.has_value();
        chain.first_bad = is_certain ? chain.first_bad : first_with(chain.items, shows_bad_value);
        chain.first_born = first_with(chain.items, [is_certain](const ScanItem& item) {
            return is_born_here(item) && (!is_certain || shows_certain_bad_value(item));
        });
    }
    return chains;
}

const ScanItem& first_bad_of(const ChainMembers& chain) {
    return *chain.items[*chain.first_bad];
}

/// Remarks on one chain: an unknown step; integers or unmeasured dumps before the first bad value; a value that came in
/// from outside; an order by path.
std::vector<ScanRemark> remarks_on_chain(const ChainMembers& chain) {
    std::vector<ScanRemark> remarks;
    if (!chain.key.step && chain.items.size() > 1) {
        remarks.push_back(remarks::diagnose("step_unknown"));
    }
    if (!chain.first_bad) {
        return remarks;
    }
    const ScanItem& first = first_bad_of(chain);
    const auto before = chain.items.begin() + static_cast<std::ptrdiff_t>(*chain.first_bad);
    const auto integers =
        std::count_if(chain.items.begin(), before, [](const auto* item) { return shows_bad_value(*item); });
    if (integers != 0) {
        const LocalizedText maybe = first.origin->bad_input ? remarks::phrase("came_from_integers") : LocalizedText();
        remarks.push_back(remarks::diagnose("integers_before", {{"count", integers}, {"maybe", maybe}}));
    } else if (first.origin->verdict == OriginVerdict::inherited) {
        remarks.push_back(remarks::diagnose(first.origin->mask_possible ? "from_outside.mask" : "from_outside"));
    }
    const auto hidden =
        std::count_if(chain.items.begin(), before, [](const auto* item) { return may_hide_bad_value(*item); });
    if (hidden != 0) {
        remarks.push_back(remarks::diagnose("not_measured_before", {{"count", hidden}, {"all", *chain.first_bad}}));
    }
    // Dumps that may come before the first bad one: those of its time, and those of unknown time.
    const auto rivals = std::count_if(chain.items.begin(), chain.items.end(), [&first](const ScanItem* item) {
        const bool shows = first.origin->integers_only ? shows_bad_value(*item) : shows_certain_bad_value(*item);
        const bool may_be_earlier =
            !first.timestamp_us || !item->timestamp_us || item->timestamp_us == first.timestamp_us;
        return item != &first && (shows || may_hide_bad_value(*item)) && may_be_earlier;
    });
    if (rivals != 0) {
        remarks.push_back(remarks::diagnose("order_by_path", {{"count", rivals}}));
    }
    return remarks;
}

/// The known parts of a source; the root if it is all that is known, or if that of `other` differs.
LocalizedText show_source(const DumpSource& source, const DumpSource& other) {
    std::vector<LocalizedText> parts;
    if (source.rank) {
        parts.push_back(remarks::phrase("rank", {{"rank", *source.rank}}));
    }
    if (source.device_id) {
        parts.push_back(remarks::phrase("device", {{"device", *source.device_id}}));
    }
    if (source.time) {
        parts.push_back(remarks::phrase("folder_time", {{"time", *source.time}}));
    }
    if (parts.empty() || source.root != other.root) {
        const std::string root = source.root.empty() ? "." : source.root;
        parts.push_back({root, root});
    }
    return remarks::joined(parts, {", ", "，"});
}

/// The chains of one step and model over all sources can be compared. Models by the name in the path as groups show it:
/// their ids, and times in their names, are those of a process.
using StepOfModel = std::pair<std::uint64_t, std::string>;
using ComparedChains = std::map<StepOfModel, std::vector<const ChainMembers*>>;

/// Whether the first bad value of the chain is certain and has a time.
bool is_comparable(const ChainMembers& chain) {
    return chain.key.step && chain.first_bad && shows_certain_bad_value(first_bad_of(chain)) &&
           first_bad_of(chain).timestamp_us && is_plausible(*first_bad_of(chain).timestamp_us);
}

StepOfModel step_of_model(const ChainMembers& chain) {
    return {*chain.key.step, model_in_groups(chain.key.model_name.value_or(""))};
}

/// The earliest bad value of another rank, device or process in the same step, if it is not later by more than a
/// second: clocks of two sources may differ by that.
std::optional<ScanRemark> remark_on_other_source(const ChainMembers& chain, const ComparedChains& compared) {
    if (!is_comparable(chain)) {
        return std::nullopt;
    }
    const ChainMembers* earliest = nullptr;
    for (const ChainMembers* other : compared.at(step_of_model(chain))) {
        const bool is_earlier =
            earliest == nullptr || *first_bad_of(*other).timestamp_us < *first_bad_of(*earliest).timestamp_us;
        earliest = other->key.source != chain.key.source && is_earlier ? other : earliest;
    }
    if (earliest == nullptr) {
        return std::nullopt;
    }
    const ScanItem& first = first_bad_of(chain);
    const std::int64_t later_us = time_difference(*first_bad_of(*earliest).timestamp_us, *first.timestamp_us);
    if (later_us > kOneSecond) {
        return std::nullopt;
    }
    const LocalizedText source = show_source(earliest->key.source, chain.key.source);
    const LocalizedText when = show_later(later_us);
    if (later_us >= -kOneSecond) {
        return remarks::diagnose("first_bad_uncertain", {{"source", source}, {"when", when}});
    }
    const bool came_in = first.origin->verdict != OriginVerdict::born_here;
    return remarks::diagnose("bad_value_elsewhere.earlier",
                             {{"source", source},
                              {"when", when},
                              {"maybe", came_in ? remarks::phrase("came_from_there") : LocalizedText()}});
}

/// Limits: a report must not name each of its files a second time.
constexpr std::size_t kMostChains = 1000;
constexpr std::size_t kMostLinks = 20;

ChainLink link_at(const ChainMembers& chain, std::size_t position) {
    const ScanItem& item = *chain.items[position];
    return {position, item.file, item.timestamp_us, item.operator_type, item.operator_name, item.origin, item.op_dump};
}

void count(const ScanItem& item, bool is_after_birth, OverflowChain& chain) {
    if (const std::optional<std::uint64_t>& time = item.timestamp_us) {
        chain.first_us = std::min(chain.first_us.value_or(*time), *time);
        chain.last_us = std::max(chain.last_us.value_or(*time), *time);
    }
    if (chain.model.empty()) {
        chain.model = item.model;
    }
    if (!item.origin) {
        ++chain.not_measured;
        return;
    }
    switch (item.origin->verdict) {
        case OriginVerdict::born_here: ++chain.born_here; break;
        case OriginVerdict::inherited:
            ++chain.inherited;
            chain.inherited_after += is_after_birth ? 1U : 0U;
            break;
        case OriginVerdict::not_visible: ++chain.not_visible; break;
    }
}

OverflowChain chain_of(const ChainMembers& members) {
    OverflowChain chain;
    chain.step = members.key.step;
    chain.rank = members.key.source.rank;
    chain.device_id = members.key.source.device_id;
    chain.folder_time = members.key.source.time;
    chain.model = members.key.model_name.value_or("");
    chain.count = members.items.size();
    for (std::size_t i = 0; i < members.items.size(); ++i) {
        count(*members.items[i], members.first_born && i > *members.first_born, chain);
        if (i < kMostLinks) {
            chain.links.push_back(link_at(members, i));
        }
    }
    if (members.first_bad) {
        chain.first_bad = link_at(members, *members.first_bad);
    }
    if (members.first_born) {
        chain.first_born_here = link_at(members, *members.first_born);
    }
    chain.remarks = remarks_on_chain(members);
    return chain;
}

}  // namespace
}  // namespace scan_stage

inline namespace v0 {

OverflowChains chains_of(const std::vector<ScanItem>& items) {
    std::vector<const ScanItem*> overflowed;
    for (const ScanItem& item : items) {
        if (item.state == DumpState::overflowed) {
            overflowed.push_back(&item);
        }
    }
    const std::vector<scan_stage::ChainMembers> members = scan_stage::members_of_chains(overflowed);
    scan_stage::ComparedChains compared;
    for (const scan_stage::ChainMembers& chain : members) {
        if (scan_stage::is_comparable(chain)) {
            compared[scan_stage::step_of_model(chain)].push_back(&chain);
        }
    }
    OverflowChains found;
    found.count = members.size();
    for (std::size_t i = 0; i < std::min(members.size(), scan_stage::kMostChains); ++i) {
        found.chains.push_back(scan_stage::chain_of(members[i]));
        if (auto remark = scan_stage::remark_on_other_source(members[i], compared)) {
            found.chains.back().remarks.push_back(*std::move(remark));
        }
    }
    return found;
}

}  // namespace v0
}  // namespace opdebug
