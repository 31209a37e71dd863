// Runs of one process: before and after its restarts, and in several files; and the run that decides.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "training/training.hpp"

namespace opdebug::training {
namespace {

/// The run of the same process after its restart. Null: none.
const Run* after_restart(const Run& run, const TrainingLogs& logs) {
    const Run* const next = &run + 1;
    return next < logs.runs.data() + logs.runs.size() && next->series.resumed_at ? next : nullptr;
}

bool is_too_short(const Run& run) {
    return run.findings.front().rule == "too_few_lines";
}

/// Of a folder: a few lines in some text, or of an attempt. Not a log that states its stop, or goes on after others.
bool may_be_sample(const TrainingLogs& logs, const Run& run) {
    const auto is_short = [](const Run& one) { return one.counts.lines < rule("clean_steps"); };
    const auto ends_before = [&](const Run& one) {
        return is_short(one) || one.series.last_step().value_or(0) < run.series.first_step().value_or(0);
    };
    return run.series.in_folder && is_short(run) && run.series.marks.empty() &&
           !std::all_of(logs.runs.begin(), logs.runs.end(), ends_before);
}

/// The steps of the process, also before and after its restarts. If steps were repeated, the later ones count.
/// Runs that are too short do not count, except `also`.
Series with_restarts(const TrainingLogs& logs, const Run& run, const Run* also) {
    const Run* first = &run;
    while (first->series.resumed_at && first != logs.runs.data()) {
        --first;
    }
    Series whole = first->series;
    std::vector<Step> steps = std::move(whole.steps);
    std::vector<Mark> marks = std::move(whole.marks);
    for (const Run* next = after_restart(*first, logs); next != nullptr; next = after_restart(*next, logs)) {
        if (is_too_short(*next) && next != also) {
            continue;
        }
        const std::uint64_t from = *next->series.resumed_at, to = next->series.last_step().value_or(0);
        const auto again = std::find_if(steps.begin(), steps.end(),
                                        [from](const Step& step) { return step.step.value_or(UINT64_MAX) >= from; });
        const auto after =
            std::find_if(again, steps.end(), [to](const Step& step) { return step.step.value_or(0) > to; });
        const std::vector<Step> rest(after, steps.end());
        steps.erase(again, steps.end());
        std::erase_if(marks, [from, to](const Mark& mark) {
            const std::uint64_t step = mark.step.value_or(mark.after.value_or(0) + 1);
            return from <= step && step <= to;
        });
        const bool begins_at_start = steps.empty() ? next->series.begins_at_start : whole.begins_at_start;
        const std::uint64_t missing = whole.missing + next->series.missing;
        steps.insert(steps.end(), next->series.steps.begin(), next->series.steps.end());
        steps.insert(steps.end(), rest.begin(), rest.end());
        marks.insert(marks.end(), next->series.marks.begin(), next->series.marks.end());
        whole = next->series;
        whole.begins_at_start = begins_at_start;
        whole.missing = missing;
    }
    whole.steps = std::move(steps);
    whole.marks = std::move(marks);
    return whole;
}

/// A series that goes on in another file.
Series joined(Series first, Series next) {
    first.steps.insert(first.steps.end(), next.steps.begin(), next.steps.end());
    first.marks.insert(first.marks.end(), next.marks.begin(), next.marks.end());
    first.missing += next.missing;
    first.damaged += next.damaged;
    first.cut = next.cut;
    first.ranks_disagree = first.ranks_disagree || next.ranks_disagree;
    first.skips_by_events = first.skips_by_events || next.skips_by_events;
    first.skips_counted = first.skips_counted && next.skips_counted;
    first.lacks_main_loss = first.lacks_main_loss && next.lacks_main_loss;
    return first;
}

}  // namespace

const Run* deciding_run(const TrainingLogs& logs) {
    const auto decides_less = [&logs](const Run* a, const Run* b) {
        const Finding &of_a = a->findings.front(), &of_b = b->findings.front();
        const bool is_a_short = is_too_short(*a) || may_be_sample(logs, *a);
        if (is_a_short != (is_too_short(*b) || may_be_sample(logs, *b))) {
            return is_a_short;
        }
        if (of_a.verdict != of_b.verdict) {
            return of_a.verdict > of_b.verdict;
        }
        return of_a.verdict < Verdict::undecided && of_a.step != of_b.step
                   ? of_a.step.value_or(UINT64_MAX) > of_b.step.value_or(UINT64_MAX)
                   : a->counts.steps < b->counts.steps;
    };
    const auto is_fault = [](const Run& run) { return run.findings.front().verdict < Verdict::undecided; };
    std::vector<const Run*> valid, later;  // later: restarts of this process that are long enough
    const Run* newer = nullptr;            // the next run of this process that is long enough
    std::ptrdiff_t others = 0;             // items of `valid` that belong to other processes
    for (auto run = logs.runs.rbegin(); run != logs.runs.rend(); ++run) {
        const std::uint64_t step = run->findings.front().step.value_or(run->series.first_step().value_or(0));
        const bool is_done_again = std::any_of(later.begin(), later.end(), [step](const Run* again) {
            return *again->series.resumed_at <= step && step <= again->series.last_step().value_or(0);
        });
        const bool is_replaced = newer != nullptr && newer->series.part > run->series.part && !is_fault(*run);
        if (!is_done_again && !is_replaced) {
            const auto is_known = [&](const Run* next) {  // of several parts of a log the first with the fault counts
                return is_fault(*run) && next->series.part > run->series.part &&
                       next->findings.front().verdict == run->findings.front().verdict;
            };
            valid.erase(std::remove_if(valid.begin() + others, valid.end(), is_known), valid.end());
            valid.push_back(&*run);
        }
        newer = is_too_short(*run) ? newer : &*run;
        if (!run->series.resumed_at) {
            later.clear();
            newer = run->series.part == 1 ? nullptr : newer;
            others = run->series.part == 1 ? static_cast<std::ptrdiff_t>(valid.size()) : others;
        } else if (!is_too_short(*run)) {
            later.push_back(&*run);
        }
    }
    const auto run = std::max_element(valid.rbegin(), valid.rend(), decides_less);
    return run == valid.rend() ? nullptr : *run;
}

Run whole_run(const TrainingLogs& logs, const Run& run) {
    Series whole = with_restarts(logs, run, &run);
    const bool goes_on = whole.part == whole.parts;  // in another file
    std::vector<Series> others;                      // of the same process in other files
    for (const Run& one : logs.runs) {
        if (one.series.part == one.series.parts && !one.series.resumed_at && one.series.file != whole.file &&
            one.series.rank == whole.rank && one.series.format == whole.format) {
            others.push_back(with_restarts(logs, one, nullptr));
        }
    }
    std::stable_sort(others.begin(), others.end(),
                     [](const Series& a, const Series& b) { return a.first_step() < b.first_step(); });
    for (Series& other : others) {
        if (goes_on && other.first_step() && whole.last_step() && *other.first_step() > *whole.last_step()) {
            whole = joined(std::move(whole), std::move(other));
        } else if (other.last_step() && whole.first_step() && *other.last_step() < *whole.first_step()) {
            whole = joined(std::move(other), std::move(whole));
        }
    }
    return judge(std::move(whole));
}

}  // namespace opdebug::training
