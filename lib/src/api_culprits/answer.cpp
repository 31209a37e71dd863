#include "api_culprits/answer.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <unordered_map>

#include "api_culprits/exchanges.hpp"
#include "api_culprits/settle.hpp"
#include "api_culprits/timelines.hpp"
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
            std::vector<Diagnostic>& remarks = draft.finding.remarks;
            const auto is_source = [](const Diagnostic& diagnostic) { return diagnostic.code == "source_not_dumped"; };
            remarks.erase(std::remove_if(remarks.begin(), remarks.end(), is_source), remarks.end());
            remarks.push_back(remarks::diagnose("gradient_of_step_before",
                                                {{"api", gradient->second->finding.api}, {"step", step_before}}));
            return;
        }
    }
}

/// Adds a remark (gradient_of_step_before) to findings with a bad weight, or with a bad input that no earlier result of
/// its file has. The shape and statistics must equal those of a parameter's gradient of the same rank in the step
/// before.
void trace_to_step_before(Run& run) {
    for (auto step = run.steps.begin(); step != run.steps.end(); ++step) {
        const auto before = std::find_if(std::make_reverse_iterator(step), run.steps.rend(),
                                         [&step](const Step& other) { return other.half == step->half; });
        if (before == run.steps.rend() || !before->number || !step->number || *before->number + 1 != *step->number) {
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

/// Whether the call made a bad value.
bool is_culprit(const DraftFinding& draft) {
    switch (draft.finding.verdict) {
        case ApiVerdict::born_here:
        case ApiVerdict::saturated:
        case ApiVerdict::in_collective: return true;
        case ApiVerdict::unknown: return draft.phase != ApiPhase::debug;
        default: return false;
    }
}

/// Whether the finding shows a bad value on the rank without any explanation.
bool is_strong(const DraftFinding& draft) {
    const bool shows = draft.finding.verdict == ApiVerdict::inherited || draft.finding.verdict == ApiVerdict::weight;
    return is_culprit(draft) || (shows && draft.strong && !draft.came_from_rank);
}

bool is_flagged(const DraftFinding& draft) {
    return draft.finding.verdict == ApiVerdict::process;
}

/// Whether inputs contain limits and negative infinity only, which may be masks.
bool is_weak(const DraftFinding& draft) {
    return draft.finding.verdict == ApiVerdict::inherited || draft.finding.verdict == ApiVerdict::weight;
}

bool is_saved_value(const DraftFinding& draft) {
    return draft.phase == ApiPhase::debug;
}

struct SettledStep {
    const Step& step;
    Exchanges exchanges;
};

SettledStep settled(const Step& step) {
    SettledStep result{step, exchanges_of(step)};
    settle_exchanges(step, result.exchanges);
    settle_masks(step);
    settle_by_earlier(step);
    return result;
}

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

/// The earliest findings of one step, or of both halves of it.
struct Candidate {
    const Step* step;
    Earliest::LineEvent event;
    DraftFinding* draft() const { return event.line->draft_at(*event.event); }
};

using Steps = std::span<const SettledStep>;

std::vector<Candidate> candidates_of(Steps steps, bool (*counts)(const DraftFinding&), Answer& answer) {
    std::vector<Candidate> candidates;
    for (const SettledStep& settled : steps) {
        if (!has_any(settled.step, counts)) {
            continue;
        }
        const Earliest earliest = earliest_of(settled.step, settled.exchanges, counts);
        for (const Earliest::LineEvent& event : earliest.events) {
            candidates.push_back({&settled.step, event});
        }
        if (earliest.contradiction) {
            answer.diagnostics.push_back(remarks::diagnose("order_contradicts", {{"step", step_name(settled.step)}}));
        }
    }
    return candidates;
}

void take_first(const std::vector<Candidate>& candidates, Answer& answer) {
    const bool any_culprit = std::any_of(candidates.begin(), candidates.end(),
                                         [](const Candidate& candidate) { return is_culprit(*candidate.draft()); });
    for (const auto& candidate : candidates) {
        DraftFinding* const draft = candidate.draft();
        const TimeLine& line = *candidate.event.line;
        if (!any_culprit || is_culprit(*draft)) {
            answer.first.push_back({candidate.step, &line, line.files[candidate.event.event->file], draft});
        } else {
            answer.diagnostics.push_back(remarks::diagnose(
                "bad_value_elsewhere.rank", {{"api", draft->finding.api},
                                             {"rank", line.rank ? remarks::phrase("rank", {{"rank", *line.rank}})
                                                                : remarks::phrase("another_rank")}}));
        }
    }
}

void report_order(Answer& answer) {
    if (answer.first.size() < 2) {
        return;
    }
    const Step& step = *answer.first.front().step;
    const bool of_halves = answer.first.back().step != &step;
    const bool same_call = std::all_of(answer.first.begin(), answer.first.end(), [](const First& first) {
        return first.draft->finding.verdict == ApiVerdict::in_collective;
    });
    if (of_halves || !same_call) {
        answer.diagnostics.push_back(remarks::diagnose(
            "order_unknown.equal", {{"count", answer.first.size()},
                                    {"step", step_name(step)},
                                    {"why", remarks::phrase(of_halves ? "no_order_of_halves" : "no_order_of_ranks")}}));
    }
}

/// Looks at the unknown step, which is last, in addition to the first step.
void look_at_unknown_step(Steps later, const Step& first, bool (*counts)(const DraftFinding&), Answer& answer) {
    const Steps unknown = later.empty() || later.back().step.number ? Steps() : later.last(1);
    Answer aside;  // contradictions there do not matter here
    const std::vector<Candidate> candidates = candidates_of(unknown, counts, aside);
    if (!candidates.empty()) {
        answer.diagnostics.push_back(
            report_unknown_step(candidates.size(), candidates.front().draft()->finding.api, *first.number));
    }
}

bool find_first(Steps steps, bool (*counts)(const DraftFinding&), Answer& answer) {
    const auto first = std::find_if(steps.begin(), steps.end(),
                                    [counts](const SettledStep& settled) { return has_any(settled.step, counts); });
    if (first == steps.end()) {
        return false;
    }
    const auto end = std::find_if(
        first, steps.end(), [&first](const SettledStep& other) { return other.step.number != first->step.number; });
    take_first(candidates_of({first, end}, counts, answer), answer);
    report_order(answer);
    look_at_unknown_step({end, steps.end()}, first->step, counts, answer);
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

}  // namespace

Diagnostic report_unknown_step(std::uint64_t count, std::string_view api, std::uint64_t first_step) {
    return remarks::diagnose("order_unknown", {{"count", count}, {"api", api}, {"step", first_step}});
}

Answer answer_of(Run& run) {
    std::vector<SettledStep> steps;
    for (const Step& step : run.steps) {
        steps.push_back(settled(step));
    }
    trace_to_step_before(run);
    Answer answer;
    for (const auto counts : {is_strong, is_flagged, is_weak, is_saved_value}) {
        if (find_first(steps, counts, answer)) {
            break;
        }
    }
    look_at_step_before(steps, answer);
    return answer;
}

std::vector<Diagnostic> mode_remarks(const std::vector<FileFacts>& files) {
    const auto any = [&files](bool FileFacts::*sign) {
        return std::any_of(files.begin(), files.end(), [sign](const FileFacts& facts) { return facts.*sign; });
    };
    if (any(&FileFacts::shows_infinity)) {
        return {remarks::diagnose("mode_inferred.infnan")};
    }
    if (any(&FileFacts::shows_limit)) {
        return {remarks::diagnose("mode_inferred")};
    }
    return {};  // since June 2026 task nan_check works in both modes
}

}  // namespace opdebug::api_culprits
