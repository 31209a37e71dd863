// The first culprits of a run, with their call stacks and the modules around them.
#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <opdebug/api.hpp>

#include "api_dump/call_nesting.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

/// Findings on gradients by their values.
using Gradients = std::unordered_map<std::uint64_t, const DraftFinding*>;

Gradients gradients_of(const TimeLine& line) {
    Gradients gradients;
    for (const FileFacts* const facts : line.files) {
        for (const DraftFinding& draft : facts->drafts) {
            if (draft.phase == ApiPhase::parameters_grad) {
                for (const std::uint64_t print : draft.bad) {
                    gradients.emplace(print, &draft);
                }
            }
        }
    }
    return gradients;
}

void trace(DraftFinding& draft, std::uint64_t step_before, const Gradients& gradients) {
    for (const auto* const prints : {&draft.bad_weights, &draft.untraced}) {
        for (const std::uint64_t print : *prints) {
            const auto gradient = gradients.find(print);
            if (gradient == gradients.end()) {
                continue;
            }
            forget_missing_source(draft);
            draft.finding.remarks.push_back(remarks::diagnose(
                "gradient_of_step_before", {{"api", gradient->second->finding.api}, {"step", step_before}}));
            return;
        }
    }
}

/// Adds a remark (gradient_of_step_before) to findings with a bad weight, or with a bad input that no earlier result of
/// its file has. The shape and statistics must equal those of a parameter's gradient of the same rank in the step
/// before.
void trace_to_step_before(Run& run) {
    for (auto step = run.steps.begin(); step != run.steps.end(); ++step) {
        const auto before = step == run.steps.begin() ? step : std::prev(step);
        if (!before->number || !step->number || *before->number + 1 != *step->number) {
            continue;
        }
        for (const TimeLine& line : step->lines) {
            const auto same_rank = std::find_if(
                before->lines.begin(), before->lines.end(),
                [&line](const TimeLine& other) { return other.rank == line.rank && other.process == line.process; });
            const Gradients gradients = same_rank == before->lines.end() ? Gradients() : gradients_of(*same_rank);
            for (FileFacts* const facts : gradients.empty() ? std::vector<FileFacts*>() : line.files) {
                for (DraftFinding& draft : facts->drafts) {
                    trace(draft, *before->number, gradients);
                }
            }
        }
    }
}

/// Whether the finding shows a bad value on the rank without any explanation.
bool is_strong(const DraftFinding& draft) {
    return is_culprit(draft) || (has_bad_input(draft) && draft.strong && !draft.came_from_rank);
}

struct SettledStep {
    const Step& step;
    Exchanges exchanges;
};

LocalizedText step_name(const Step& step) {
    return step.number ? remarks::phrase("step", {{"step", *step.number}}) : remarks::phrase("the_step");
}

/// Whether any finding in a step counts. Avoids the walk along the time lines otherwise.
bool has_any(const Step& step, bool (*counts)(const DraftFinding&)) {
    return std::any_of(step.lines.begin(), step.lines.end(), [counts](const TimeLine& line) {
        return std::any_of(line.files.begin(), line.files.end(), [counts](const FileFacts* file) {
            return std::any_of(file->drafts.begin(), file->drafts.end(), counts);
        });
    });
}

/// The earliest findings of a step.
std::vector<First> candidates_of(const SettledStep& settled, bool (*counts)(const DraftFinding&), Answer& answer) {
    if (!has_any(settled.step, counts)) {
        return {};
    }
    Earliest earliest = earliest_of(settled.step, settled.exchanges, counts);
    if (earliest.contradiction) {
        answer.diagnostics.push_back(remarks::diagnose("order_contradicts", {{"step", step_name(settled.step)}}));
    }
    return std::move(earliest.events);
}

void take_first(const std::vector<First>& candidates, Answer& answer) {
    const bool any_culprit = std::any_of(candidates.begin(), candidates.end(),
                                         [](const First& candidate) { return is_culprit(*candidate.draft); });
    for (const First& candidate : candidates) {
        const std::optional<std::uint64_t>& rank = candidate.line->rank;
        if (!any_culprit || is_culprit(*candidate.draft)) {
            answer.first.push_back(candidate);
        } else {
            answer.diagnostics.push_back(remarks::diagnose(
                "bad_value_elsewhere.rank",
                {{"api", candidate.draft->finding.api},
                 {"rank", rank ? remarks::phrase("rank", {{"rank", *rank}}) : remarks::phrase("another_rank")}}));
        }
    }
}

void report_order(Answer& answer) {
    if (answer.first.size() < 2) {
        return;
    }
    const bool same_call = std::all_of(answer.first.begin(), answer.first.end(), [](const First& first) {
        return first.draft->finding.verdict == ApiVerdict::in_collective;
    });
    if (!same_call) {
        answer.diagnostics.push_back(remarks::diagnose(
            "order_unknown.equal", {{"count", answer.first.size()}, {"step", step_name(*answer.first.front().step)}}));
    }
}

/// Looks at the unknown step, which is last, in addition to the first step.
void look_at_unknown_step(const SettledStep& unknown, const Step& first, bool (*counts)(const DraftFinding&),
                          Answer& answer) {
    Answer aside;  // contradictions there do not matter here
    const std::vector<First> candidates = candidates_of(unknown, counts, aside);
    if (!candidates.empty()) {
        answer.diagnostics.push_back(remarks::diagnose(
            "order_unknown",
            {{"count", candidates.size()}, {"api", candidates.front().draft->finding.api}, {"step", *first.number}}));
    }
}

bool find_first(const std::vector<SettledStep>& steps, bool (*counts)(const DraftFinding&), Answer& answer) {
    const auto first = std::find_if(steps.begin(), steps.end(),
                                    [counts](const SettledStep& settled) { return has_any(settled.step, counts); });
    if (first == steps.end()) {
        return false;
    }
    take_first(candidates_of(*first, counts, answer), answer);
    report_order(answer);
    if (first->step.number && !steps.back().step.number) {
        look_at_unknown_step(steps.back(), first->step, counts, answer);
    }
    return true;
}

bool is_traced(const DraftFinding& draft) {
    const std::vector<Diagnostic>& remarks = draft.finding.remarks;
    return std::any_of(remarks.begin(), remarks.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.code == "gradient_of_step_before"; });
}

/// A bad weight was made in the step before: looks at the gradients of that step.
void look_at_step_before(const std::vector<SettledStep>& steps, Answer& answer) {
    for (const First& first : answer.first) {
        if (first.draft->finding.verdict != ApiVerdict::weight || !first.step->number || is_traced(*first.draft)) {
            continue;
        }
        const bool dumped = std::any_of(steps.begin(), steps.end(), [&first](const SettledStep& other) {
            return other.step.number && *other.step.number + 1 == *first.step->number;
        });
        first.draft->finding.remarks.push_back(
            remarks::diagnose(dumped ? "weight_of_step_before.dumped" : "weight_of_step_before"));
    }
}

using Calls = std::vector<DraftFinding*>;

std::vector<std::string> names_of(const Calls& calls) {
    std::vector<std::string> names;
    names.reserve(calls.size());
    for (const DraftFinding* const draft : calls) {
        names.push_back(draft->finding.api);
    }
    return names;
}

void add_stacks(const FileFacts& facts, const Calls& calls, const ApiOptions& options, ApiReport& report) {
    const Result<std::vector<ApiStack>> stacks = read_api_stacks(facts.file.file, names_of(calls), options.read);
    if (!stacks) {
        report.diagnostics.push_back(remarks::diagnose("stacks_unread", {{"error", remarks::text_of(stacks.error())}}));
        return;
    }
    for (DraftFinding* const draft : calls) {
        for (const ApiStack& stack : *stacks) {
            if (stack.name == draft->finding.api) {
                draft->finding.stack = stack.frames;
            }
        }
    }
}

/// msprobe's names for what is no module: calls of the optimizer's step, and of gradient clipping.
LocalizedText shown(const std::string& module) {
    return module == "optimizer"   ? remarks::phrase("inside_optimizer")
           : module == "clip_grad" ? remarks::phrase("inside_clipping")
                                   : remarks::phrase("inside_module", {{"module", module}});
}

void add_modules(const api_dump::CallNesting& nesting, DraftFinding& draft) {
    std::vector<LocalizedText> locations;
    for (const std::string& module : nesting.modules_of(draft.finding.api)) {
        locations.push_back(shown(module));
    }
    if (const auto micro_step = nesting.micro_step_of(draft.finding.api)) {
        locations.push_back(remarks::phrase("in_micro_step", {{"step", *micro_step}}));
    }
    if (!locations.empty()) {
        draft.finding.remarks.push_back(
            remarks::diagnose("call_place", {{"places", remarks::joined(locations, {", ", "，"})}}));
    }
}

/// Levels L1 and L2 have no modules and an empty construct.json.
bool has_modules(const ApiFile& file) {
    return file.source == ApiSource::msprobe && file.level != "L1" && file.level != "L2";
}

void add_all_modules(const FileFacts& facts, const Calls& calls, const ApiOptions& options, ApiReport& report) {
    const std::vector<std::string> names = names_of(calls);
    const Result<api_dump::CallNesting> read = api_dump::read_call_nesting(facts.file.file, names, options.read);
    const LocalizedText lack = read ? read->lack(names) : remarks::text_of(read.error());
    if (read) {
        for (DraftFinding* const draft : calls) {
            add_modules(*read, *draft);
        }
    }
    if (lack.en.empty()) {
        return;
    }
    Diagnostic unread = remarks::diagnose("construct_unread", {{"lack", lack}});
    for (const Diagnostic& diagnostic : facts.file.diagnostics) {
        if (diagnostic.code == unread.code) {
            return;  // reported earlier
        }
    }
    report.diagnostics.push_back(std::move(unread));
}

}  // namespace

Answer answer_of(Run& run) {
    std::vector<SettledStep> steps;
    steps.reserve(run.steps.size());
    for (const Step& step : run.steps) {
        steps.push_back({step, exchanges_of(step)});
        settle_exchanges(step, steps.back().exchanges);
        settle_masks(step);
        settle_by_earlier(step);
    }
    trace_to_step_before(run);
    Answer answer;
    using Counts = bool (*)(const DraftFinding&);
    const Counts by_weight[] = {is_strong,
                                [](const DraftFinding& draft) { return draft.finding.verdict == ApiVerdict::process; },
                                has_bad_input,  // weak: limits and negative infinity, which may be masks
                                [](const DraftFinding& draft) { return draft.phase == ApiPhase::debug; }};
    for (const Counts counts : by_weight) {
        if (find_first(steps, counts, answer)) {
            break;
        }
    }
    look_at_step_before(steps, answer);
    return answer;
}

void add_surroundings(const Answer& answer, const ApiOptions& options, ApiReport& report) {
    std::map<const FileFacts*, Calls> by_file;
    for (const First& first : answer.first) {
        by_file[first.file].push_back(first.draft);
    }
    for (const First& first : answer.first) {
        const auto calls = by_file.extract(first.file);
        if (calls.empty()) {
            continue;
        }
        add_stacks(*first.file, calls.mapped(), options, report);
        if (has_modules(first.file->file)) {
            add_all_modules(*first.file, calls.mapped(), options, report);
        }
    }
}

}  // namespace opdebug::api_culprits
