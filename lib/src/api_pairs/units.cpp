#include "api_pairs/units.hpp"

#include <algorithm>
#include <atomic>
#include <set>

#include "api_culprits/file_judge.hpp"
#include "bytes/each_in_parallel.hpp"

namespace opdebug::api_pairs {
namespace {

constexpr std::size_t kMostBreaks = 8;
constexpr std::size_t kMostNames = 10;

/// One side of a unit while it is paired.
struct UnitCalls {
    Calls calls;
    bool is_known = false;

    void read(const std::vector<std::size_t>& indices, bool keeps_calls, api_culprits::Remarks remarks,
              const ApiOptions& options, SideDumps& side) {
        calls.clear();
        is_known = !indices.empty();
        for (const std::size_t i : indices) {
            auto& facts = side.facts[i];
            facts = api_culprits::judge_file(side.list.files[i], options, remarks,
                                             [&](const api_culprits::Call& call, ApiEntry&& entry) {
                                                 if (keeps_calls) {
                                                     calls.push_back(side_call(call, std::move(entry), i));
                                                 }
                                             });
            is_known = is_known && facts->ok() && (*facts)->file.complete && (*facts)->has_statistics;
        }
    }
};

std::uint64_t entries_of(const std::vector<std::size_t>& files, const SideDumps& side) {
    std::uint64_t entries = 0;
    for (const std::size_t i : files) {
        entries += side.facts[i]->ok() ? (*side.facts[i])->file.entries : 0;
    }
    return entries;
}

class UnitPairs {
public:
    UnitPairs(const Calls& here, const Calls& there, const SideDumps& side_here, const SideDumps& side_there,
              Unit& unit)
        : here_(here), there_(there), side_here_(side_here), side_there_(side_there), unit_(unit) {
        for (const std::size_t i : unit.here) {
            if (!side_here.facts[i]->ok()) {
                continue;
            }
            for (const api_culprits::DraftFinding& draft : (*side_here.facts[i])->drafts) {
                findings_.emplace(i, draft.finding.position);
            }
        }
    }

    void run() {
        const bool frameworks_differ = !here_.empty() && !there_.empty() && are_of_two(here_.front(), there_.front());
        const auto partners = pair_calls(here_, there_, frameworks_differ);
        std::uint64_t paired = 0;
        std::vector<bool> has_partner(there_.size());
        for (std::size_t i = 0; i < partners.size(); ++i) {
            note_call(here_[i].entry);
            if (partners[i]) {
                ++paired;
                has_partner[partners[i]->call] = true;
                unpaired_ = 0;
                look_at(here_[i], there_[partners[i]->call], partners[i]->by_order);
            } else {
                add_unpaired(i);
            }
        }
        unit_.counts.only_there = there_.size() - paired;
        unit_.different += unit_.counts.only_here + unit_.counts.only_there;
        for (std::size_t i = 0; i < there_.size() && unit_.only_there.size() < kMostNames; ++i) {
            if (!has_partner[i]) {
                unit_.only_there.emplace_back(there_[i].entry.name);
            }
        }
    }

private:
    void note_call(const ApiEntry& call) {
        unit_.has_backward = unit_.has_backward || call.phase == ApiPhase::backward;
        unit_.has_gradients = unit_.has_gradients || call.phase == ApiPhase::parameters_grad;
        unit_.last_position = call.position;
    }

    bool is_finding(const SideCall& call) const { return findings_.contains({call.file, call.entry.position}); }

    const std::string& file_of(const SideCall& call) const { return side_here_.list.files[call.file].file; }

    CallKey key_here(const SideCall& call) const { return {file_of(call), call.entry.position}; }

    CallKey key_there(const SideCall& call) const {
        return {side_there_.list.files[call.file].file, call.entry.position};
    }

    void add_unpaired(std::size_t index) {
        const SideCall& call = here_[index];
        ++unit_.counts.only_here;
        if (unit_.only_here.size() < kMostNames) {
            unit_.only_here.emplace_back(call.entry.name);
        }
        run_begin_ = unpaired_++ == 0 ? index : run_begin_;
        if (unit_.unpaired_run.empty() && unpaired_ >= static_cast<std::uint64_t>(rule("unpaired_run"))) {
            unit_.unpaired_run = here_[run_begin_].entry.name;
        }
        if (is_finding(call)) {
            unit_.findings[key_here(call)] = {};
        }
    }

    /// Functions of other frameworks may differ under the same name.
    bool are_of_two(const SideCall& here, const SideCall& there) const {
        const auto framework_of = [](const SideCall& call, const SideDumps& side) {
            const auto& facts = side.facts[call.file];
            return facts->ok() ? (*facts)->file.framework : ApiFramework::unknown;
        };
        return framework_of(here, side_here_) != framework_of(there, side_there_);
    }

    /// A backward depends on values that its forward saved: they have to agree.
    bool has_other_twin(const SideCall& call) const {
        return call.entry.phase == ApiPhase::backward &&
               !like_.contains({call.entry.api, call.entry.count.value_or(0)});
    }

    void look_at(const SideCall& call, const SideCall& partner, bool by_order) {
        PairedCall pair;
        pair.is_module = call.entry.is_module;
        pair.has_partner = true;
        pair.by_order = by_order || are_of_two(call, partner);
        pair.is_random = is_random(call.entry);
        pair.twin_differs = has_other_twin(call);
        pair.values = compare_calls(call, partner);
        ++(pair.values.is_compared ? unit_.counts.paired : unit_.counts.not_comparable);
        note_states(call, partner, pair.values);
        if (unit_.other_shapes.empty() && call.shapes != partner.shapes && call.entry.api == partner.entry.api) {
            unit_.other_shapes = call.entry.name;
        }
        if (call.entry.phase == ApiPhase::forward && pair.values.inputs == Agreement::agree && !pair.is_random &&
            pair.values.outputs == Agreement::agree) {
            like_.insert({call.entry.api, call.entry.count.value_or(0)});
        }
        note_first_inputs(call, pair);
        const bool is_break = is_value_break(call, pair);
        if (!is_break && !is_finding(call)) {
            return;
        }
        pair.api = call.entry.name;
        pair.file = file_of(call);
        pair.position = call.entry.position;
        pair.partner = partner.entry.name;
        pair.partner_file = side_there_.list.files[partner.file].file;
        pair.compared = compared_values(call, partner);
        if (is_break) {
            unit_.breaks.push_back(pair);
        }
        if (is_finding(call)) {
            unit_.findings[key_here(call)] = std::move(pair);
        }
    }

    void note_states(const SideCall& call, const SideCall& other, const CallPair& values) {
        if (values.any_bad_here || values.any_agreed) {
            unit_.bad_here[key_here(call)] = {values.any_bad_here, values.any_here_only};
        }
        if (values.any_bad_there || values.any_agreed) {
            unit_.bad_there[key_there(other)] = {values.any_bad_there, values.any_there_only};
        }
        unit_.different += values.outputs != Agreement::agree || values.inputs == Agreement::apart ? 1U : 0U;
        if (!values.results_known && unit_.without_values.empty()) {
            unit_.without_values = call.entry.name;
        }
    }

    void note_first_inputs(const SideCall& call, const PairedCall& pair) {
        const bool is_first = !seen_inputs_ && pair.values.inputs_compared != 0;
        seen_inputs_ = seen_inputs_ || is_first;
        if (is_first && pair.values.inputs == Agreement::apart && !pair.is_random && !pair.by_order) {
            unit_.inputs_apart = call.entry.name;
        }
    }

    bool is_value_break(const SideCall& call, const PairedCall& pair) const {
        const CallPair& values = pair.values;
        if (values.output < Distance::apart || values.inputs != Agreement::agree || values.inputs_compared == 0 ||
            !call.may_break_by_values || pair.is_random || pair.twin_differs || unit_.breaks.size() >= kMostBreaks) {
            return false;
        }
        const double least = rule("ratio") * std::max(values.input_difference.value_or(0), rule("smallest_input"));
        const bool is_cancelled = may_cancel(call.entry.api) && values.output_gap <= rule("same") * values.input_size;
        return values.output_difference.value_or(least) >= least && !is_cancelled;
    }

    const Calls& here_;
    const Calls& there_;
    const SideDumps& side_here_;
    const SideDumps& side_there_;
    Unit& unit_;
    using Numbered = std::pair<std::string, std::uint64_t>;  ///< API and number of a call
    std::set<std::pair<std::size_t, std::uint64_t>> findings_;
    std::set<Numbered> like_;  ///< forwards with equal values on both sides
    std::uint64_t unpaired_ = 0;
    std::size_t run_begin_ = 0;
    bool seen_inputs_ = false;
};

}  // namespace

void read_units(SideDumps& here, SideDumps& there, const ApiOptions& options, std::vector<Unit>& units) {
    here.facts.resize(here.list.files.size());
    there.facts.resize(there.list.files.size());
    std::atomic<std::size_t> next{0};
    using api_culprits::Remarks;
    const unsigned threads = api_culprits::threads_of(options, units.size());
    const unsigned of_both = api_culprits::threads_of(options, 2 * units.size());
    bytes::each_in_parallel(threads, threads, [&](std::size_t) {
        UnitCalls calls, bench_calls;
        for (std::size_t i = next++; i < units.size(); i = next++) {
            Unit& unit = units[i];
            const bool has_both = !unit.is_ambiguous && !unit.here.empty() && !unit.there.empty();
            bytes::each_in_parallel(2, of_both / threads, [&](std::size_t side) {
                side == 0 ? calls.read(unit.here, has_both, Remarks::all, options, here)
                          : bench_calls.read(unit.there, has_both, Remarks::of_verdicts, options, there);
            });
            unit.is_known_here = calls.is_known && !unit.is_ambiguous;
            unit.is_known_there = bench_calls.is_known && !unit.is_ambiguous;
            if (has_both) {
                UnitPairs(calls.calls, bench_calls.calls, here, there, unit).run();
            } else {
                unit.counts.only_here = entries_of(unit.here, here);
                unit.counts.only_there = entries_of(unit.there, there);
            }
        }
    });
}

}  // namespace opdebug::api_pairs
