// Pages for people, and documents of small reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "api_pairs/bench.hpp"
#include "difference/difference.hpp"
#include "report/json/json_parts.hpp"
#include "report/scan/scan_api.hpp"
#include "report/scan/scan_page.hpp"
#include "scan/logged_tasks.hpp"

namespace opdebug::report {

/// The run that decides: verdict, rule, loss scale, counts, benchmark; the others in one line each.
std::string training_to_text(const TrainingReport& report, const ReportOptions& options);

/// The verdict of the run that decides, with its file and steps. Empty: no run.
std::string training_head(const TrainingReport& report, const ReportOptions& options);

/// The verdict with its rule, both names, what differs, and what to do:
///
///   Verdict: region overwritten (strong): one region of bytes 0 to 4096: …
///   An overwrite is likely, if B is right: opdebug cannot check B.
///   A net/split input 0
///   B net/layer_norm output 0     bfloat16 (3072,)
///   2047 of 3072 elements differ; first 0, last 2047; 2 runs, 99.95 % inside
///   bytes 0 to 4096; rows: 0 of 1 whole, 0 untouched; NaN only in A: 310, only in B: 0; …
///   Next: …
///
/// Without a pair, or with different types and shapes: only the verdict, its reason and the names. The language, the
/// width and the colours are those of `options`.
std::string difference_to_text(const difference::Difference& difference, const ReportOptions& options);

/// The document: members that need a comparison are null without one. `options.one_line`: without line breaks.
std::string difference_to_json(const difference::Difference& difference, const ReportOptions& options);

/// A heading line, a line for each tensor, and below it remarks on it. Counts that are 0 are left empty, and columns
/// without any content are left out. Empty without tensors.
std::string tensors_table(const std::vector<DumpedTensor>& tensors, const ReportOptions& options);

/// The first task with cause, next steps and evidence; the others in one line each, with `verbose` like the first.
std::string logged_tasks_to_text(const std::vector<scan_stage::LoggedTask>& tasks, const ReportOptions& options);

std::string logged_tasks_to_json(const std::vector<scan_stage::LoggedTask>& tasks,
                                 const std::vector<std::string>& inputs, const std::vector<Diagnostic>& diagnostics,
                                 Language language);

/// Writes the page piece by piece; ends early when the sink wants no more.
void scan_text(const ScanContents& page, const TextSink& sink);
/// The same as one HTML file.
void scan_html(const ScanContents& page, const TextSink& sink);
/// Members of its data: the overflowed dumps, and "tables": API dumps, chains, failures and clean dumps.
void write_page_data(const ScanContents& page, const ScanAnswer& answer, JsonWriter& json);

/// The first overflow: operator, location, margin, causes, file, next step. Empty: there is none.
std::string first_overflow_text(const ScanContents& page, const ScanAnswer& answer);

/// A new overflow of a running job. The first of its rank has location, time, causes and file; others have a line for
/// each new group.
std::string watched_overflow_text(const WatchedOverflow& overflow, const ReportOptions& options);

/// How the overflow reached the other ranks or devices of its step; with ScanLists::ranks all of them.
std::string spread_text(const ScanContents& page, const ScanAnswer& answer);

/// The table of operators.
std::string operators_text(const ScanContents& page, const ScanAnswer& answer);

/// The line of counts, which ends the page.
std::string counts_text(const ScanContents& page, const ScanAnswer& answer);

/// The first 20 chains of which something was measured, with the dump that shows the first bad value. Empty without
/// chains.
std::string chains_to_text(const OverflowChains& chains, const ReportOptions& options);

/// The page without remarks and counts: first culprits with reason, margin, next step, evidence and call stack, or that
/// there is none; the lists; files that could not be read.
/// `heading`: whether a single culprit begins with its heading.
std::string api_answer_text(const ApiReport& report, const ApiPageOptions& options, bool heading = true);

/// The end of the page: remarks, and "18572 calls in 8 files, 1 step, 8 ranks".
std::string api_end_text(const ApiReport& report, const std::vector<Diagnostic>& remarks,
                         const ApiPageOptions& options);

/// The first bad call of each rank, then other culprits or all findings. Begins with an empty line if there are any.
std::string api_lists_text(const ApiReport& report, const ApiPageOptions& options);

/// What lib/data/api/next_steps.json advises; empty: nothing. A remark knows better what is next than the call, and
/// that better than the verdict.
std::string api_next_step(const ApiFinding& finding, Language language);

/// Whether the report has a remark of this code.
bool has_remark(std::string_view code, const ApiReport& report);

/// Overflow dumps with their ties to API calls, by step and rank; empty: there is no such dump.
std::string api_timelines_text(const ScanApi& api, const std::optional<int>& utc_offset_minutes,
                               const ReportOptions& options);

/// The comparison with a benchmark, before the page on API dumps: problem step, breaks, outcome of each step, counts.
std::string bench_to_text(const api_pairs::BenchComparison& bench, const ReportOptions& options);

/// The options of the page on API dumps that belong to those of a scan.
inline ApiPageOptions api_page_options(const ScanReportOptions& options) {
    return {options.report, options.filter, options.all, options.top};
}

}  // namespace opdebug::report
