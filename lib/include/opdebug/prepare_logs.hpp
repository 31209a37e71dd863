// What reading logs begins with, done in advance.
#pragma once

#include <opdebug/export.h>
#include <opdebug/task_map.hpp>

namespace opdebug {
inline namespace v0 {

/// Does what read_logs() would begin with: loading the built-in log formats takes some milliseconds, once in a process.
/// For a thread beside others that still look for what they want of the logs. Nothing where there are formats of the
/// user, with which all are loaded anew. Thread-safe.
OPDEBUG_API void prepare_to_read_logs(const ReadLogsOptions& options = {});

}  // namespace v0
}  // namespace opdebug
