// The report on training logs, as text and as the document "opdebug.train_report/1".
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <opdebug/report.hpp>

#include "training/training.hpp"

namespace opdebug::report {

struct TrainingReport {
    training::TrainingLogs logs;
    std::optional<training::TrainingLogs> bench;
    std::optional<training::BenchComparison> comparison;  ///< of the runs that decide
};

/// The comparison is made if there is a benchmark.
TrainingReport training_report(training::TrainingLogs logs, std::optional<training::TrainingLogs> bench);

/// The run that decides: verdict, rule, loss scale, counts, benchmark; the others in one line each.
std::string training_to_text(const TrainingReport& report, const ReportOptions& options);

/// `all`: with each step.
std::string training_to_json(const TrainingReport& report, bool all);

}  // namespace opdebug::report
