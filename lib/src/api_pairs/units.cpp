#include "api_pairs/units.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <string_view>
#include <tuple>

#include "api_culprits/file_judge.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_dump/dump_files.hpp"
#include "api_pairs/pair_rules.hpp"
#include "bytes/each_in_parallel.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_pairs {
namespace {

constexpr std::size_t kBreaksKept = 8;
constexpr std::size_t kNamesKept = 10;
constexpr std::size_t kValuesKept = 16;

/// A rank, or a process without one.
using Cell = std::pair<Number, Number>;
using Cells = std::map<Cell, std::vector<std::size_t>>;
using Steps = std::map<Number, Cells>;

Steps steps_of(const SideDumps& side) {
    Steps steps;
    for (std::size_t i = 0; i < side.found.files.size(); ++i) {
        ApiFile file;
        file.source = side.found.files[i].source.value_or(ApiSource::msprobe);
        api_dump::read_location(side.found.files[i].file, file);
        steps[file.step][{file.rank, file.rank ? std::nullopt : file.process}].push_back(i);
    }
    return steps;
}

/// Empty: unknown, or below 0.
Number shifted(const Number& step, std::int64_t offset) {
    const bool is_below = step && offset < 0 && *step < static_cast<std::uint64_t>(-offset);
    return step && !is_below ? Number(*step + static_cast<std::uint64_t>(offset)) : std::nullopt;
}

/// Pairs the ranks of one step by number; unknown ranks only if each side has one.
void add_units(const Number& step, const Number& bench_step, const Cells& here, const Cells& there,
               std::vector<Unit>& units) {
    const bool any_unknown =
        here.size() == 1 && there.size() == 1 && (!here.begin()->first.first || !there.begin()->first.first);
    std::set<Cell> cells;
    for (const Cells* const side : {&here, &there}) {
        for (const auto& cell : *side) {
            cells.insert(cell.first);
        }
    }
    for (const Cell& cell : any_unknown ? std::set<Cell>{here.begin()->first} : cells) {
        Unit unit;
        unit.step = step;
        unit.bench_step = bench_step;
        unit.rank = cell.first;
        const auto own = here.find(cell), other = any_unknown ? there.begin() : there.find(cell);
        unit.here = own == here.end() ? std::vector<std::size_t>() : own->second;
        unit.there = other == there.end() ? std::vector<std::size_t>() : other->second;
        units.push_back(std::move(unit));
    }
}

/// Whether two files of a side are the same part of a dump.
bool has_twice(const std::vector<std::size_t>& files, const SideDumps& side) {
    std::set<std::string> names;
    return std::any_of(files.begin(), files.end(), [&](std::size_t i) {
        return !names.insert(std::filesystem::path(side.found.files[i].file).filename().string()).second;
    });
}

/// The calls of one side of a unit. The next unit uses their memory again, because allocating it takes long.
struct UnitCalls {
    std::vector<ApiEntry> memory;
    std::vector<std::size_t> files;  ///< index of each call's file
    bool is_known = false;

    Calls calls() const { return {memory.data(), files.size()}; }

    void read(const std::vector<std::size_t>& indices, bool keeps_calls, const ApiOptions& options, SideDumps& side) {
        files.clear();
        is_known = !indices.empty();
        for (const std::size_t i : indices) {
            auto& facts = side.facts[i];
            facts = api_culprits::judge_file(side.found.files[i], options, [&](ApiEntry&& entry) {
                if (keeps_calls) {
                    memory.resize(std::max(memory.size(), files.size() + 1));
                    std::swap(memory[files.size()], entry);
                    files.push_back(i);
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

/// Values for a report: those that differ most.
void shorten(std::vector<ValuePair>& values) {
    std::stable_sort(values.begin(), values.end(), [](const ValuePair& a, const ValuePair& b) {
        return std::tuple(b.bad_here_only, b.distance, b.difference.value_or(0)) <
               std::tuple(a.bad_here_only, a.distance, a.difference.value_or(0));
    });
    values.resize(std::min(values.size(), kValuesKept));
}

class UnitPairs {
public:
    UnitPairs(const UnitCalls& here, const UnitCalls& there, const SideDumps& side_here, const SideDumps& side_there,
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
        const bool frameworks_differ = !here_.files.empty() && !there_.files.empty() &&
                                       framework_of(here_, 0, side_here_) != framework_of(there_, 0, side_there_);
        const auto partners = pair_calls(here_.calls(), there_.calls(), frameworks_differ);
        std::uint64_t paired = 0;
        std::vector<bool> has_partner(there_.calls().size());
        for (std::size_t i = 0; i < partners.size(); ++i) {
            note_call(i);
            if (partners[i]) {
                ++paired;
                has_partner[partners[i]->call] = true;
                unpaired_ = 0;
                look_at(i, *partners[i]);
            } else {
                add_unpaired(i);
            }
        }
        unit_.counts.only_there = there_.calls().size() - paired;
        unit_.different += unit_.counts.only_here + unit_.counts.only_there;
        for (std::size_t i = 0; i < there_.calls().size() && unit_.only_there.size() < kNamesKept; ++i) {
            if (!has_partner[i]) {
                unit_.only_there.push_back(there_.calls()[i].name);
            }
        }
    }

private:
    void note_call(std::size_t call) {
        const ApiEntry& entry = here_.calls()[call];
        unit_.has_backward = unit_.has_backward || entry.phase == ApiPhase::backward;
        unit_.has_gradients = unit_.has_gradients || entry.phase == ApiPhase::parameters_grad;
        unit_.last_call = entry.name;
        unit_.last_position = entry.position;
    }

    bool is_finding(std::size_t call) const {
        return findings_.contains({here_.files[call], here_.calls()[call].position});
    }

    const std::string& file_of(std::size_t call) const { return side_here_.found.files[here_.files[call]].file; }

    CallKey key_here(std::size_t call) const { return {file_of(call), here_.calls()[call].position}; }

    CallKey key_there(std::size_t call) const {
        return {side_there_.found.files[there_.files[call]].file, there_.calls()[call].position};
    }

    void add_unpaired(std::size_t call) {
        const ApiEntry& entry = here_.calls()[call];
        ++unit_.counts.only_here;
        if (unit_.only_here.size() < kNamesKept) {
            unit_.only_here.push_back(entry.name);
        }
        run_begin_ = unpaired_++ == 0 ? call : run_begin_;
        if (unit_.unpaired_run.empty() && unpaired_ >= static_cast<std::uint64_t>(rule("unpaired_run"))) {
            unit_.unpaired_run = here_.calls()[run_begin_].name;
        }
        if (is_finding(call)) {
            unit_.findings[key_here(call)] = {};
        }
    }

    Side side_of(const UnitCalls& calls, std::size_t call, const SideDumps& side) const {
        const std::optional<ApiSource>& source = side.found.files[calls.files[call]].source;
        return {calls.calls()[call], unit_.rank, source == ApiSource::statistic_csv};
    }

    /// Functions of other frameworks may differ under the same name.
    static ApiFramework framework_of(const UnitCalls& calls, std::size_t call, const SideDumps& side) {
        const auto& facts = side.facts[calls.files[call]];
        return facts->ok() ? (*facts)->file.framework : ApiFramework::unknown;
    }

    /// A backward depends on values that its forward saved: they have to agree.
    bool has_other_twin(const ApiEntry& entry) const {
        return entry.phase == ApiPhase::backward && !like_.contains({entry.api, entry.count.value_or(0)});
    }

    void look_at(std::size_t call, const Partner& partner) {
        const ApiEntry& entry = here_.calls()[call];
        FindingPair pair;
        pair.has_partner = true;
        pair.by_order = partner.by_order ||
                        framework_of(here_, call, side_here_) != framework_of(there_, partner.call, side_there_);
        pair.is_random = is_random(entry);
        pair.twin_differs = has_other_twin(entry);
        const Side here = side_of(here_, call, side_here_), there = side_of(there_, partner.call, side_there_);
        pair.values = compare_calls(here, there, false);
        ++(pair.values.is_compared ? unit_.counts.paired : unit_.counts.not_comparable);
        note_states(call, partner.call, pair.values);
        if (entry.phase == ApiPhase::forward && pair.values.inputs == Agreement::agree && !pair.is_random &&
            pair.values.outputs == Agreement::agree) {
            like_.insert({entry.api, entry.count.value_or(0)});
        }
        note_first_inputs(entry, pair);
        const bool is_break = is_value_break(entry, pair);
        if (!is_break && !is_finding(call)) {
            return;
        }
        pair.values = compare_calls(here, there, true);
        pair.partner = there_.calls()[partner.call].name;
        pair.partner_file = side_there_.found.files[there_.files[partner.call]].file;
        shorten(pair.values.input_values);
        shorten(pair.values.output_values);
        if (is_break) {
            unit_.breaks.push_back({entry.name, file_of(call), entry.position, entry.is_module, pair});
        }
        if (is_finding(call)) {
            unit_.findings[key_here(call)] = std::move(pair);
        }
    }

    void note_states(std::size_t call, std::size_t other, const CallPair& values) {
        if (values.any_bad_here || values.any_agreed) {
            unit_.bad_here[key_here(call)] = values.any_bad_here;
        }
        if (values.any_bad_there || values.any_agreed) {
            unit_.bad_there[key_there(other)] = values.any_bad_there;
        }
        if (values.any_here_only) {
            unit_.only_bad_here.insert(key_here(call));
        }
        if (values.any_there_only) {
            unit_.only_bad_there.insert(key_there(other));
        }
        unit_.different += values.outputs != Agreement::agree || values.inputs == Agreement::apart ? 1U : 0U;
        if (!values.results_known && unit_.without_values.empty()) {
            unit_.without_values = here_.calls()[call].name;
        }
    }

    void note_first_inputs(const ApiEntry& entry, const FindingPair& pair) {
        const bool is_first = !seen_inputs_ && pair.values.inputs_compared != 0;
        seen_inputs_ = seen_inputs_ || is_first;
        if (is_first && pair.values.inputs == Agreement::apart && !pair.is_random && !pair.by_order) {
            unit_.inputs_apart = entry.name;
        }
    }

    bool is_value_break(const ApiEntry& entry, const FindingPair& pair) const {
        const CallPair& values = pair.values;
        const double least = rule("ratio") * std::max(values.input_difference.value_or(0), rule("smallest_input"));
        if (values.output < Distance::apart || values.inputs != Agreement::agree || values.inputs_compared == 0 ||
            unit_.breaks.size() >= kBreaksKept || values.output_difference.value_or(least) < least) {
            return false;
        }
        if (may_cancel(api_culprits::function_of(entry.api)) && values.output_gap <= rule("same") * values.input_size) {
            return false;
        }
        return (entry.phase == ApiPhase::forward || entry.phase == ApiPhase::backward) && !pair.is_random &&
               !pair.twin_differs && !api_culprits::leaves_memory_as_it_is(api_culprits::function_of(entry.api)) &&
               api_culprits::communication_api(entry.api) == nullptr;
    }

    const UnitCalls& here_;
    const UnitCalls& there_;
    const SideDumps& side_here_;
    const SideDumps& side_there_;
    Unit& unit_;
    std::set<std::pair<std::size_t, std::uint64_t>> findings_;
    std::set<std::pair<std::string_view, std::uint64_t>> like_;  ///< forwards with equal values on both sides
    std::uint64_t unpaired_ = 0;
    std::size_t run_begin_ = 0;
    bool seen_inputs_ = false;
};

}  // namespace

std::vector<Unit> units_of(const SideDumps& here, const SideDumps& there, std::int64_t step_offset,
                           std::vector<Diagnostic>& diagnostics) {
    const Steps steps = steps_of(here), bench_steps = steps_of(there);
    const bool is_one = steps.size() == 1 && bench_steps.size() == 1;
    if (is_one && shifted(steps.begin()->first, step_offset) != bench_steps.begin()->first) {
        diagnostics.push_back(remarks::diagnose("bench_steps_assumed"));
    }
    std::vector<Unit> units;
    std::set<Number> used;
    const Cells none;
    for (const auto& [step, cells] : steps) {
        const Number wanted = shifted(step, step_offset);
        const auto other = is_one ? bench_steps.begin() : bench_steps.find(wanted);
        const bool is_there = other != bench_steps.end() && (is_one || wanted.has_value() == step.has_value());
        add_units(step, is_there ? other->first : wanted, cells, is_there ? other->second : none, units);
        if (is_there) {
            used.insert(other->first);
        }
    }
    for (const auto& [step, cells] : bench_steps) {
        if (!used.contains(step)) {
            add_units(shifted(step, -step_offset), step, none, cells, units);
        }
    }
    std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
        return std::tuple(!a.step, a.step, !a.rank, a.rank) < std::tuple(!b.step, b.step, !b.rank, b.rank);
    });
    for (Unit& unit : units) {
        unit.is_ambiguous = has_twice(unit.here, here) || has_twice(unit.there, there);
    }
    return units;
}

void read_units(SideDumps& here, SideDumps& there, const ApiOptions& options, std::vector<Unit>& units) {
    here.facts.resize(here.found.files.size());
    there.facts.resize(there.found.files.size());
    std::atomic<std::size_t> next{0};
    const unsigned threads = api_culprits::threads_of(options, units.size());
    bytes::each_in_parallel(threads, threads, [&](std::size_t) {
        UnitCalls calls, bench_calls;
        for (std::size_t i = next++; i < units.size(); i = next++) {
            Unit& unit = units[i];
            const bool has_both = !unit.is_ambiguous && !unit.here.empty() && !unit.there.empty();
            calls.read(unit.here, has_both, options, here);
            bench_calls.read(unit.there, has_both, options, there);
            unit.is_known_here = calls.is_known && !unit.is_ambiguous;
            unit.is_known_there = bench_calls.is_known && !unit.is_ambiguous;
            if (has_both) {
                UnitPairs(calls, bench_calls, here, there, unit).run();
            } else {
                unit.counts.only_here = entries_of(unit.here, here);
                unit.counts.only_there = entries_of(unit.there, there);
            }
        }
    });
}

}  // namespace opdebug::api_pairs
