// opdebug logs: tasks that overflowed or failed, from logs alone.
#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
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

constexpr const char* kLogsUsage = "opdebug logs PATH... [options]";

struct LogsSettings {
    std::optional<std::uint64_t> device, stream, task;
    std::optional<std::int64_t> time, since, until;  ///< local time of the logs, microseconds as if it were UTC
    ReadLogsOptions reading;
    ReportOptions report;
};

std::optional<std::string> read_settings(const ParsedArguments& arguments, LogsSettings& settings) {
    const std::array<std::pair<const char*, std::optional<std::uint64_t>*>, 3> numbers{
        {{"device", &settings.device}, {"stream", &settings.stream}, {"task", &settings.task}}};
    for (const auto& [name, number] : numbers) {
        *number = arguments.has(name) ? parse_count(arguments.text(name)) : std::nullopt;
        if (arguments.has(name) && !*number) {
            return sentence("usage.number", {{"option", name}, {"value", arguments.text(name)}});
        }
    }
    const std::array<std::pair<const char*, std::optional<std::int64_t>*>, 3> times{
        {{"time", &settings.time}, {"since", &settings.since}, {"until", &settings.until}}};
    for (const auto& [name, time] : times) {
        *time = arguments.has(name) ? parse_local_time(arguments.text(name)) : std::nullopt;
        if (arguments.has(name) && !*time) {
            return sentence("usage.time", {{"option", name}, {"value", arguments.text(name)}});
        }
    }
    if (settings.stream.has_value() != settings.task.has_value()) {
        return sentence("logs.stream_and_task");
    }
    if (settings.time && !settings.task) {
        return sentence("logs.time_alone");
    }
    read_report_options(arguments, settings.report);
    settings.report.verbose = arguments.has("verbose");
    if (auto message = read_threads(arguments, settings.reading.threads)) {
        return message;
    }
    if (auto message = read_limit_option(arguments, settings.reading.limits)) {
        return message;
    }
    return read_log_formats(arguments, settings.reading.limits, settings.reading.log_formats);
}

std::vector<scan_stage::LoggedTask> tasks_of(const ReadLogs& logs, const LogsSettings& settings) {
    if (settings.task) {
        const scan_stage::LoggedTaskIds ids{settings.device, *settings.stream, *settings.task, settings.time};
        return {scan_stage::located_task(ids, logs.task_map, settings.reading.limits)};
    }
    std::vector<scan_stage::LoggedTask> tasks = scan_stage::reported_tasks(logs.task_map, settings.reading.limits);
    const auto is_outside = [&settings](const scan_stage::LoggedTask& task) {
        const auto& [device, stream, number, time] = task.ids;
        return (settings.device && device && *device != *settings.device) ||
               (time && settings.since && *time < *settings.since) ||
               (time && settings.until && *time > *settings.until);
    };
    tasks.erase(std::remove_if(tasks.begin(), tasks.end(), is_outside), tasks.end());
    return tasks;
}

/// Writes the report of the logs; returns the exit status.
int write_tasks(const ReadLogs& logs, const ParsedArguments& parsed, const LogsSettings& settings) {
    const std::vector<scan_stage::LoggedTask> tasks = tasks_of(logs, settings);
    const std::vector<Diagnostic> remarks = remarks_on(logs);
    const bool is_found = settings.task ? tasks.front().location.op.has_value() : !tasks.empty();
    if (!is_found && parsed.form == "text") {
        say(sentence(settings.task ? "logs.no_operator" : "logs.no_task"));
    }
    const Language language = settings.report.language;
    const int written = show_result(
        output_path(parsed), parsed.form == "json"
                                 ? report::logged_tasks_to_json(tasks, parsed.positionals, remarks, language) + "\n"
                                 : report::logged_tasks_to_text(tasks, settings.report));
    const bool overflowed = std::any_of(tasks.begin(), tasks.end(), [](const scan_stage::LoggedTask& task) {
        return task.report == scan_stage::TaskReport::overflow;
    });
    return written != kEverythingHandled            ? written
           : overflowed && parsed.has("fail-on")    ? kOverflowFound
           : logs.failures.empty() && logs.complete ? kEverythingHandled
                                                    : kSomethingDamaged;
}

}  // namespace

CommandLine logs_command_line() {
    CommandLine line;
    line.usage = kLogsUsage;
    line.summary =
        "Lists each task that the logs report as overflowed or failed, the first one first: operator, model, return\n"
        "code and evidence. Needs no dump. With --stream and --task: which operator and model one task is.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {form_option({"text", "json"}),
                    {"verbose,v", {}, "text with all tasks in full, whole lines and paths"},
                    {"since", text_value("TIME"), "only from this local time of the logs, as '2026-10-12 09:41:27'"},
                    {"until", text_value("TIME"), "only up to this time"},
                    {"device", number_value("D"), "only tasks of this device"},
                    {"stream", number_value("S"), "look up one task: its stream, with --task"},
                    {"task", number_value("T"), "look up one task: its number, with --stream"},
                    {"time", text_value("TIME"), "when the task of --stream and --task ran"},
                    {"fail-on", word_value("WHAT", {"overflow"}), "overflow: exit status 3 when a task overflowed"},
                    quiet_option("no progress line"),
                    jobs_option()};
    add_log_formats_option(line);
    line.options.push_back(limit_option());
    add_report_options(line);
    line.examples = {{"opdebug logs ~/ascend/log", "the first task that overflowed or failed, and the others"},
                     {"opdebug logs ~/ascend/log --stream 21 --task 118", "which operator this task runs"}};
    return line;
}

int logs_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(logs_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    if (parsed.positionals.empty()) {
        return usage_error(kLogsUsage, sentence("logs.expected"));
    }
    LogsSettings settings;
    if (const auto message = read_settings(parsed, settings)) {
        return usage_error(kLogsUsage, *message);
    }
    ProgressLine progress(parsed.has("quiet"));
    const Result<ReadLogs> logs = read_logs_with_progress(parsed.positionals, settings.reading, progress);
    if (interrupted()) {
        say(sentence("logs.stopped"));
        return interrupted_status();
    }
    if (!logs) {
        const auto other =
            parsed.positionals.size() == 1 ? other_command_for(parsed.positionals.front(), "logs") : std::nullopt;
        say(other.value_or(sentence(logs.error())));
        return logs.error().code == ErrorCode::file_not_found || logs.error().code == ErrorCode::log_unreadable
                   ? kUsage
                   : kSomethingDamaged;
    }
    say_failures(logs->failures);
    return write_tasks(*logs, parsed, settings);
}

}  // namespace opdebug::tool
