#include "api_pairs/bench.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "api_culprits/file_judge.hpp"
#include "api_pairs/units.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_pairs {
namespace {

constexpr std::size_t kNamesListed = 10;

void append_names(const std::vector<std::string>& more, std::vector<std::string>& names) {
    for (const std::string& name : more) {
        if (names.size() < kNamesListed && std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    }
}

/// The units of each step.
std::vector<StepUnits> steps_in(const std::vector<Unit>& units) {
    std::vector<StepUnits> steps;
    for (auto begin = units.begin(); begin != units.end();) {
        const auto end = std::find_if(begin, units.end(), [&begin](const Unit& unit) {
            return unit.step != begin->step || unit.bench_step != begin->bench_step;
        });
        steps.emplace_back(begin, end);
        begin = end;
    }
    return steps;
}

/// Counts the steps in which a side has a bad value of its own, from the first one, over the window of the rule.
void count_bad(BenchComparison& bench) {
    const auto first = std::find_if(bench.steps.begin(), bench.steps.end(), [](const StepPair& step) {
        return step.made_here || step.outcome == StepOutcome::there_only;
    });
    const auto most = static_cast<std::uint64_t>(rule("window_steps"));
    for (auto step = first; step != bench.steps.end() && bench.window < most; ++step) {
        if (step->outcome == StepOutcome::not_comparable) {
            continue;
        }
        ++bench.window;
        bench.bad_here += step->made_here ? 1U : 0U;
        bench.bad_there += step->outcome == StepOutcome::there_only || step->made_there ? 1U : 0U;
    }
}

bool is_more_often(const BenchComparison& bench) {
    const auto here = static_cast<double>(bench.bad_here), there = static_cast<double>(bench.bad_there);
    const bool is_full = static_cast<double>(bench.window) >= rule("window_steps");
    return is_full ? here >= there + rule("more_often_by") && here >= there * rule("more_often_factor") : here > there;
}

bool has_comparable(const BenchComparison& bench) {
    return std::any_of(bench.steps.begin(), bench.steps.end(),
                       [](const StepPair& step) { return step.outcome != StepOutcome::not_comparable; });
}

/// The problem step by the two rules of Ascend's scenario guide. Steps without a dump here do not count.
void find_problem(BenchComparison& bench) {
    const auto begin = bench.steps.begin(), end = bench.steps.end();
    const auto find = [begin, end](StepOutcome outcome) {
        return std::find_if(begin, end, [outcome](const StepPair& step) { return step.outcome == outcome; });
    };
    const auto first = std::find_if(begin, end, [](const StepPair& step) { return step.made_here; });
    const auto unknown = find(StepOutcome::not_comparable);
    const auto open = std::find_if(begin, first, [](const StepPair& step) { return step.may_be_problem; });
    const bool any_there = std::any_of(begin, end, [](const StepPair& step) { return step.there_bad; });
    count_bad(bench);
    const bool is_full = static_cast<double>(bench.window) >= rule("window_steps");
    bench.is_strong = unknown == end && (is_full || !any_there);
    if (open != first || !has_comparable(bench)) {
        bench.rule = ProblemRule::not_known;
        bench.is_strong = false;
        bench.needed = (open != first ? open : unknown)->missing;
    } else if (first == end) {
        bench.rule = find(StepOutcome::there_too) != end    ? ProblemRule::alike
                     : find(StepOutcome::there_only) != end ? ProblemRule::there_only
                                                            : ProblemRule::neither;
    } else if (any_there && !is_more_often(bench)) {
        bench.rule = ProblemRule::alike;
    } else {
        bench.rule = any_there ? ProblemRule::more_often : ProblemRule::here_only;
        bench.problem = static_cast<std::size_t>(first - begin);
    }
}

/// The step whose calls are compared: the problem step, else the first with a value that is bad only here, else the
/// first with a difference in finite values.
std::optional<std::size_t> compared_step(const BenchComparison& bench, const std::vector<StepUnits>& steps) {
    if (bench.problem) {
        return bench.problem;
    }
    const auto only_here =
        std::find_if(bench.steps.begin(), bench.steps.end(), [](const StepPair& step) { return step.made_here; });
    if (only_here != bench.steps.end()) {
        return static_cast<std::size_t>(only_here - bench.steps.begin());
    }
    const auto differs = std::find_if(steps.begin(), steps.end(), [](StepUnits units) {
        return std::any_of(units.begin(), units.end(),
                           [](const Unit& unit) { return !unit.breaks.empty() || !unit.inputs_apart.empty(); });
    });
    return differs == steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(differs - steps.begin()));
}

void report_pairs(const std::vector<Unit>& units, BenchComparison& bench) {
    bool any_pair = false;
    for (const Unit& unit : units) {
        append_names(unit.only_here, bench.only_here);
        append_names(unit.only_there, bench.only_there);
        any_pair = any_pair || (!unit.here.empty() && !unit.there.empty());
        for (const auto& [id, api] :
             {std::pair("structures_differ", &unit.unpaired_run), {"structures_differ.shapes", &unit.other_shapes}}) {
            if (!api->empty()) {
                bench.diagnostics.push_back(
                    remarks::diagnose(id, {{"where", location_words(unit.step, unit.rank)}, {"api", *api}}));
            }
        }
    }
    for (const StepPair& step : bench.steps) {
        bench.pairs += step.counts;
    }
    if (!any_pair) {
        bench.diagnostics.push_back(remarks::diagnose("bench_no_common_step"));
    }
}

ApiReport settled_report(const api_dump::DumpList& list, JudgedFiles facts, const std::vector<std::string>& paths,
                         const ApiOptions& options) {
    std::vector<Result<api_culprits::FileFacts>> judged;
    judged.reserve(facts.size());
    for (auto& one : facts) {
        judged.push_back(std::move(*one));
    }
    return api_culprits::report_on(list, std::move(judged), paths, options);
}

/// Errors of the benchmark, with their side named; its other remarks do not matter here.
void take_report(ApiReport&& report, BenchComparison& bench) {
    bench.inputs = std::move(report.inputs);
    bench.counts = report.counts;
    bench.failures = std::move(report.failures);
    for (Diagnostic& diagnostic : report.diagnostics) {
        if (diagnostic.severity == Severity::error) {
            bench.diagnostics.push_back(std::move(diagnostic));
        }
    }
}

std::set<std::filesystem::path> real_paths(const SideDumps& side) {
    std::set<std::filesystem::path> paths;
    for (const auto& file : side.list.files) {
        std::error_code failed;
        paths.insert(std::filesystem::weakly_canonical(file.file, failed));
    }
    return paths;
}

bool are_same_dumps(const SideDumps& here, const SideDumps& there) {
    return !here.list.files.empty() && real_paths(here) == real_paths(there);
}

}  // namespace

std::string_view to_string(StepOutcome outcome) noexcept {
    constexpr std::string_view kNames[] = {"here_only", "there_only", "there_too", "neither", "not_comparable"};
    return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view to_string(ProblemRule rule) noexcept {
    constexpr std::string_view kNames[] = {"here_only", "more_often", "alike", "there_only", "neither", "not_known"};
    return kNames[static_cast<std::size_t>(rule)];
}

std::string_view to_string(BreakKind kind) noexcept {
    constexpr std::string_view kNames[] = {"breaks_here", "drifts_here", "inherited_difference", "also_there",
                                           "not_known"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Matters matters) noexcept {
    constexpr std::string_view kNames[] = {"reached_results", "stayed_inside", "unknown"};
    return kNames[static_cast<std::size_t>(matters)];
}

Result<BenchReport> compare_with_bench(const std::vector<std::string>& paths, const std::vector<std::string>& bench,
                                       const BenchOptions& options) {
    Result<api_dump::DumpList> list = api_dump::find_dumps(paths, options.api.read);
    Result<api_dump::DumpList> bench_list = api_dump::find_dumps(bench, options.api.read);
    if (!list || !bench_list) {
        return list ? bench_list.error() : list.error();
    }
    SideDumps here{std::move(*list), {}}, there{std::move(*bench_list), {}};
    BenchReport result;
    std::vector<Unit> units = units_of(here, there, options.step_offset, result.bench.diagnostics);
    read_units(here, there, options.api, units);
    result.here = settled_report(here.list, here.facts, paths, options.api);
    ApiReport report_there = settled_report(there.list, std::move(there.facts), bench, options.api);
    const BadCalls bad_here(result.here), bad_there(report_there);
    const std::vector<StepUnits> steps = steps_in(units);
    result.bench.steps.reserve(steps.size());
    for (const StepUnits& step : steps) {
        result.bench.steps.push_back(outcome_of(step, {here, there, bad_here, bad_there}));
    }
    report_pairs(units, result.bench);
    if (are_same_dumps(here, there)) {
        result.bench.diagnostics.push_back(remarks::diagnose("bench_is_same_folder"));
    } else {
        find_problem(result.bench);
    }
    if (const std::optional<std::size_t> index = compared_step(result.bench, steps)) {
        const StepUnits next = *index + 1 < steps.size() ? steps[*index + 1] : StepUnits();
        result.bench.breaks = breaks_of({steps[*index], next, here, bad_here, options.api},
                                        result.bench.steps[*index].made_here, result.bench.diagnostics);
    }
    result.here.complete = result.here.complete && report_there.complete;
    take_report(std::move(report_there), result.bench);
    return result;
}

}  // namespace opdebug::api_pairs
