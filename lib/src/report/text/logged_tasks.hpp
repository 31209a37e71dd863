// The report on tasks that logs mention, as text and as the document "opdebug.log_report/1".
#pragma once

#include <string>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/status.hpp>

#include "scan/logged_tasks.hpp"

namespace opdebug::report {

/// Some lines for each task, the first one first.
std::string logged_tasks_to_text(const std::vector<scan_stage::LoggedTask>& tasks, Language language);

std::string logged_tasks_to_json(const std::vector<scan_stage::LoggedTask>& tasks,
                                 const std::vector<std::string>& inputs, const std::vector<Diagnostic>& diagnostics,
                                 Language language);

}  // namespace opdebug::report
