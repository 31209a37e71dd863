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

/// Compares the first bad values of the chains of one step. Clocks of two sources may differ by a second.
class SourceComparison {
public:
    SourceComparison(const std::vector<ChainMembers>& chains, const std::vector<std::size_t>& same_step)
        : chains_(chains), same_step_(same_step), earliest_(same_step.front()) {
        for (const std::size_t index : same_step) {
            earliest_ = time_of(index) < time_of(earliest_) ? index : earliest_;
        }
    }

    std::vector<ScanRemark> remarks_on(std::size_t index) const {
        return index == earliest_ ? on_earliest() : on_later(index);
    }

private:
    std::uint64_t time_of(std::size_t index) const {
        const ChainMembers& chain = chains_[index];
        return *chain.items[*chain.first_bad]->timestamp_us;
    }
    const DumpSource& source(std::size_t index) const { return chains_[index].key.source; }
    /// How much later the bad value is than the earliest one.
    std::int64_t later(std::size_t index) const { return time_difference(time_of(index), time_of(earliest_)); }

    std::vector<ScanRemark> on_earliest() const {
        constexpr std::size_t kMostNames = 3;
        std::size_t count = 0;
        std::vector<LocalizedText> names;
        for (const std::size_t index : same_step_) {
            if (source(index) == source(earliest_) || later(index) > kOneSecond) {
                continue;
            }
            if (++count <= kMostNames) {
                names.push_back(remarks::phrase(
                    "within_one_second",
                    {{"source", show_source(source(index), source(earliest_))}, {"when", show_later(later(index))}}));
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

    std::vector<ScanRemark> on_later(std::size_t index) const {
        if (source(index) == source(earliest_)) {
            return {};  // another model's chain of the same clock: the times in both show the order
        }
        const LocalizedText earlier = show_source(source(earliest_), source(index));
        const LocalizedText when = show_later(-later(index));
        if (later(index) <= kOneSecond) {
            return {remarks::diagnose("first_bad_uncertain.within_second", {{"source", earlier}, {"when", when}})};
        }
        const ChainMembers& chain = chains_[index];
        const bool came_in = chain.items[*chain.first_bad]->origin->verdict != OriginVerdict::born_here;
        return {remarks::diagnose("bad_value_elsewhere.earlier",
                                  {{"source", earlier},
                                   {"when", when},
                                   {"maybe", came_in ? remarks::phrase("came_from_there") : LocalizedText()}})};
    }

    const std::vector<ChainMembers>& chains_;
    const std::vector<std::size_t>& same_step_;
    std::size_t earliest_;
};

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
    std::map<StepOfModel, std::vector<std::size_t>> by_step;
    for (std::size_t i = 0; i < chains.size(); ++i) {
        const ChainMembers& chain = chains[i];
        const ScanItem* const first = chain.first_bad ? chain.items[*chain.first_bad] : nullptr;
        const bool has_time = first != nullptr && first->timestamp_us && is_plausible(*first->timestamp_us);
        if (chain.key.step && has_time && shows_certain_bad_value(*first)) {
            by_step[{*chain.key.step, model_in_groups(chain.key.model_name.value_or(""))}].push_back(i);
        }
    }
    std::vector<std::vector<ScanRemark>> remarks(std::min(count, chains.size()));
    for (const auto& [step, same_step] : by_step) {
        const SourceComparison comparison(chains, same_step);
        for (const std::size_t index : same_step) {
            if (index < remarks.size()) {
                remarks[index] = comparison.remarks_on(index);
            }
        }
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
