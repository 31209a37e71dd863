#include "commands/watch_settings.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "command_line/limit_option.hpp"
#include "command_line/report_options.hpp"
#include "commands/commands.hpp"
#include "system/environment.hpp"

namespace opdebug::tool {
namespace {

constexpr double kMostSeconds = 1e9;

/// Seconds as a decimal number, "0.5"; nothing for other texts.
std::optional<std::chrono::milliseconds> parse_seconds(const std::string& text) {
    double seconds = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !(seconds >= 0) ||
        seconds > kMostSeconds) {
        return std::nullopt;
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

std::optional<std::string> read_seconds(const ParsedArguments& arguments, const std::string& name,
                                        std::optional<std::chrono::milliseconds>& value) {
    if (!arguments.has(name)) {
        return std::nullopt;
    }
    value = parse_seconds(arguments.text(name));
    return value ? std::nullopt
                 : std::optional("--" + name + " is a number of seconds, not '" + arguments.text(name) + "'");
}

struct Form {
    const char* name;
    WriteReport write;
    bool shows_documents, shows_rows;
};
constexpr Form kReports[] = {{"json", &ScanReport::write_json, true, false},
                             {"jsonl", &ScanReport::write_json_lines, true, false},
                             {"text", &ScanReport::write_text, false, false},
                             {"csv", &ScanReport::write_csv, false, true},
                             {"html", &ScanReport::write_html, false, false}};

/// The report goes to a file, JSON unless asked for otherwise, or behind the lines as text.
std::optional<std::string> read_forms(const ParsedArguments& arguments, WatchSettings& settings) {
    settings.as_json_lines = arguments.has("format") && arguments.text("format") == "jsonl";
    settings.scan.output = output_path(arguments);
    if (arguments.has("report") && !settings.scan.output) {
        return "--report is the form of the file of -o: -o FILE was expected";
    }
    const std::string name = arguments.has("report") ? arguments.text("report")
                             : settings.scan.output  ? "json"
                                                     : "text";
    const Form* form = std::find_if(std::begin(kReports), std::end(kReports),
                                    [&name](const Form& known) { return known.name == name; });
    settings.scan.write = form->write;  // the name is one of the table
    settings.scan.report.keep_documents = form->shows_documents;
    // As JSON lines it is a part for `opdebug merge`: hosts with disks of their own watch each their own.
    settings.scan.report.partial = form->write == &ScanReport::write_json_lines;
    settings.scan.report.keep_rows = form->shows_rows || settings.scan.report.partial;
    return std::nullopt;
}

std::optional<std::string> read_times(const ParsedArguments& arguments, WatchSettings& settings) {
    std::optional<std::chrono::milliseconds> poll;
    std::optional<std::string> message = read_seconds(arguments, "poll", poll);
    if (!message && poll) {
        if (*poll < std::chrono::milliseconds(10)) {
            return "--poll is at least 0.01 seconds";
        }
        settings.interval = *poll;
    }
    message = message ? message : read_seconds(arguments, "until-idle", settings.idle);
    return message ? message : read_seconds(arguments, "duration", settings.longest);
}

}  // namespace

CommandLine watch_command_line() {
    CommandLine line;
    line.usage = kWatchUsage;
    line.summary =
        "Follows the dump_path of a running job: reports the first overflow of each rank and each new group of "
        "overflows.\n"
        "Ctrl-C or SIGTERM ends it with the report of a scan. Nothing is written into the folders.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {
        {"format", word_value("FORM", {"text", "jsonl"}),
         "text (default), or jsonl: the record document of each overflow, one a line"},
        {"report", word_value("FORM", {"json", "jsonl", "text", "csv", "html"}),
         "form of the file of -o: json (default), jsonl (a part for merge), text, csv or html"},
        {"poll", number_value("SECONDS"), "polling interval, 0.01 or more (default 2)"},
        {"until-idle", number_value("SECONDS"), "end after SECONDS without a new dump; 0: after the present dumps"},
        {"duration", number_value("SECONDS"), "end after so long"},
        {"exec", text_value("COMMAND"),
         "run /bin/sh -c COMMAND at the first overflow, with its record document on standard input"},
        {"tensors", {}, kTensorsHelp},
        {"fail-on", word_value("WHAT", {"overflow"}), "overflow: exit status 3 when there was an overflow"},
        quiet_option("say nothing on standard error but errors")};
    line.options.push_back(limit_option());
    add_report_options(line);
    return line;
}

std::optional<std::string> read_watch_settings(const ParsedArguments& arguments, WatchSettings& settings) {
    settings.scan.paths = arguments.positionals;
    if (settings.scan.paths.empty()) {
        return "a folder was expected";
    }
    if (auto message = read_forms(arguments, settings)) {
        return message;
    }
    if (auto message = read_times(arguments, settings)) {
        return message;
    }
    if (arguments.has("exec")) {
        settings.command = arguments.text("exec");
    }
    settings.scan.quiet = arguments.has("quiet");
    settings.scan.fail_on_overflow = arguments.has("fail-on");
    settings.scan.scan.tensors = settings.scan.report.report.tensors = arguments.has("tensors");
    settings.scan.report.temporary_folder = temporary_folder();
    read_language(arguments, settings.scan.report.report);
    return read_limit_option(arguments, settings.scan.scan.decode.limits);
}

}  // namespace opdebug::tool
