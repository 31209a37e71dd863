// The document "opdebug.train_report/1".
#include "report/json/training_json.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace opdebug::report {
namespace {

using nlohmann::ordered_json;
using training::Run;
using training::Step;

/// JSON has no NaN: "nan", "inf", "-inf".
ordered_json number_json(const std::optional<double>& value) {
    return value && !std::isfinite(*value) ? ordered_json(std::isnan(*value) ? "nan"
                                                          : *value > 0       ? "inf"
                                                                             : "-inf")
                                           : known_or_null(value);
}

ordered_json text_json(const std::string& text) {
    return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json step_json(const Step& step) {
    return {{"step", known_or_null(step.step)},
            {"steps", step.steps},
            {"line", step.line},
            {"time", text_json(step.time)},
            {"loss", number_json(step.loss)},
            {"loss_hidden", step.loss_hidden},
            {"grad_norm", number_json(step.grad_norm)},
            {"scale", number_json(step.scale)},
            {"skipped", known_or_null(step.skipped)},
            {"falls", step.falls},
            {"growths", step.growths},
            {"applied_overflows", step.applied_overflows}};
}

ordered_json counts_json(const training::Counts& counts) {
    const auto if_sure = [&counts](std::uint64_t count) {
        return counts.is_least ? ordered_json() : ordered_json(count);
    };
    const auto if_known = [&counts, &if_sure](std::uint64_t count) {
        return counts.skips_known ? if_sure(count) : ordered_json();
    };
    return {{"lines", counts.lines},
            {"steps", counts.steps},
            {"applied", if_known(counts.applied)},
            {"skipped", if_known(counts.skipped)},
            {"skipped_at_start", if_known(counts.skipped_at_start)},
            {"nan", counts.nan},
            {"hidden", counts.hidden},
            {"falls", if_sure(counts.falls)},
            {"growths", if_sure(counts.growths)}};
}

/// First, last, smallest and largest scale, and the changes; null: the log has none.
ordered_json scale_json(const std::vector<Step>& steps) {
    constexpr std::size_t kMostChanges = 1000;
    std::vector<const Step*> known;
    for (const Step& step : steps) {
        if (step.scale) {
            known.push_back(&step);
        }
    }
    if (known.empty()) {
        return {};
    }
    const auto [least, most] = std::minmax_element(known.begin(), known.end(),
                                                   [](const Step* a, const Step* b) { return *a->scale < *b->scale; });
    ordered_json document{{"first", *known.front()->scale},
                          {"last", *known.back()->scale},
                          {"min", *(*least)->scale},
                          {"max", *(*most)->scale},
                          {"changes", ordered_json::array()}};
    for (std::size_t i = 1; i < known.size() && document["changes"].size() < kMostChanges; ++i) {
        if (*known[i]->scale != *known[i - 1]->scale) {
            document["changes"].push_back(
                {{"step", known_or_null(known[i]->step)}, {"from", *known[i - 1]->scale}, {"to", *known[i]->scale}});
        }
    }
    return document;
}

ordered_json finding_json(const training::Finding& finding) {
    return {{"verdict", std::string(to_string(finding.verdict))},
            {"rule", finding.rule},
            {"because", finding.because.en},
            {"because_zh", finding.because.zh},
            {"step", known_or_null(finding.step)},
            {"steps", finding.steps},
            {"line", finding.line == 0 ? ordered_json() : ordered_json(finding.line)}};
}

ordered_json run_json(const Run& run, bool all) {
    const training::Series& series = run.series;
    ordered_json document{{"file", series.file},
                          {"rank", known_or_null(series.rank)},
                          {"format", series.format},
                          {"printed_by", text_json(series.who)},
                          {"first_step", known_or_null(series.first_step())},
                          {"last_step", known_or_null(series.last_step())},
                          {"interval", series.interval},
                          {"steps_counted", series.steps_counted},
                          {"guessed", series.guessed},
                          {"resumed_at", known_or_null(series.resumed_at)},
                          {"part", series.part},
                          {"parts", series.parts},
                          {"lines_missing", series.missing},
                          {"lines_damaged", series.damaged},
                          {"verdict", std::string(to_string(run.findings.front().verdict))},
                          {"findings", ordered_json::array()},
                          {"counts", counts_json(run.counts)},
                          {"scale", scale_json(series.steps)},
                          {"steps", ordered_json()}};
    for (const training::Finding& finding : run.findings) {
        document["findings"].push_back(finding_json(finding));
    }
    if (all) {
        document["steps"] = ordered_json::array();
        for (const Step& step : series.steps) {
            document["steps"].push_back(step_json(step));
        }
    }
    return document;
}

ordered_json runs_json(const training::TrainingLogs& logs, bool all) {
    ordered_json list = ordered_json::array();
    for (const Run& run : logs.runs) {
        list.push_back(run_json(run, all));
    }
    return list;
}

ordered_json bench_json(const TrainingReport& report) {
    if (!report.comparison) {
        return {};
    }
    const training::BenchComparison& one = *report.comparison;
    ordered_json window;
    if (one.window_here != 0) {
        window = {{"first", one.window_first},
                  {"last", one.window_last},
                  {"here", one.window_here},
                  {"there", one.window_there},
                  {"strength", one.is_strong ? "strong" : "weak"}};
    }
    return {{"rule", std::string(to_string(one.rule))},
            {"because", one.because.en},
            {"because_zh", one.because.zh},
            {"counted", one.counts_skips ? "skipped" : "nan"},
            {"here", one.here},
            {"there", one.there},
            {"common_steps", one.common},
            {"problem_step", known_or_null(one.problem_step)},
            {"problem_steps", one.problem_steps},
            {"window", std::move(window)},
            {"falls_only_here", one.falls_only_here},
            {"falls_on_both", one.falls_on_both},
            {"runs", runs_json(*report.bench, false)}};
}

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

TrainingReport training_report(training::TrainingLogs logs, std::optional<training::TrainingLogs> bench) {
    TrainingReport report{std::move(logs), std::move(bench), {}};
    const Run* const here = deciding_run(report.logs);
    const Run* const there = report.bench ? deciding_run(*report.bench) : nullptr;
    if (here != nullptr && there != nullptr) {
        report.comparison = training::compare(whole_run(report.logs, *here), whole_run(*report.bench, *there));
    }
    return report;
}

ordered_json training_document(const TrainingReport& report, bool all) {
    const Run* const decides = deciding_run(report.logs);
    ordered_json document{{"schema", "opdebug.train_report/1"}, {"inputs", ordered_json::array()}};
    for (const training::TrainingFile& file : report.logs.files) {
        document["inputs"].push_back({{"file", file.path},
                                      {"lines", file.lines},
                                      {"lines_matched", file.matched},
                                      {"lines_damaged", file.damaged},
                                      {"last_line_cut", file.cut}});
    }
    document["verdict"] =
        decides == nullptr ? ordered_json() : ordered_json(std::string(to_string(decides->findings.front().verdict)));
    document["deciding_run"] = decides == nullptr ? ordered_json() : ordered_json(decides - report.logs.runs.data());
    document["runs"] = runs_json(report.logs, all);
    document["culprit_ranks"] = culprit_ranks(report.logs);
    document["bench"] = bench_json(report);
    document["failures"] = ordered_json::array();
    for (const auto* logs : {&report.logs, report.bench ? &*report.bench : nullptr}) {
        for (const training::Failure& failure : logs == nullptr ? std::vector<training::Failure>() : logs->failures) {
            document["failures"].push_back({{"file", failure.error.file},
                                            {"code", std::string(to_string(failure.error.code))},
                                            {"message", failure.error.message}});
        }
    }
    return document;
}

std::string training_to_json(const TrainingReport& report, bool all) {
    return training_document(report, all).dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opdebug::report
