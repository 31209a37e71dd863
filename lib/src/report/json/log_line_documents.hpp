// Lines of logs as documents: the facts of a task map, and a definition file on trial.
#pragma once

#include <functional>
#include <string>

#include <opdebug/log_lines.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

namespace opdebug::report {

/// Each fact of the map as one line of JSON with its line break (fact.schema.json), until `take` returns false. The
/// order is process by process, then by time.
void write_facts(const TaskMap& map, const std::function<bool(const std::string& line)>& take);

/// The document of format-trial.schema.json.
std::string format_trial_to_json(const NamedText& file, const std::string& log, const LogFormatTrial& trial,
                                 const ReportOptions& options);

/// A paragraph for each line, then the counts.
std::string format_trial_to_text(const std::string& log, const LogFormatTrial& trial);

}  // namespace opdebug::report
