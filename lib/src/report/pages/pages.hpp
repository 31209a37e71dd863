// Pages on training logs, tensors and logged tasks, for people and as documents.
#pragma once

#include <string>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

#include "difference/difference.hpp"
#include "report/json/json_parts.hpp"
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

}  // namespace opdebug::report
