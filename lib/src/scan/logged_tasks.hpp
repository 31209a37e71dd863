// Reports from logs alone: each task that overflowed or failed, without any dump.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

namespace opdebug::scan_stage {

enum class TaskReport { overflow, failed };

/// The numbers of a task. Time is the local time of the logs, microseconds as if it were UTC.
struct LoggedTaskIds {
    std::optional<std::uint64_t> device_id;
    std::uint64_t stream_id = 0, task_id = 0;
    std::optional<std::int64_t> time_us;
};

struct LoggedTask {
    LoggedTaskIds ids;
    std::optional<TaskReport> report;  ///< empty: the user looks the task up
    std::vector<Evidence> evidence;    ///< the lines that report it
    Location location;                 ///< operator and model
};

/// The tasks that lines of the logs report, each once, by time. Lines on one task are one report if they are at most
/// 10 s apart; a report of a device joins the one report of a host that fits.
std::vector<LoggedTask> reported_tasks(const std::shared_ptr<const TaskMap>& map, const Limits& limits);

/// Looks a task up. Without a time, operators of each of its uses are candidates.
LoggedTask located_task(const LoggedTaskIds& ids, const std::shared_ptr<const TaskMap>& map, const Limits& limits);

}  // namespace opdebug::scan_stage
