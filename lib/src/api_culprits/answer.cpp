// The first culprits of a run.
#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <span>
#include <string>
#include <unordered_map>

#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

/// The earliest findings of a step, by rank.
struct Earliest {
    std::vector<First> events;
    bool contradiction = false;  ///< calls wait for each other in a cycle
};

/// Walks along all time lines at once: linear in the number of events. A line stops at a call that takes values until
/// all givers have reached their call. Everything before the givers' calls is then before the rest of the line.
class Walk {
public:
    Walk(const Step& step, const Exchanges& exchanges, bool (*counts)(const DraftFinding&))
        : step_(step),
          exchanges_(exchanges),
          counts_(counts),
          lines_(step.lines.size()),
          meetings_(exchanges.all.size()) {
        for (std::size_t i = 0; i < exchanges.all.size(); ++i) {
            for (const Exchange::Side& side : exchanges.all[i].sides) {
                meetings_[i].awaited += gives(step, exchanges.all[i], side) ? 1U : 0U;
            }
        }
        for (std::uint32_t line = 0; line < lines_.size(); ++line) {
            ready_.push_back(line);
        }
    }

    Earliest run() {
        Earliest earliest;
        while (true) {
            while (!ready_.empty()) {
                const std::uint32_t line = ready_.front();
                ready_.pop_front();
                advance(line);
            }
            if (!pass_one()) {
                break;
            }
            earliest.contradiction = true;
        }
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const TimeLine& line = step_.lines[i];
            if (const Event* const first = lines_[i].first) {
                earliest.events.push_back({&step_, &line, line.files[first->file], line.draft_at(*first)});
            }
        }
        return earliest;
    }

private:
    struct Line {
        std::size_t event = 0;
        bool entered = false;     ///< the values of the event were given
        std::uint32_t taken = 0;  ///< transfers of the event that no longer wait
        bool waits = false;
        bool bad_before = false;  ///< a finding that counts is earlier
        const Event* first = nullptr;
    };
    struct Meeting {
        std::uint32_t awaited = 0;  ///< givers that have not reached their call
        bool bad_before = false;
        std::vector<std::uint32_t> waiting;
    };

    void meet(std::uint32_t number, Line& line) {
        const TimeLine& time = step_.lines[number];
        const DraftFinding* const draft = time.draft_at(time.events[line.event]);
        if (draft != nullptr && counts_(*draft) && !line.bad_before) {
            line.first = &time.events[line.event];
        }
        line.bad_before = line.bad_before || (draft != nullptr && counts_(*draft));
    }

    bool counts_behind(std::uint32_t number, const Line& line) const {
        const TimeLine& time = step_.lines[number];
        const DraftFinding* const draft = time.draft_at(time.events[line.event]);
        return draft != nullptr && draft->awaits == Awaits::other_ranks;
    }

    template <class Use>
    void for_exchanges(std::uint32_t number, const Line& line, Use use) {
        const Event& event = step_.lines[number].events[line.event];
        for (std::uint32_t i = 0; i < event.transfers; ++i) {
            use(step_.lines[number].transfer_at(event, i).exchange,
                Exchange::Side{number, static_cast<std::uint32_t>(line.event), i});
        }
    }

    void enter(std::uint32_t number, Line& line) {
        if (!counts_behind(number, line)) {
            meet(number, line);
        }
        for_exchanges(number, line, [&](std::uint32_t exchange, const Exchange::Side& side) {
            if (!gives(step_, exchanges_.all[exchange], side)) {
                return;
            }
            Meeting& meeting = meetings_[exchange];
            meeting.bad_before = meeting.bad_before || line.bad_before;
            if (--meeting.awaited == 0) {
                for (const std::uint32_t other : meeting.waiting) {
                    wake(other);
                }
                meeting.waiting.clear();
            }
        });
        line.entered = true;
    }

    void wake(std::uint32_t number) {
        if (lines_[number].waits) {
            lines_[number].waits = false;
            ready_.push_back(number);
        }
    }

    /// Whether all givers of the event have reached their call. If not, the line waits for the first missing giver.
    /// Waiting for all of them again and again would take quadratic time.
    bool has_taken(std::uint32_t number, Line& line) {
        const Event& event = step_.lines[number].events[line.event];
        for (; line.taken < event.transfers; ++line.taken) {
            const std::uint32_t exchange = step_.lines[number].transfer_at(event, line.taken).exchange;
            const Exchange::Side side{number, static_cast<std::uint32_t>(line.event), line.taken};
            if (takes(step_, exchanges_.all[exchange], side) && meetings_[exchange].awaited > 0) {
                meetings_[exchange].waiting.push_back(number);
                line.waits = true;
                return false;
            }
        }
        return true;
    }

    void leave(std::uint32_t number, Line& line) {
        bool taken = line.bad_before;
        for_exchanges(number, line, [&](std::uint32_t exchange, const Exchange::Side& side) {
            taken = taken || (takes(step_, exchanges_.all[exchange], side) && meetings_[exchange].bad_before);
        });
        line.bad_before = taken;
        if (counts_behind(number, line)) {
            meet(number, line);
        }
        line.entered = false;
        line.taken = 0;
        ++line.event;
    }

    void advance(std::uint32_t number) {
        Line& line = lines_[number];
        while (line.event < step_.lines[number].events.size()) {
            if (!line.entered) {
                enter(number, line);
            }
            if (!has_taken(number, line)) {
                return;
            }
            leave(number, line);
        }
    }

    /// No line can continue: the first waiting line stops waiting. Returns false if all lines are at their end.
    bool pass_one() {
        for (std::uint32_t number = 0; number < lines_.size(); ++number) {
            if (lines_[number].waits) {
                lines_[number].waits = false;
                leave(number, lines_[number]);
                ready_.push_back(number);
                return true;
            }
        }
        return false;
    }

    const Step& step_;
    const Exchanges& exchanges_;
    bool (*counts_)(const DraftFinding&);
    std::vector<Line> lines_;
    std::vector<Meeting> meetings_;
    std::deque<std::uint32_t> ready_;
};

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

using Steps = std::span<const SettledStep>;

/// The earliest findings of one step, or of both halves of it.
std::vector<First> candidates_of(Steps steps, bool (*counts)(const DraftFinding&), Answer& answer) {
    std::vector<First> candidates;
    for (const SettledStep& settled : steps) {
        if (!has_any(settled.step, counts)) {
            continue;
        }
        const Earliest earliest = Walk(settled.step, settled.exchanges, counts).run();
        candidates.insert(candidates.end(), earliest.events.begin(), earliest.events.end());
        if (earliest.contradiction) {
            answer.diagnostics.push_back(remarks::diagnose("order_contradicts", {{"step", step_name(settled.step)}}));
        }
    }
    return candidates;
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
    const std::vector<First> candidates = candidates_of(unknown, counts, aside);
    if (!candidates.empty()) {
        answer.diagnostics.push_back(remarks::diagnose(
            "order_unknown",
            {{"count", candidates.size()}, {"api", candidates.front().draft->finding.api}, {"step", *first.number}}));
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

}  // namespace opdebug::api_culprits
