#include "scan/chains.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "remarks/diagnose.hpp"
#include "scan/times.hpp"

namespace opdebug::scan_stage {
namespace {

template <class Condition>
std::size_t count_before_first(const ChainMembers& chain, Condition condition) {
    const auto end = chain.items.begin() + static_cast<std::ptrdiff_t>(*chain.first_bad);
    return static_cast<std::size_t>(
        std::count_if(chain.items.begin(), end, [&condition](const ScanItem* item) { return condition(*item); }));
}

void remark_not_measured(const ChainMembers& chain, std::vector<ScanRemark>& remarks) {
    const std::size_t hidden = count_before_first(chain, may_hide_bad_value);
    if (hidden == 0) {
        return;
    }
    const LocalizedText which = *chain.first_bad == 1
                                    ? remarks::phrase("one_dump_before")
                                    : remarks::phrase("dumps_before", {{"count", hidden}, {"all", *chain.first_bad}});
    remarks.push_back(remarks::diagnose("not_measured_before", {{"which", which}}));
}

/// Integers at the ends of their range that come before the first bad value.
void remark_integers(const ChainMembers& chain, std::size_t integers, std::vector<ScanRemark>& remarks) {
    const bool came_in = chain.items[*chain.first_bad]->origin->bad_input;
    remarks.push_back(remarks::diagnose(
        "integers_before",
        {{"count", integers}, {"maybe", came_in ? remarks::phrase("came_from_integers") : LocalizedText()}}));
}

void remark_outside(const ChainMembers& chain, std::vector<ScanRemark>& remarks) {
    const Origin& first = *chain.items[*chain.first_bad]->origin;
    if (first.verdict != OriginVerdict::inherited) {
        return;
    }
    remarks.push_back(remarks::diagnose(first.mask_possible ? "from_outside.mask" : "from_outside"));
}

/// Dumps that may come before the first bad one: those of its time, and those of unknown time.
void remark_order(const ChainMembers& chain, std::vector<ScanRemark>& remarks) {
    const ScanItem& first = *chain.items[*chain.first_bad];
    const auto rivals = std::count_if(chain.items.begin(), chain.items.end(), [&first](const ScanItem* item) {
        const bool shows = first.origin->integers_only ? shows_bad_value(*item) : shows_certain_bad_value(*item);
        const bool may_be_bad = shows || may_hide_bad_value(*item);
        const bool may_be_earlier =
            !first.timestamp_us || !item->timestamp_us || item->timestamp_us == first.timestamp_us;
        return item != &first && may_be_bad && may_be_earlier;
    });
    if (rivals != 0) {
        remarks.push_back(remarks::diagnose("order_by_path", {{"count", rivals}}));
    }
}

/// The known parts of a source; the root only if that of `other` differs.
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
    const std::string root = source.root.empty() ? "." : source.root;
    if (parts.empty()) {
        return {root, root};
    }
    LocalizedText shown = remarks::joined(parts, {", ", "，"});
    return source.root == other.root ? shown : remarks::phrase("source_below", {{"source", shown}, {"root", root}});
}

/// The chains of one step and model over all sources, which can be compared. Models by the name in the path as groups
/// show it: their ids, and times in their names, are those of a process.
using StepOfModel = std::pair<std::uint64_t, std::string>;

const ScanItem& first_bad_of(const ChainMembers& chain) {
    return *chain.items[*chain.first_bad];
}

/// How much later the first bad value of `chain` is. Clocks of two sources may differ by a second.
std::int64_t later(const ChainMembers& chain, const ChainMembers& than) {
    return time_difference(*first_bad_of(chain).timestamp_us, *first_bad_of(than).timestamp_us);
}

/// `chains`: those of the same step, from all sources.
std::vector<ScanRemark> remarks_on_earliest(const ChainMembers& earliest,
                                            const std::vector<const ChainMembers*>& chains) {
    constexpr std::size_t kMostNames = 3;
    std::size_t count = 0;
    std::vector<LocalizedText> names;
    for (const ChainMembers* const chain : chains) {
        const std::int64_t difference = later(*chain, earliest);
        if (chain->key.source == earliest.key.source || difference > kOneSecond) {
            continue;
        }
        if (++count <= kMostNames) {
            names.push_back(remarks::phrase(
                "within_one_second",
                {{"source", show_source(chain->key.source, earliest.key.source)}, {"when", show_later(difference)}}));
        }
    }
    if (count == 0) {
        return {};
    }
    LocalizedText shown = remarks::joined(names, {"; ", "；"});
    if (count > kMostNames) {
        shown = remarks::joined({shown, remarks::phrase("and_more", {{"count", count - kMostNames}})}, {});
    }
    return {remarks::diagnose("first_bad_uncertain", {{"names", shown}})};
}

std::vector<ScanRemark> remarks_on_later(const ChainMembers& chain, const ChainMembers& earliest) {
    if (chain.key.source == earliest.key.source) {
        return {};  // another model's chain of the same clock: the times in both show the order
    }
    const LocalizedText source = show_source(earliest.key.source, chain.key.source);
    const LocalizedText when = show_later(-later(chain, earliest));
    if (later(chain, earliest) <= kOneSecond) {
        return {remarks::diagnose("first_bad_uncertain.within_second", {{"source", source}, {"when", when}})};
    }
    const bool came_in = first_bad_of(chain).origin->verdict != OriginVerdict::born_here;
    return {remarks::diagnose("bad_value_elsewhere.earlier",
                              {{"source", source},
                               {"when", when},
                               {"maybe", came_in ? remarks::phrase("came_from_there") : LocalizedText()}})};
}

}  // namespace

std::vector<ScanRemark> remarks_on_chain(const ChainMembers& chain) {
    std::vector<ScanRemark> remarks;
    if (!chain.key.step && chain.items.size() > 1) {
        remarks.push_back(remarks::diagnose("step_unknown"));
    }
    if (!chain.first_bad) {
        return remarks;
    }
    if (const std::size_t integers = count_before_first(chain, shows_bad_value); integers != 0) {
        remark_integers(chain, integers, remarks);
    } else {
        remark_outside(chain, remarks);
    }
    remark_not_measured(chain, remarks);
    remark_order(chain, remarks);
    return remarks;
}

std::vector<std::vector<ScanRemark>> remarks_across_sources(const std::vector<ChainMembers>& chains,
                                                            std::size_t count) {
    std::map<StepOfModel, std::vector<const ChainMembers*>> by_step;
    for (const ChainMembers& chain : chains) {
        const ScanItem* const first = chain.first_bad ? &first_bad_of(chain) : nullptr;
        const bool has_time = first != nullptr && first->timestamp_us && is_plausible(*first->timestamp_us);
        if (chain.key.step && has_time && shows_certain_bad_value(*first)) {
            by_step[{*chain.key.step, model_in_groups(chain.key.model_name.value_or(""))}].push_back(&chain);
        }
    }
    std::vector<std::vector<ScanRemark>> remarks(std::min(count, chains.size()));
    for (const auto& [step, same_step] : by_step) {
        const ChainMembers& earliest =
            **std::min_element(same_step.begin(), same_step.end(),
                               [](const ChainMembers* a, const ChainMembers* b) { return later(*a, *b) < 0; });
        for (const ChainMembers* const chain : same_step) {
            const auto index = static_cast<std::size_t>(chain - chains.data());
            if (index < remarks.size()) {
                remarks[index] =
                    chain == &earliest ? remarks_on_earliest(earliest, same_step) : remarks_on_later(*chain, earliest);
            }
        }
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
