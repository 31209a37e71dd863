// The report on training logs as a page for people.
#pragma once

#include <string>

#include <opdebug/report.hpp>

#include "report/json/training_json.hpp"

namespace opdebug::report {

/// The run that decides: verdict, rule, loss scale, counts, benchmark; the others in one line each.
std::string training_to_text(const TrainingReport& report, const ReportOptions& options);

/// The verdict of the run that decides, with its file and steps. Empty: no run.
std::string training_head(const TrainingReport& report, const ReportOptions& options);

}  // namespace opdebug::report
