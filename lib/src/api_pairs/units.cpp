#include "api_pairs/units.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <unordered_set>

#include <boost/container_hash/hash.hpp>

#include "api_culprits/file_judge.hpp"
#include "bytes/each_in_parallel.hpp"

namespace opdebug::api_pairs {
namespace {

constexpr std::size_t kMostBreaks = 8;
constexpr std::size_t kMostNames = 10;

/// One side of a unit while it is paired.
struct UnitCalls {
    CallTable table;
    bool is_known = false;

    void read(const std::vector<std::size_t>& indices, bool keeps_calls, api_culprits::Remarks remarks,
              const ApiOptions& options, SideDumps& side) {
        table.clear();
        is_known = !indices.empty();
        for (const std::size_t i : indices) {
            auto& facts = side.facts[i];
            facts = api_culprits::judge_file(side.list.files[i], options, remarks, [&](const api_culprits::Call& call) {
                if (keeps_calls) {
                    table.add(call, i);
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
    UnitPairs(const CallTable& here, const CallTable& there, const SideDumps& side_here, const SideDumps& side_there,
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
        const Calls calls = here_.calls(), others = there_.calls();
        const bool frameworks_differ = !calls.empty() && !others.empty() && are_of_two(calls.front(), others.front());
        const auto partners = pair_calls(calls, others, frameworks_differ);
        std::uint64_t paired = 0;
        std::vector<bool> has_partner(others.size());
        for (std::size_t i = 0; i < partners.size(); ++i) {
            note_call(calls[i]);
            if (partners[i]) {
                ++paired;
                has_partner[partners[i]->call] = true;
                unpaired_ = 0;
                look_at(calls[i], others[partners[i]->call], partners[i]->by_order);
            } else {
                add_unpaired(i);
            }
        }
        unit_.counts.only_there = others.size() - paired;
        unit_.different += unit_.counts.only_here + unit_.counts.only_there;
        for (std::size_t i = 0; i < others.size() && unit_.only_there.size() < kMostNames; ++i) {
            if (!has_partner[i]) {
                unit_.only_there.emplace_back(there_.name_of(others[i]));
            }
        }
    }

private:
    void note_call(const CallFacts& call) {
        unit_.has_backward = unit_.has_backward || call.phase == ApiPhase::backward;
        unit_.has_gradients = unit_.has_gradients || call.phase == ApiPhase::parameters_grad;
        unit_.last_position = call.position;
    }

    bool is_finding(const CallFacts& call) const { return findings_.contains({call.file, call.position}); }

    const std::string& file_of(const CallFacts& call) const { return side_here_.list.files[call.file].file; }

    CallKey key_here(const CallFacts& call) const { return {file_of(call), call.position}; }

    CallKey key_there(const CallFacts& call) const { return {side_there_.list.files[call.file].file, call.position}; }

    void add_unpaired(std::size_t index) {
        const CallFacts& call = here_.calls()[index];
        ++unit_.counts.only_here;
        if (unit_.only_here.size() < kMostNames) {
            unit_.only_here.emplace_back(here_.name_of(call));
        }
        run_begin_ = unpaired_++ == 0 ? index : run_begin_;
        if (unit_.unpaired_run.empty() && unpaired_ >= static_cast<std::uint64_t>(rule("unpaired_run"))) {
            unit_.unpaired_run = here_.name_of(here_.calls()[run_begin_]);
        }
        if (is_finding(call)) {
            unit_.findings[key_here(call)] = {};
        }
    }

    /// Functions of other frameworks may differ under the same name.
    bool are_of_two(const CallFacts& here, const CallFacts& there) const {
        const auto framework_of = [](const CallFacts& call, const SideDumps& side) {
            const auto& facts = side.facts[call.file];
            return facts->ok() ? (*facts)->file.framework : ApiFramework::unknown;
        };
        return framework_of(here, side_here_) != framework_of(there, side_there_);
    }

    /// A backward depends on values that its forward saved: they have to agree.
    bool has_other_twin(const CallFacts& call) const {
        return call.phase == ApiPhase::backward && !like_.contains({call.api, call.count.value_or(0)});
    }

    void look_at(const CallFacts& call, const CallFacts& partner, bool by_order) {
        PairedCall pair;
        pair.is_module = call.is_module;
        pair.has_partner = true;
        pair.by_order = by_order || are_of_two(call, partner);
        pair.is_random = call.is_random;
        pair.twin_differs = has_other_twin(call);
        pair.values = compare_calls(call, partner);
        ++(pair.values.is_compared ? unit_.counts.paired : unit_.counts.not_comparable);
        note_states(call, partner, pair.values);
        if (unit_.other_shapes.empty() && call.shapes != partner.shapes && call.api == partner.api) {
            unit_.other_shapes = here_.name_of(call);
        }
        if (unit_.differs_below.empty() && pair.values.differs_below && !pair.is_random) {
            unit_.differs_below = here_.name_of(call);
        }
        if (call.phase == ApiPhase::forward && pair.values.inputs == Agreement::agree && !pair.is_random &&
            pair.values.outputs == Agreement::agree) {
            like_.insert({call.api, call.count.value_or(0)});
        }
        note_first_inputs(call, pair);
        const bool is_break = is_value_break(call, pair);
        if (!is_break && !is_finding(call)) {
            return;
        }
        pair.api = here_.name_of(call);
        pair.file = file_of(call);
        pair.position = call.position;
        pair.partner = there_.name_of(partner);
        pair.partner_file = side_there_.list.files[partner.file].file;
        pair.partner_position = partner.position;
        if (is_break) {
            unit_.breaks.push_back(pair);
        }
        if (is_finding(call)) {
            unit_.findings[key_here(call)] = std::move(pair);
        }
    }

    void note_states(const CallFacts& call, const CallFacts& other, const CallPair& values) {
        if (values.any_bad_here || values.any_agreed) {
            unit_.bad_here[key_here(call)] = {values.any_bad_here, values.any_here_only};
        }
        if (values.any_bad_there || values.any_agreed) {
            unit_.bad_there[key_there(other)] = {values.any_bad_there, values.any_there_only};
        }
        unit_.different += values.outputs != Agreement::agree || values.inputs == Agreement::apart ? 1U : 0U;
        if (!values.results_known && unit_.without_values.empty()) {
            unit_.without_values = here_.name_of(call);
        }
    }

    void note_first_inputs(const CallFacts& call, const PairedCall& pair) {
        const bool is_first = !seen_inputs_ && pair.values.inputs_compared != 0;
        seen_inputs_ = seen_inputs_ || is_first;
        if (is_first && pair.values.inputs == Agreement::apart && !pair.is_random && !pair.by_order) {
            unit_.inputs_apart = here_.name_of(call);
        }
    }

    bool is_value_break(const CallFacts& call, const PairedCall& pair) const {
        const CallPair& values = pair.values;
        if (values.output < Distance::apart || values.inputs != Agreement::agree || values.inputs_compared == 0 ||
            !call.may_break_by_values || pair.is_random || pair.twin_differs || unit_.breaks.size() >= kMostBreaks) {
            return false;
        }
        const double least = rule("ratio") * std::max(values.input_difference.value_or(0), rule("smallest_input"));
        const bool is_cancelled = call.may_cancel && values.output_gap <= rule("same") * values.input_size;
        return values.output_difference.value_or(least) >= least && !is_cancelled;
    }

    const CallTable& here_;
    const CallTable& there_;
    const SideDumps& side_here_;
    const SideDumps& side_there_;
    Unit& unit_;
    using Numbered = std::pair<std::uint64_t, std::uint64_t>;  ///< API and number of a call
    std::set<std::pair<std::size_t, std::uint64_t>> findings_;
    std::unordered_set<Numbered, boost::hash<Numbered>> like_;  ///< forwards with equal values on both sides
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
                UnitPairs(calls.table, bench_calls.table, here, there, unit).run();
            } else {
                unit.counts.only_here = entries_of(unit.here, here);
                unit.counts.only_there = entries_of(unit.there, there);
            }
        }
    });
}

}  // namespace opdebug::api_pairs
