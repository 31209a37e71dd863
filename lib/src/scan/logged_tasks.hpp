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
    std::optional<std::uint64_t> stream_id, task_id;  ///< empty: no line names the task that failed
    std::optional<std::int64_t> time_us;
    std::optional<std::uint64_t> process_id{};  ///< of a task without ids
};

struct LoggedTask {
    LoggedTaskIds ids;
    std::optional<TaskReport> report;   ///< empty: the user looks the task up
    std::vector<Evidence> evidence;     ///< the lines that report it
    Location location;                  ///< operator and model
    std::string type;                   ///< what it is instead of an operator: "notify wait"; empty: not known
    std::vector<std::string> suspects;  ///< locations that it waited for, or that did not report
    std::vector<std::string> errors;    ///< codes or words of errors that name no task
    /// A wait, a collective, or the execution of a model: another task is the reason, where one failed at that time.
    bool depends_on_others = false;
};

/// Whether the task waited for another rank or stream.
bool is_wait(const LoggedTask& task);

/// The tasks that lines of the logs report, each once, by time. Lines on one task are one report if they are at most
/// 10 s apart; a report of a device joins the one report of a host that fits. Of tasks at most 10 s apart, those that
/// depend on others come last. Lines of failures without a task are evidence of the one task that failed there at that
/// time. Otherwise they are one report for each device or process. Errors without a task are reported where no task
/// failed; else they are evidence of failures whose lines have no code.
std::vector<LoggedTask> reported_tasks(const std::shared_ptr<const TaskMap>& map, const Limits& limits);

/// By time; tasks that depend on others come after those that failed at that time.
void sort_by_cause(std::vector<LoggedTask>& tasks);

/// Operator and model of a task that a log line reports: its device number is the driver's.
Location location_of_report(const LoggedTaskIds& ids, const std::shared_ptr<const TaskMap>& map, const Limits& limits);

/// Looks a task up. Without a time, operators of each of its uses are candidates.
LoggedTask located_task(const LoggedTaskIds& ids, const std::shared_ptr<const TaskMap>& map, const Limits& limits);

}  // namespace opdebug::scan_stage
