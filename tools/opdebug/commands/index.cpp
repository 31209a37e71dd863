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

constexpr const char* kIndexUsage = "opdebug index PATH... -o FILE [options]";

/// Whether the error means that no input exists, instead of an unreadable input.
bool is_nothing_to_do(const Error& error) {
    return error.code == ErrorCode::file_not_found || error.code == ErrorCode::log_unreadable;
}

std::string summary_of(const IndexedLogs& indexed, const std::string& output) {
    return sentence("index.summary", {{"file", output},
                                      {"files", indexed.logs.files},
                                      {"lines", indexed.logs.lines},
                                      {"tasks", indexed.size.tasks},
                                      {"processes", indexed.size.processes}});
}

/// Whether the map would be empty: only empty files, other files, or logs of other modules. An empty map would hide
/// that the logs about tasks are missing.
bool holds_nothing(const IndexedLogs& indexed) {
    return indexed.size.processes == 0;
}

/// Writes the map and reports unreadable files; returns the exit status.
int write_map(const Result<IndexedLogs>& indexed, const std::string& output, bool quiet) {
    if (interrupted()) {
        say(sentence("index.stopped", {{"file", output}}));
        return interrupted_status();
    }
    if (!indexed) {
        say(indexed.error());
        return is_nothing_to_do(indexed.error()) ? kUsage : kSomethingDamaged;
    }
    const ReadLogs& logs = indexed->logs;
    say_failures(logs.failures);
    say_remarks(logs.diagnostics);
    if (holds_nothing(*indexed)) {
        say(sentence(has_log_lines(*logs.task_map) ? "index.no_tasks" : "index.no_logs",
                     {{"files", logs.files}, {"file", output}}));
        const bool is_nothing = std::all_of(logs.failures.begin(), logs.failures.end(), is_nothing_to_do);
        return is_nothing ? kUsage : kSomethingDamaged;
    }
    if (const std::optional<Error> error = write_file(output, indexed->map, FileName::given)) {
        return say_not_written(*error);
    }
    if (!quiet) {
        say(summary_of(*indexed, output));
    }
    return logs.failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

/// Writes the facts of the logs; returns the exit status.
int write_facts(const Result<ReadLogs>& logs, const std::string& output) {
    if (interrupted()) {
        say(sentence("index.stopped", {{"file", output}}));
        return interrupted_status();
    }
    if (!logs) {
        say(logs.error());
        return is_nothing_to_do(logs.error()) ? kUsage : kSomethingDamaged;
    }
    say_failures(logs->failures);
    say_remarks(logs->diagnostics);
    Output file(output == "-" ? std::nullopt : std::optional(output));
    report::write_facts(*logs->task_map, [&file](const std::string& line) { return file.write(line); });
    if (const std::optional<Error> error = file.finish()) {
        return say_not_written(*error);
    }
    return logs->failures.empty() ? kEverythingHandled : kSomethingDamaged;
}

}  // namespace

CommandLine index_command_line() {
    CommandLine line;
    line.usage = kIndexUsage;
    line.summary =
        "Saves the log lines about tasks in one file. 'opdebug decode --logs FILE' reads it instead of the logs.\n"
        "PATH: a log file, a folder with logs, or an earlier map.\n"
        "--format jsonl: writes each fact as one line of JSON instead, for scripts.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {{"output,o", result_file_value("FILE"), "the map to write (required)"},
                    {"format", word_value("FORM", {"map", "jsonl"}),
                     "map (default), or jsonl: one fact a line; -o - writes it to standard output"},
                    jobs_option()};
    add_log_formats_option(line);
    line.options.push_back(quiet_option());
    line.options.push_back(limit_option());
    line.options.push_back(help_option());
    line.examples = {{"opdebug index ~/ascend/log -o tasks.map", "a log index, before the logs rotate away"},
                     {"opdebug decode --logs tasks.map DUMP", "use it instead of the logs"}};
    return line;
}

int index_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(index_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    const std::vector<std::string>& paths = parsed.positionals;
    if (paths.empty()) {
        return usage_error(kIndexUsage, sentence("logs.expected"));
    }
    if (!parsed.has("output")) {
        return usage_error(kIndexUsage, sentence("index.output_expected"));
    }
    const std::string output = parsed.text("output");
    const bool is_jsonl = parsed.has("format") ? parsed.text("format") == "jsonl" : output.ends_with(".jsonl");
    if (output == "-" && !is_jsonl) {
        return usage_error(kIndexUsage, sentence("index.no_standard_output"));
    }
    ReadLogsOptions reading;
    if (const auto message = read_threads(parsed, reading.threads)) {
        return usage_error(kIndexUsage, *message);
    }
    if (const auto message = read_limit_option(parsed, reading.limits)) {
        return usage_error(kIndexUsage, *message);
    }
    if (const auto message = read_log_formats(parsed, reading.limits, reading.log_formats)) {
        return usage_error(kIndexUsage, *message);
    }
    const bool quiet = parsed.has("quiet");
    ProgressLine progress(quiet);
    show_reading(reading, progress);
    if (is_jsonl) {
        const Result<ReadLogs> logs = read_logs(paths, reading);
        progress.clear();
        return write_facts(logs, output);
    }
    const Result<IndexedLogs> indexed = index_logs(paths, reading);
    progress.clear();
    return write_map(indexed, output, quiet);
}

}  // namespace opdebug::tool
