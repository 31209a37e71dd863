// From paths to the report.
#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/exchanges.hpp"
#include "bytes/each_in_parallel.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug {
namespace api_culprits {
namespace {

/// Whether another dump reported the diagnostic: dumps of one folder share the log of failures, and dumps below a
/// folder share msprobe's settings.
bool was_reported(const Diagnostic& diagnostic, const FileFacts& facts, std::set<std::string>& folders) {
    const std::string& file = facts.file.file;
    const bool is_repeated = diagnostic.code == "values_of_a_slice" && !folders.insert(diagnostic.message).second;
    return is_repeated ||
           (diagnostic.code == "collection_failed" && !folders.insert(file.substr(0, file.rfind('/') + 1)).second);
}

void report_file(const FileFacts& facts, std::set<std::string>& folders, std::vector<Diagnostic>& diagnostics) {
    const auto add = [&](const Diagnostic& remark) {
        diagnostics.push_back(remarks::begin_with(facts.file.file, remark));
    };
    for (const Diagnostic& diagnostic : facts.file.diagnostics) {
        if (was_reported(diagnostic, facts, folders)) {
            continue;
        }
        const bool is_named = diagnostic.message.find(facts.file.file) != std::string::npos;
        diagnostics.push_back(is_named ? diagnostic : remarks::begin_with(facts.file.file, diagnostic));
    }
    if (facts.has_values && !facts.has_statistics && !facts.has_flags) {
        add(remarks::diagnose("no_statistics"));
    } else if (facts.file.entries != 0 && !facts.has_arguments && !facts.has_flags) {
        add(remarks::diagnose("no_statistics.values"));
    }
    if (facts.unread_flags > 0) {
        add(remarks::diagnose("register_unread", {{"count", facts.unread_flags}}));
    }
}

void count(const std::vector<FileFacts>& files, ApiReport& report) {
    std::set<std::optional<std::uint64_t>> steps;
    std::set<std::tuple<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> ranks;
    for (const FileFacts& facts : files) {
        report.counts.entries += facts.file.entries;
        steps.insert(facts.file.step);
        ranks.insert({facts.file.rank, facts.file.rank ? std::nullopt : facts.file.process});
    }
    report.counts.files = files.size();
    report.counts.steps = steps.size();
    report.counts.ranks = ranks.size();
    report.counts.failed = report.failures.size();
}

void complete(FileFacts& facts) {
    for (DraftFinding& draft : facts.drafts) {
        draft.finding.source = facts.file.source;
        draft.finding.step = facts.file.step;
        draft.finding.rank = facts.file.rank;
        draft.finding.process = facts.file.process;
        draft.finding.file = facts.file.file;
    }
}

/// Adds the findings of a file by position, with a limit for each verdict. Always adds first culprits.
void add_findings(FileFacts& facts, std::uint64_t of_each, ApiReport& report) {
    std::stable_sort(facts.drafts.begin(), facts.drafts.end(), [](const DraftFinding& left, const DraftFinding& right) {
        return left.finding.position < right.finding.position;
    });
    std::map<ApiVerdict, std::uint64_t> listed;
    for (DraftFinding& draft : facts.drafts) {
        if (listed[draft.finding.verdict] >= of_each && !draft.is_first) {
            ++facts.left_out;
            continue;
        }
        ++listed[draft.finding.verdict];
        report.findings.push_back(std::move(draft.finding));
    }
}

void add_findings(std::vector<Run>& runs, const ApiOptions& options, ApiReport& report) {
    for (Run& run : runs) {
        for (Step& step : run.steps) {
            for (TimeLine& line : step.lines) {
                for (FileFacts* const facts : line.files) {
                    add_findings(*facts, options.findings_per_verdict, report);
                }
            }
        }
    }
}

/// The probable mode of the device. Without these values it is not known: since June 2026 task nan_check works in both.
void report_mode(const std::vector<FileFacts>& files, std::vector<Diagnostic>& diagnostics) {
    const auto any = [&files](bool FileFacts::*sign) {
        return std::any_of(files.begin(), files.end(), [sign](const FileFacts& facts) { return facts.*sign; });
    };
    if (any(&FileFacts::shows_infinity)) {
        diagnostics.push_back(remarks::diagnose("mode_inferred.infnan"));
    } else if (any(&FileFacts::shows_limit)) {
        diagnostics.push_back(remarks::diagnose("mode_inferred"));
    }
}

/// The results of the files in their order. They do not depend on the number of threads.
std::vector<Result<FileFacts>> judge_files(const std::vector<api_dump::DumpFile>& dumps, const ApiOptions& options) {
    std::vector<std::optional<Result<FileFacts>>> judged(dumps.size());
    bytes::each_in_parallel(dumps.size(), threads_of(options, dumps.size()),
                            [&](std::size_t i) { judged[i] = judge_file(dumps[i], options); });
    std::vector<Result<FileFacts>> results;
    results.reserve(judged.size());
    for (std::optional<Result<FileFacts>>& result : judged) {
        results.push_back(std::move(*result));
    }
    return results;
}

std::vector<FileFacts> take_results(std::vector<Result<FileFacts>>&& results, ApiReport& report) {
    std::vector<FileFacts> files;
    for (Result<FileFacts>& result : results) {
        if (result) {
            files.push_back(std::move(*result));
        } else if (result.error().code == ErrorCode::interrupted) {
            report.complete = false;
        } else {
            report.failures.push_back(std::move(result.error()));
        }
    }
    return files;
}

void answer(std::vector<FileFacts>& files, const ApiOptions& options, ApiReport& report) {
    std::vector<Run> runs = runs_of(files);
    std::set<std::string> folders;  // folders with reported failures
    for (FileFacts& facts : files) {
        complete(facts);
        report_file(facts, folders, report.diagnostics);
    }
    report_mode(files, report.diagnostics);
    if (runs.size() > 1) {
        report.diagnostics.push_back(remarks::diagnose("several_runs", {{"count", runs.size()}}));
    }
    for (Run& run : runs) {
        Answer result = answer_of(run);
        add_surroundings(result, options, report);
        for (const First& first : result.first) {
            first.draft->is_first = true;
            report.first.push_back(first.draft->finding);
        }
        std::move(result.diagnostics.begin(), result.diagnostics.end(), std::back_inserter(report.diagnostics));
    }
    add_findings(runs, options, report);
    for (const FileFacts& facts : files) {
        if (facts.left_out > 0) {
            report.diagnostics.push_back(
                remarks::diagnose("findings_left_out", {{"file", facts.file.file}, {"count", facts.left_out}}));
        }
    }
}

}  // namespace

ApiReport report_on(const api_dump::DumpList& dumps, std::vector<Result<FileFacts>>&& judged,
                    const std::vector<std::string>& inputs, const ApiOptions& options) {
    ApiReport report;
    report.inputs = inputs;
    report.failures = dumps.failures;
    report.diagnostics = dumps.diagnostics;
    std::vector<FileFacts> files = take_results(std::move(judged), report);
    answer(files, options, report);
    count(files, report);
    return report;
}

ApiReport culprits_in(const api_dump::DumpList& dumps, const std::vector<std::string>& inputs,
                      const ApiOptions& options) {
    return report_on(dumps, judge_files(dumps.files, options), inputs, options);
}

}  // namespace api_culprits

inline namespace v0 {

Result<ApiReport> find_api_culprits(const std::vector<std::string>& paths, const ApiOptions& options) {
    const Result<api_dump::DumpList> dumps = api_dump::find_dumps(paths, options.read);
    if (!dumps) {
        return dumps.error();
    }
    return api_culprits::culprits_in(*dumps, paths, options);
}

std::string_view to_string(ApiState state) noexcept {
    constexpr std::string_view kNames[] = {"unknown", "clean", "near_limit", "limit", "inf", "nan"};
    return kNames[static_cast<std::size_t>(state)];
}

std::string_view to_string(ApiVerdict verdict) noexcept {
    constexpr std::string_view kNames[] = {"clean",     "born_here",     "inherited", "absorbed",   "weight",
                                           "saturated", "in_collective", "process",   "deliberate", "unknown"};
    return kNames[static_cast<std::size_t>(verdict)];
}

}  // namespace v0
}  // namespace opdebug
