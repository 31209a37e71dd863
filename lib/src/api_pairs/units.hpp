// Units of the comparison: the files of one step and rank on both sides, their calls in pairs. The calls that explain
// the difference in a step, and whether they mattered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/file_facts.hpp"
#include "api_culprits/judge_call.hpp"
#include "api_dump/dump_files.hpp"
#include "api_pairs/bench.hpp"

namespace opdebug::api_pairs {

/// A number of lib/data/api/pair_rules.json. The names are part of the library and checked by its tests.
double rule(std::string_view name);

/// Whether results of the call depend on a random state, by its function or an argument.
bool is_random(const ApiEntry& call);

/// Whether the API adds: its result may be small because large inputs cancel.
bool may_cancel(std::string_view api);

/// One name for the API in both frameworks, and for a module with and without the wrappers around it.
std::string common_name(std::string_view api, bool is_module);

/// A call of one side.
struct SideCall {
    ApiEntry entry;
    std::vector<ApiState> states;   ///< of its values
    std::vector<bool> is_evidence;  ///< of its values; false: an argument that is only written, or a random state
    std::uint64_t shapes = 0;       ///< equal for calls of one API with equal shapes
    std::size_t file = 0;           ///< index in the dumps of the side
    bool rounded = false;
    bool has_known_inputs = false;     ///< all inputs are dumped, as they were before the call
    bool may_break_by_values = false;  ///< finite values show a fault: no call between ranks, no unwritten memory
};
using Calls = std::vector<SideCall>;

/// `entry`: that of the judged call.
SideCall side_call(const api_culprits::Call& judged, ApiEntry&& entry, std::size_t file);

/// The values of two calls agree, do not agree, or that is not known.
enum class Agreement { agree, apart, unknown };

/// Two paired calls. Values agree if each value of a side has a comparable partner that is the same or close.
struct CallPair {
    Agreement inputs = Agreement::agree, outputs = Agreement::agree;
    std::size_t inputs_compared = 0;
    bool bad_here_only = false;                                 ///< a result is
    bool bad_there = false;                                     ///< a result is
    bool any_bad_here = false, any_bad_there = false;           ///< a value is, and not the same event on both sides
    bool any_here_only = false, any_there_only = false;         ///< a value is bad, and clean on the other side
    bool any_agreed = false;                                    ///< a value is bad, but the same event on both sides
    Distance output = Distance::same;                           ///< of the worst result with clean states
    std::optional<double> input_difference, output_difference;  ///< the largest
    double input_size = 0, output_gap = 0;  ///< the largest magnitude of the inputs, and of |Δ| of the results
    bool is_compared = true;                ///< false: no value has a partner with the same shape and a comparable type
    bool results_known = true;              ///< each result has a state or a checksum on both sides
};
CallPair compare_calls(const SideCall& here, const SideCall& there);

/// The comparable values of two calls, those that differ most first.
struct ComparedValues {
    std::vector<ValuePair> inputs, outputs;
};
ComparedValues compared_values(const SideCall& here, const SideCall& there);

/// File and position of a call.
using CallKey = std::pair<std::string, std::uint64_t>;

struct Partner {
    std::size_t call = 0;   ///< index in the calls of the benchmark
    bool by_order = false;  ///< by order of appearance, or by numbers that may be chance
};

/// For each call here its partner; empty: none. Each call of the benchmark is in at most one pair.
/// By name where both sides have the same numbers of an API. A backward follows its forward. Otherwise by the longest
/// common sequence of calls with equal shapes. If the frameworks differ, calls of mindspore.mint are those of torch.
std::vector<std::optional<Partner>> pair_calls(const Calls& here, const Calls& there, bool frameworks_differ);

/// A call here and its partner.
struct PairedCall {
    std::string api, file;  ///< of the call here
    std::uint64_t position = 0;
    bool is_module = false, is_random = false;
    bool has_partner = false, by_order = false;
    std::string partner, partner_file;
    bool twin_differs = false;  ///< a backward whose forward has other values, or no partner
    CallPair values;
    ComparedValues compared;
};

/// The bad values of a call that has a partner.
struct PairedBadValues {
    bool counts = false;       ///< false: all are the same event on both sides
    bool clean_there = false;  ///< one is clean on the other side
};
using PairedBad = std::map<CallKey, PairedBadValues>;

struct Unit {
    Number step, bench_step, rank;
    std::vector<std::size_t> here, there;  ///< indices in the dumps of each side

    PairCounts counts;
    std::vector<std::string> only_here, only_there;  ///< the first names
    std::map<CallKey, PairedCall> findings;
    PairedBad bad_here, bad_there;
    std::uint64_t different = 0;      ///< calls of both sides without partner, or whose values are not known to agree
    std::string without_values;       ///< the first call with a result whose state is unknown on a side
    std::vector<PairedCall> breaks;   ///< the first calls with finite results apart although their inputs agree
    std::string inputs_apart;         ///< the first call of the rank, if its inputs are apart
    std::string other_shapes;         ///< the first call whose partner has other shapes
    std::string unpaired_run;         ///< first of many calls here in a row without partner
    std::uint64_t last_position = 0;  ///< of the last call of the last file here
    bool has_backward = false, has_gradients = false;
    bool is_known_here = false, is_known_there = false;  ///< complete files with statistics
    bool is_ambiguous = false;                           ///< several runs have this step and rank
};

/// The facts of each dump of a side; set by read_units().
using JudgedFiles = std::vector<std::optional<Result<api_culprits::FileFacts>>>;

struct SideDumps {
    api_dump::DumpList list;
    JudgedFiles facts;
};

/// The units by step and rank. Adds remarks on assumptions.
std::vector<Unit> units_of(const SideDumps& here, const SideDumps& there, std::int64_t step_offset,
                           std::vector<Diagnostic>& diagnostics);

/// Reads, judges and pairs the units in parallel.
void read_units(SideDumps& here, SideDumps& there, const ApiOptions& options, std::vector<Unit>& units);

using StepUnits = std::span<const Unit>;

/// The findings of one side that count as bad. With a partner, the pair decides; without one, only certain ones count.
class BadCalls {
public:
    explicit BadCalls(const ApiReport& report);

    using Findings = std::vector<const ApiFinding*>;
    /// Of the files with these indices, by position.
    Findings of(const std::vector<std::size_t>& files, const SideDumps& side, const PairedBad& paired) const;

private:
    std::unordered_map<std::string, Findings> by_file_;
};

/// The first finding with a bad value that is clean on the other side. `only_made`: the call made it. Null: none.
const ApiFinding* first_only_bad(const BadCalls::Findings& bad, const PairedBad& paired, bool only_made);

/// Both sides with their settled reports.
struct Sides {
    const SideDumps& here;
    const SideDumps& there;
    const BadCalls& bad_here;
    const BadCalls& bad_there;
};

/// The outcome of the step with these units.
StepPair outcome_of(StepUnits units, const Sides& sides);

/// What the breaks of a step are found in.
struct StepEvidence {
    StepUnits units;       ///< of the step
    StepUnits next_units;  ///< of the next step here; may be empty
    const SideDumps& here;
    const BadCalls& bad_here;
    const ApiOptions& options;
};

/// Sets whether the break mattered, with the reason, and the dumps that would decide it.
void judge_matters(const StepEvidence& evidence, Break& result);
void set_matters(Matters matters, LocalizedText because, Break& result);

/// "step 2 rank 1".
LocalizedText location_words(const Number& step, const Number& rank);

/// The culprits of the step by the rules of `api`, each next to its partner; then calls with other finite values.
/// `with_culprits`: the step has values that are bad here only.
std::vector<Break> breaks_of(const StepEvidence& evidence, bool with_culprits, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::api_pairs
