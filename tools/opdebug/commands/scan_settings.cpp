#include "commands/scan_settings.hpp"

#include <filesystem>
#include <system_error>

#include <opdebug/report.hpp>

#include "command_line/input_files.hpp"
#include "command_line/input_names.hpp"
#include "command_line/limit_option.hpp"
#include "command_line/report_options.hpp"
#include "command_line/shard_option.hpp"
#include "commands/commands.hpp"
#include "output/output_place.hpp"
#include "system/environment.hpp"

namespace opdebug::tool {
namespace {

/// --shard and --host: with either, JSON lines can be merged.
std::optional<std::string> read_share(const ParsedArguments& arguments, ScanSettings& settings) {
    if (arguments.has("shard")) {
        const ChosenShard chosen = chosen_shard(arguments.text("shard"));
        if (!chosen.shard) {
            return chosen.message;
        }
        settings.scan.shard = chosen.shard;
    }
    if (arguments.has("host")) {
        settings.report.report.host = arguments.text("host") == "auto" ? host_name() : arguments.text("host");
        if (settings.report.report.host.empty()) {
            return "--host is the name of this machine, or auto";
        }
        if (const std::string shown = printable(settings.report.report.host); shown != settings.report.report.host) {
            return "--host is a name without control and hidden characters, not '" + shown + "'";
        }
    }
    settings.report.partial = arguments.has("shard") || arguments.has("host");
    if (settings.report.partial && arguments.has("trace")) {
        return "--trace is for the report of all parts: give it to 'opdebug merge', not to a scan with --shard or "
               "--host";
    }
    return std::nullopt;
}

std::optional<std::string> read_numbers(const ParsedArguments& arguments, ScanSettings& settings) {
    settings.report.all = arguments.has("all");
    settings.quiet = arguments.has("quiet");
    settings.scan.tensors = settings.report.report.tensors = arguments.has("tensors");
    if (arguments.has("first")) {
        settings.report.first = parse_count(arguments.text("first"));
        if (!settings.report.first) {
            return "--first is a number of dumps, not '" + arguments.text("first") + "'";
        }
    }
    settings.fail_on_overflow = arguments.has("fail-on");  // overflow is its only word
    return read_threads(arguments, settings.scan.threads);
}

}  // namespace

CommandLine scan_command_line() {
    CommandLine line;
    line.usage = kScanUsage;
    line.summary =
        "Decodes every overflow dump below the paths and writes one report: what overflowed first, where, why, how\n"
        "often. Nothing is written into the folders that are read.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {
        form_option(),
        {"first", number_value("N"), "only the N earliest dumps in the timeline"},
        {"all", {}, "clean dumps in the timeline as well"},
        {"tensors", {}, kTensorsHelp},
        {"shard", text_value("I/N"),
         "only share I of N, from 0 to N-1, of the dumps; auto: as Slurm, Open MPI, PMI or Kubernetes says. "
         "All N, as --format jsonl, are made one report by 'opdebug merge'"},
        {"host", text_value("NAME"), "the machine that holds the dumps, for every record; auto: this one's name"},
        {"fail-on", word_value("WHAT", {"overflow"}),
         "overflow: exit status 3 when there is an overflow, or API dumps have a culprit"},
        {"jobs,j", number_value("N"),
         "threads (default: as many as this machine runs at once); the report does not depend on it"},
        quiet_option()};
    add_log_options(line);
    line.options.push_back(trace_option());
    line.options.push_back(limit_option());
    add_report_options(line);
    return line;
}

std::optional<std::string> read_scan_settings(const ParsedArguments& arguments, ScanSettings& settings) {
    settings.paths = arguments.positionals;
    if (settings.paths.empty()) {
        return "a folder or a dump was expected";
    }
    settings.output = output_path(arguments);
    std::optional<std::string> message = read_share(arguments, settings);
    settings.write = read_form(arguments, settings.output.has_value(), settings.report);
    message = message ? message : read_numbers(arguments, settings);
    read_language(arguments, settings.report.report);
    message = message ? message : read_limit_option(arguments, settings.scan.decode.limits);
    settings.logs.reading.limits = settings.scan.decode.limits;
    settings.report.ties.limits = settings.scan.decode.limits;
    settings.report.ties.traces = arguments.texts("trace");
    message = message ? message : read_log_settings(arguments, settings.logs);
    settings.logs.reading.threads = settings.scan.threads;
    settings.report.temporary_folder = temporary_folder();
    return message;
}

std::optional<std::string> refuse_output(const ScanSettings& settings) {
    if (!settings.output) {
        return std::nullopt;
    }
    const std::string& output = *settings.output;
    if (is_written_in_place(output)) {
        return std::nullopt;
    }
    // Reports may lie beside the dumps, for who says so; what the scan reads may not be replaced, and a report may not
    // take a name under which the next scan would read it. Trees are searched for such names only: they may be large.
    std::error_code absent;
    const bool replaces_a_file = std::filesystem::exists(output, absent);
    const bool named_as_input = has_name_of_input(output);
    const bool may_be_input = named_as_input || (replaces_a_file && is_api_dump(output));
    InputFiles inputs;
    for (const std::string& trace : settings.report.ties.traces) {
        inputs.add(trace);
    }
    for (const std::string& path : settings.paths) {
        inputs.add(path);
        if (may_be_input) {
            replaces_a_file ? inputs.add_with_neighbours(path) : inputs.add_folders_below(path);
        }
    }
    if (replaces_a_file) {
        for (const std::string& path : settings.logs.paths) {
            inputs.add_below(path);
        }
        for (const std::string& path : settings.logs.format_paths) {
            inputs.add_below(path);
        }
    }
    return inputs.refuse_output(output);
}

}  // namespace opdebug::tool
