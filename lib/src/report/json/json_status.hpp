// The explanation of a status as JSON.
#pragma once

#include <string>

#include <opdebug/report.hpp>

namespace opdebug::report {

/// The object that is an item of status_to_json()'s array.
std::string explanation_to_json(const StatusExplanation& status, const ReportOptions& options);

}  // namespace opdebug::report
