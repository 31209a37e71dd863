// opdebug logs: tasks that overflowed or failed, from logs alone.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/pages/pages.hpp"
#include "scan/logged_tasks.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

struct LogsSettings {
    std::optional<std::uint64_t> device, stream, task;
    std::optional<std::int64_t> time, since, until;  ///< local time of the logs, microseconds as if it were UTC
    ReadLogsOptions reading;
    ReportOptions report;
};

LogsSettings read_logs_settings(const ParsedArguments& arguments) {
    LogsSettings settings;
    settings.device = arguments.number("device");
    settings.stream = arguments.number("stream");
    settings.task = arguments.number("task");
    settings.time = read_local_time(arguments, "time");
    settings.since = read_local_time(arguments, "since");
    settings.until = read_local_time(arguments, "until");
    if (settings.stream.has_value() != settings.task.has_value()) {
        throw UsageError(sentence("logs.stream_and_task"));
    }
    if (settings.time && !settings.task) {
        throw UsageError(sentence("logs.time_alone"));
    }
    settings.report = read_report_options(arguments);
    settings.reading = read_reading(arguments);
    return settings;
}

std::vector<scan_stage::LoggedTask> tasks_of(const ReadLogs& logs, const LogsSettings& settings) {
    if (settings.task) {
        const scan_stage::LoggedTaskIds ids{settings.device, *settings.stream, *settings.task, settings.time};
        return {scan_stage::located_task(ids, logs.task_map, settings.reading.limits)};
    }
    std::vector<scan_stage::LoggedTask> tasks = scan_stage::reported_tasks(logs.task_map, settings.reading.limits);
    const auto is_outside = [&settings](const scan_stage::LoggedTask& task) {
        const auto& device = task.ids.device_id;
        const auto& time = task.ids.time_us;
        return (settings.device && device && *device != *settings.device) ||
               (time && settings.since && *time < *settings.since) ||
               (time && settings.until && *time > *settings.until);
    };
    tasks.erase(std::remove_if(tasks.begin(), tasks.end(), is_outside), tasks.end());
    return tasks;
}

void print_without_time(const std::vector<scan_stage::LoggedTask>& tasks, const LogsSettings& settings) {
    const auto count =
        std::count_if(tasks.begin(), tasks.end(), [](const scan_stage::LoggedTask& task) { return !task.ids.time_us; });
    if (count != 0 && (settings.since || settings.until)) {
        print_phrase("logs.no_time", {{"count", count}});
    }
}

/// Writes the report of the logs; returns the exit status.
int write_tasks(const ReadLogs& logs, const ParsedArguments& parsed, const LogsSettings& settings) {
    const std::vector<scan_stage::LoggedTask> tasks = tasks_of(logs, settings);
    const std::vector<Diagnostic> remarks = remarks_on(logs);
    const bool is_found = settings.task ? tasks.front().location.op.has_value() : !tasks.empty();
    if (!is_found && parsed.form == "text") {
        const bool selects = settings.device || settings.since || settings.until;
        print_message(sentence(settings.task ? "logs.no_operator" : selects ? "logs.no_match" : "logs.no_task"));
    }
    print_without_time(tasks, settings);
    const bool overflowed = std::any_of(tasks.begin(), tasks.end(), [](const scan_stage::LoggedTask& task) {
        return task.report == scan_stage::TaskReport::overflow;
    });
    const int status = overflowed && parsed.has("fail-on")      ? kOverflowFound
                       : logs.failures.empty() && logs.complete ? kEverythingHandled
                                                                : kSomethingDamaged;
    return show_result(
        parsed.output,
        parsed.form == "json"
            ? report::logged_tasks_to_json(tasks, parsed.positionals, remarks, settings.report.language) + "\n"
            : report::logged_tasks_to_text(tasks, settings.report),
        status);
}

}  // namespace

int logs_command(const ParsedArguments& parsed) {
    catch_interrupts();
    const LogsSettings settings = read_logs_settings(parsed);
    ProgressLine progress(parsed.has("quiet"));
    const Result<ReadLogs> logs = read_logs_with_progress(parsed.positionals, settings.reading, progress);
    if (interrupted()) {
        print_phrase("logs.stopped");
        return interrupted_status();
    }
    if (!logs) {
        const auto other =
            parsed.positionals.size() == 1 ? other_command_for(parsed.positionals.front(), "logs") : std::nullopt;
        print_message(other.value_or(sentence(logs.error())));
        return logs.error().code == ErrorCode::file_not_found || logs.error().code == ErrorCode::log_unreadable
                   ? kUsage
                   : kSomethingDamaged;
    }
    print_failures(logs->failures);
    return write_tasks(*logs, parsed, settings);
}

}  // namespace opdebug::tool
