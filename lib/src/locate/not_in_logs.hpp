// Why the logs name no operator for a record, and what to set for the next run.
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// The record's ids are in no line of a process at the time of the dump. At least one diagnostic.
void explain_task_not_in_logs(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                              const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

/// "logs_without_ge_info" or "logs_without_runtime_info", where only one of the modules was logged with level INFO.
void explain_missing_module(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "logs_unread": the answer may be in a log that could not be read. It comes first: why there is no answer, and what
/// to do about it, hangs on it.
void remark_unread_logs(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "run_logs_missing": bindings of streams to models stand in the run log since 8.5, and only debug logs were given.
void explain_model_not_in_logs(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// A given --utc-offset with which the dump lies outside of the log of a process that knows the ids, where another zone
/// puts it inside. Said when nothing was found, for dumps without a time folder.
void remark_doubtful_offset(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                            const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
