#include "command_line/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include <opdebug/logs.hpp>

#include "output/messages.hpp"
#include "remarks/diagnose.hpp"
#include "system/system.hpp"

namespace opdebug::tool {

Option output_option() {
    return {"output,o", result_file_value("FILE"), "write there instead of standard output"};
}

Option language_option(const char* summary) {
    return {"lang", word_value("LANG", {"en", "zh"}), summary};
}

Option color_option() {
    return {"color", word_value("WHEN", {"auto", "always", "never"}),
            "colours in text: auto (default: only on a terminal, without NO_COLOR), always or never; COLUMNS sets the "
            "width"};
}

void add_report_options(CommandLine& line) {
    line.options.push_back(output_option());
    line.options.push_back(color_option());
    line.options.push_back(language_option("language of texts: en or zh (default from LANG)"));
    line.options.push_back(help_option());
}

std::optional<std::string> output_path(const ParsedArguments& arguments) {
    // "-" is standard output; among inputs it is standard input.
    const bool is_file = arguments.has("output") && arguments.text("output") != "-";
    return is_file ? std::optional<std::string>(arguments.text("output")) : std::nullopt;
}

namespace {

/// On a terminal only, unless --color is given. The width is that of COLUMNS or of the terminal.
void read_style(const ParsedArguments& arguments, ReportOptions& report) {
    const bool is_terminal = !output_path(arguments) && ::isatty(STDOUT_FILENO) == 1;
    const std::string wanted = arguments.has("color") ? arguments.text("color") : "auto";
    report.color = wanted == "always" || (wanted == "auto" && is_terminal && colors_are_wanted());
    report.columns = page_columns(is_terminal);
}

}  // namespace

std::function<int(std::optional<std::uint64_t>)> local_time_of(std::optional<int> utc_offset_minutes) {
    return [utc_offset_minutes](std::optional<std::uint64_t> time) {
        return utc_offset_minutes ? *utc_offset_minutes : system_utc_offset_minutes(time);
    };
}

void read_report_options(const ParsedArguments& arguments, ReportOptions& report) {
    read_style(arguments, report);
    report.language = spoken_language();
}

namespace {

struct Form {
    std::string_view name;
    WriteReport write;
    bool shows_documents, shows_rows;  ///< contains documents or rows of single dumps
};
constexpr Form kForms[] = {{"text", &ScanReport::write_text, false, false},
                           {"json", &ScanReport::write_json, true, false},
                           {"jsonl", &ScanReport::write_json_lines, true, true},
                           {"csv", &ScanReport::write_csv, false, true},
                           {"html", &ScanReport::write_html, false, false}};

}  // namespace

Option trace_option() {
    return {"trace", repeated(file_value("FILE")),
            "trace_view.json of PyTorch's profiler of the same run, plain, .gz or .zst: which API call launched the "
            "kernel that overflowed; may be repeated"};
}

WriteReport writer_of(const std::string& name, ScanReportOptions& report) {
    const auto* const form =
        std::find_if(std::begin(kForms), std::end(kForms), [&name](const Form& known) { return known.name == name; });
    report.partial = report.partial && form->write == &ScanReport::write_json_lines;  // the table contains the name
    report.keep_documents = form->shows_documents;
    report.keep_rows = form->shows_rows;
    return form->write;
}

namespace {

/// "64", "8K", "64M", "1G"; empty for other texts and numbers over 64 bits.
std::optional<std::uint64_t> parse_size(std::string text) {
    constexpr std::string_view kSuffixes = "KMG";
    const std::size_t power = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
    const unsigned bits = power == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(power) + 1);
    if (bits != 0) {
        text.pop_back();
    }
    const std::optional<std::uint64_t> number = parse_count(text);
    const bool fits = number && *number <= std::numeric_limits<std::uint64_t>::max() >> bits;
    return fits ? std::optional<std::uint64_t>(*number << bits) : std::nullopt;
}

}  // namespace

Option limit_option() {
    return advanced({"limit", repeated(text_value("NAME=NUMBER")),
                     "set an input limit, for example file_bytes=256M (K, M, G: powers of 1024); may be repeated; "
                     "names: see LIMITS "
                     "in the manual page"});
}

std::optional<std::string> read_limit_option(const ParsedArguments& arguments, Limits& limits) {
    for (const std::string& given : arguments.texts("limit")) {
        const std::size_t equals = given.find('=');
        const std::optional<std::uint64_t> number =
            equals == std::string::npos ? std::nullopt : parse_size(given.substr(equals + 1));
        if (!number) {
            return sentence("usage.limit", {{"value", given}});
        }
        if (const auto error = set_limit(limits, given.substr(0, equals), *number)) {
            return sentence("usage.refused_limit", {{"value", given}, {"reason", error->message}});
        }
    }
    return std::nullopt;
}

void add_log_options(CommandLine& line) {
    line.options.push_back({"logs", repeated(file_or_folder_value("PATH")),
                            "log file or folder of the run, or a map of 'opdebug index'; may be repeated"});
    line.options.push_back(
        advanced({"utc-offset", text_value("+HH:MM"),
                  "time zone of the logs, if it is not that of the dump's time folder or of this machine"}));
    add_log_formats_option(line);
}

std::optional<std::string> read_log_settings(const ParsedArguments& arguments, LogSettings& settings) {
    settings.paths = arguments.texts("logs");
    settings.format_paths = arguments.texts("log-formats");
    if (arguments.has("utc-offset")) {
        settings.utc_offset_minutes = parse_utc_offset(arguments.text("utc-offset"));
        if (!settings.utc_offset_minutes) {
            return sentence("usage.utc_offset", {{"value", arguments.text("utc-offset")}});
        }
    }
    return read_log_formats(arguments, settings.reading.limits, settings.reading.log_formats);
}

void show_reading(ReadLogsOptions& reading, ProgressLine& progress) {
    reading.stop = interrupted;
    reading.progress = [&progress](std::uint64_t bytes) { progress.show_logs(bytes); };
}

Result<ReadLogs> read_logs_with_progress(const std::vector<std::string>& paths, ReadLogsOptions reading,
                                         ProgressLine& progress) {
    show_reading(reading, progress);
    Result<ReadLogs> logs = read_logs(paths, reading);
    progress.clear();
    return logs;
}

UsedLogs use_logs(const LogSettings& settings, WantedTasks wanted, LocateOptions& locate, ProgressLine& progress) {
    locate.utc_offset_minutes = settings.utc_offset_minutes;
    UsedLogs used;
    if (settings.paths.empty()) {
        return used;
    }
    ReadLogsOptions reading = settings.reading;
    std::vector<WantedDump> dumps = std::move(wanted.dumps);
    reading.wanted = std::move(wanted);
    const Result<ReadLogs> logs = read_logs_with_progress(settings.paths, std::move(reading), progress);
    if (logs) {
        used.remarks = remarks_on(*logs);
        used.whole = logs->failures.empty();
        locate.task_map = logs->task_map;
        locate.clocks = estimate_clocks(std::move(dumps), locate, system_utc_offset_minutes);
    } else {
        used.remarks = {remarks::diagnose(logs.error())};
        used.whole = false;
    }
    say_remarks(used.remarks);
    return used;
}

void add_log_formats_option(CommandLine& line) {
    line.options.push_back(
        advanced({"log-formats", repeated(file_or_folder_value("DIR")),
                  "definitions of more log lines: a folder with .json files, or one file; may be repeated"}));
}

std::optional<std::string> read_log_formats(const ParsedArguments& arguments, const Limits& limits,
                                            std::vector<NamedText>& files) {
    for (const std::string& path : arguments.texts("log-formats")) {
        Result<std::vector<NamedText>> found = read_log_format_files(path, limits);
        if (!found) {
            return sentence("usage.log_formats", {{"reason", sentence(found.error())}});
        }
        files.insert(files.end(), std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
    }
    if (files.empty()) {
        return std::nullopt;
    }
    const auto formats = list_log_formats(files, limits);
    return formats ? std::nullopt
                   : std::optional(sentence("usage.log_formats", {{"reason", sentence(formats.error())}}));
}

Option jobs_option() {
    return advanced({"jobs,j", number_value("N"), "threads (default: one per core); the result does not depend on it"});
}

std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads) {
    constexpr std::uint64_t kMostThreads = 1024;
    if (!arguments.has("jobs")) {
        return std::nullopt;
    }
    const std::string text = arguments.text("jobs");
    const std::optional<std::uint64_t> count = parse_count(text);
    if (!count || *count == 0 || *count > kMostThreads) {
        return sentence("usage.threads", {{"value", text}});
    }
    threads = static_cast<unsigned>(*count);
    return std::nullopt;
}

}  // namespace opdebug::tool
