// opdebug index: writes a saved map of logs, for use after the logs are deleted.
#include <algorithm>

#include <opdebug/logs.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/json/json_parts.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// Whether the error means that no input exists, instead of an unreadable input.
bool is_nothing_to_do(const Error& error) {
    return error.code == ErrorCode::file_not_found || error.code == ErrorCode::log_unreadable;
}

/// The exit status if there are no logs to write, after an interrupt or a failure.
template <class Logs>
std::optional<int> status_without_logs(const Result<Logs>& logs, const std::string& output) {
    if (interrupted()) {
        print_phrase("index.stopped", {{"file", output}});
        return interrupted_status();
    }
    if (!logs) {
        print_message(logs.error());
        return is_nothing_to_do(logs.error()) ? kUsage : kSomethingDamaged;
    }
    return std::nullopt;
}

void print_faults(const ReadLogs& logs) {
    print_failures(logs.failures);
    print_remarks(logs.diagnostics);
}

/// Writes the map and reports unreadable files; returns the exit status.
int write_map(const IndexedLogs& indexed, const std::string& output, bool quiet) {
    const ReadLogs& logs = indexed.logs;
    print_faults(logs);
    // Only empty files, other files, or logs of other modules: an empty map would hide that the logs about tasks are
    // missing.
    if (indexed.size.processes == 0) {
        print_message(sentence(has_log_lines(*logs.task_map) ? "index.no_tasks" : "index.no_logs",
                               {{"files", logs.files}, {"file", output}}));
        const bool is_nothing = std::all_of(logs.failures.begin(), logs.failures.end(), is_nothing_to_do);
        return is_nothing ? kUsage : kSomethingDamaged;
    }
    if (const std::optional<Error> error = write_file(output, indexed.map)) {
        return print_not_written(*error);
    }
    if (!quiet) {
        print_phrase("index.summary", {{"file", output},
                                       {"files", logs.files},
                                       {"lines", logs.lines},
                                       {"tasks", indexed.size.tasks},
                                       {"processes", indexed.size.processes}});
    }
    return logs.failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

/// Writes the facts of the logs; returns the exit status.
int write_facts(const ReadLogs& logs, const std::optional<std::string>& output) {
    print_faults(logs);
    Output file(output);
    report::write_facts(*logs.task_map, [&file](const std::string& line) { return file.write(line); });
    if (const std::optional<Error> error = file.finish()) {
        return print_not_written(*error);
    }
    return logs.failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

}  // namespace

int index_command(const ParsedArguments& arguments) {
    catch_interrupts();
    if (!arguments.has("output")) {
        throw UsageError(sentence("index.output_expected"));
    }
    const std::string output = arguments.text("output");
    const bool is_jsonl = arguments.has("format") ? arguments.text("format") == "jsonl" : output.ends_with(".jsonl");
    if (!arguments.output && !is_jsonl) {
        throw UsageError(sentence("index.no_standard_output"));
    }
    ReadLogsOptions reading = read_reading(arguments);
    ProgressLine progress(arguments.has("quiet"));
    show_reading(reading, progress);
    if (is_jsonl) {
        const Result<ReadLogs> logs = read_logs(arguments.positionals, reading);
        progress.clear();
        const std::optional<int> status = status_without_logs(logs, output);
        return status ? *status : write_facts(*logs, arguments.output);
    }
    const Result<IndexedLogs> indexed = index_logs(arguments.positionals, reading);
    progress.clear();
    const std::optional<int> status = status_without_logs(indexed, output);
    return status ? *status : write_map(*indexed, output, arguments.has("quiet"));
}

}  // namespace opdebug::tool
