// The report on tasks that logs mention, as text and as the document "opdebug.log_report/1".
#pragma once

#include <string>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "scan/logged_tasks.hpp"

namespace opdebug::report {

/// The first task with cause, next steps and evidence; the others in one line each, with `verbose` like the first.
std::string logged_tasks_to_text(const std::vector<scan_stage::LoggedTask>& tasks, const ReportOptions& options);

std::string logged_tasks_to_json(const std::vector<scan_stage::LoggedTask>& tasks,
                                 const std::vector<std::string>& inputs, const std::vector<Diagnostic>& diagnostics,
                                 Language language);

}  // namespace opdebug::report
