// The document "opdebug.train_report/1". Keys are always present; what is unknown is null.
#include "report/json/json_parts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace opdebug::report {

using training::Run;
using training::Step;

namespace {

std::set<std::uint64_t> culprit_ranks(const training::TrainingLogs& logs) {
    std::set<std::uint64_t> ranks;
    for (const Run& run : logs.runs) {
        for (const training::Mark& mark : run.series.marks) {
            if (mark.kind == training::Mark::Kind::nan_stop && mark.rank) {
                ranks.insert(*mark.rank);
            }
        }
    }
    return ranks;
}

}  // namespace

static void write_members(const Step& step, JsonWriter& json) {
    json.member("step", step.step);
    json.member("steps", step.steps);
    json.member("line", step.line);
    json.text_member("time", step.time);
    json.member("loss", step.loss);
    json.member("loss_hidden", step.loss_hidden);
    json.member("grad_norm", step.grad_norm);
    json.member("scale", step.scale);
    json.member("skipped", step.skipped);
    json.member("falls", step.falls);
    json.member("growths", step.growths);
    json.member("applied_overflows", step.applied_overflows);
}

static void write_members(const training::Counts& counts, JsonWriter& json) {
    const auto write_if = [&json](bool is_known, const char* name, std::uint64_t count) {
        json.member(name, is_known ? std::optional(count) : std::nullopt);
    };
    const bool is_sure = !counts.is_least;
    json.member("lines", counts.lines);
    json.member("steps", counts.steps);
    write_if(is_sure && counts.skips_known, "applied", counts.applied);
    write_if(is_sure && counts.skips_known, "skipped", counts.skipped);
    write_if(is_sure && counts.skips_known, "skipped_at_start", counts.skipped_at_start);
    json.member("nan", counts.nan);
    json.member("hidden", counts.hidden);
    write_if(is_sure, "falls", counts.falls);
    write_if(is_sure, "growths", counts.growths);
}

/// First, last, smallest and largest scale, and the changes; null: the log has none.
static void write_scale(const std::vector<Step>& steps, JsonWriter& json) {
    constexpr std::size_t kMostChanges = 1000;
    std::vector<const Step*> known;
    std::vector<std::pair<const Step*, const Step*>> changes;
    for (const Step& step : steps) {
        if (step.scale) {
            if (!known.empty() && *known.back()->scale != *step.scale && changes.size() < kMostChanges) {
                changes.emplace_back(known.back(), &step);
            }
            known.push_back(&step);
        }
    }
    if (known.empty()) {
        json.null_member("scale");
        return;
    }
    const auto by_scale = [](const Step* a, const Step* b) { return *a->scale < *b->scale; };
    json.member("scale", [&] {
        json.member("first", known.front()->scale);
        json.member("last", known.back()->scale);
        json.member("min", (*std::min_element(known.begin(), known.end(), by_scale))->scale);
        json.member("max", (*std::max_element(known.begin(), known.end(), by_scale))->scale);
        json.objects("changes", changes, [&](const auto& change) {
            json.member("step", change.second->step);
            json.member("from", change.first->scale);
            json.member("to", change.second->scale);
        });
    });
}

/// `all`: with each step.
static void write_run(const Run& run, bool all, JsonWriter& json) {
    const training::Series& series = run.series;
    json.member("file", series.file);
    json.member("rank", series.rank);
    json.member("format", series.format);
    json.text_member("printed_by", series.who);
    json.member("first_step", series.first_step());
    json.member("last_step", series.last_step());
    json.member("interval", series.interval);
    json.member("steps_counted", series.steps_counted);
    json.member("guessed", series.guessed);
    json.member("resumed_at", series.resumed_at);
    json.member("part", series.part);
    json.member("parts", series.parts);
    json.member("lines_missing", series.missing);
    json.member("lines_damaged", series.damaged);
    json.member("verdict", run.findings.front().verdict);
    json.objects("findings", run.findings, [&](const training::Finding& finding) {
        json.member("verdict", finding.verdict);
        json.member("rule", finding.rule);
        json.both("because", finding.because);
        json.member("step", finding.step);
        json.member("steps", finding.steps);
        json.member("line", finding.line == 0 ? std::nullopt : std::optional(finding.line));
    });
    json.member("counts", run.counts);
    write_scale(series.steps, json);
    json.member("steps", all ? &series.steps : nullptr);
}

static void write_runs(const training::TrainingLogs& logs, bool all, JsonWriter& json) {
    json.objects("runs", logs.runs, [&](const Run& run) { write_run(run, all, json); });
}

static void write_bench(const TrainingReport& report, JsonWriter& json) {
    if (!report.comparison) {
        json.null_member("bench");
        return;
    }
    const training::BenchComparison& one = *report.comparison;
    const auto window = [&] {
        json.member("first", one.window_first);
        json.member("last", one.window_last);
        json.member("here", one.window_here);
        json.member("there", one.window_there);
        json.member("strength", one.is_strong ? "strong" : "weak");
    };
    json.member("bench", [&] {
        json.member("rule", one.rule);
        json.both("because", one.because);
        json.member("counted", one.counts_skips ? "skipped" : "nan");
        json.member("here", one.here);
        json.member("there", one.there);
        json.member("common_steps", one.common);
        json.member("problem_step", one.problem_step);
        json.member("problem_steps", one.problem_steps);
        one.window_here == 0 ? json.null_member("window") : json.member("window", window);
        json.member("falls_only_here", one.falls_only_here);
        json.member("falls_on_both", one.falls_on_both);
        write_runs(*report.bench, false, json);
    });
}

static void write_report(const TrainingReport& report, bool all, JsonWriter& json) {
    const Run* const decides = deciding_run(report.logs);
    json.member("schema", "opdebug.train_report/1");
    json.objects("inputs", report.logs.files, [&](const training::TrainingFile& file) {
        json.member("file", file.path);
        json.member("lines", file.lines);
        json.member("lines_matched", file.matched);
        json.member("lines_damaged", file.damaged);
        json.member("last_line_cut", file.cut);
    });
    json.member("verdict", decides ? std::optional(decides->findings.front().verdict) : std::nullopt);
    json.member("deciding_run", decides ? std::optional(decides - report.logs.runs.data()) : std::nullopt);
    write_runs(report.logs, all, json);
    json.member("culprit_ranks", culprit_ranks(report.logs));
    write_bench(report, json);
    std::vector<std::string> without_steps = report.logs.without_steps;
    std::vector<training::Failure> failures = report.logs.failures;
    if (report.bench) {
        without_steps.insert(without_steps.end(), report.bench->without_steps.begin(),
                             report.bench->without_steps.end());
        failures.insert(failures.end(), report.bench->failures.begin(), report.bench->failures.end());
    }
    json.member("without_steps", without_steps);
    json.objects("failures", failures, [&](const training::Failure& failure) {
        json.member("file", failure.error.file);
        json.member("code", failure.error.code);
        json.member("message", failure.error.message);
    });
}

void write_members(const TrainingReport& report, JsonWriter& json) {
    write_report(report, false, json);
}

TrainingReport training_report(training::TrainingLogs logs, std::optional<training::TrainingLogs> bench) {
    TrainingReport report{std::move(logs), std::move(bench), {}};
    const Run* const here = deciding_run(report.logs);
    const Run* const there = report.bench ? deciding_run(*report.bench) : nullptr;
    if (here != nullptr && there != nullptr) {
        report.comparison = training::compare(whole_run(report.logs, *here), whole_run(*report.bench, *there));
    }
    return report;
}

std::string training_to_json(const TrainingReport& report, bool all) {
    JsonWriter json{ReportOptions()};
    json.value([&] { write_report(report, all, json); });
    return json.take();
}

}  // namespace opdebug::report
