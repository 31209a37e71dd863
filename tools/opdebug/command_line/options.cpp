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

std::optional<std::string> output_path(const ParsedArguments& arguments) {
    // "-" is standard output; among inputs it is standard input.
    const bool is_file = arguments.has("output") && arguments.text("output") != "-";
    return is_file ? std::optional<std::string>(arguments.text("output")) : std::nullopt;
}

std::function<int(std::optional<std::uint64_t>)> local_time_of(std::optional<int> utc_offset_minutes) {
    return [utc_offset_minutes](std::optional<std::uint64_t> time) {
        return utc_offset_minutes ? *utc_offset_minutes : system_utc_offset_minutes(time);
    };
}

/// Colours on a terminal only, unless --color is given. The width is that of COLUMNS or of the terminal.
ReportOptions read_report_options(const ParsedArguments& arguments) {
    const bool is_terminal = !output_path(arguments) && ::isatty(STDOUT_FILENO) == 1;
    const std::string wanted = arguments.has("color") ? arguments.text("color") : "auto";
    ReportOptions report;
    report.color = wanted == "always" || (wanted == "auto" && is_terminal && colors_are_wanted());
    report.columns = page_columns(is_terminal);
    report.language = spoken_language();
    report.verbose = arguments.has("verbose");
    return report;
}

WriteReport writer_of(const std::string& name, ScanReportOptions& report) {
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
    const auto* const form =
        std::find_if(std::begin(kForms), std::end(kForms), [&name](const Form& known) { return known.name == name; });
    report.partial = report.partial && form->write == &ScanReport::write_json_lines;  // the table contains the name
    report.keep_documents = form->shows_documents;
    report.keep_rows = form->shows_rows;
    return form->write;
}

namespace {

/// "64", "8K", "64M", "1G"; empty for other texts and numbers over 64 bits.
std::optional<std::uint64_t> parse_size(std::string_view text) {
    constexpr std::string_view kSuffixes = "KMG";
    const std::size_t power = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
    const unsigned bits = power == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(power) + 1);
    text.remove_suffix(bits == 0 ? 0 : 1);
    const std::optional<std::uint64_t> number = parse_count(text);
    const bool fits = number && *number <= std::numeric_limits<std::uint64_t>::max() >> bits;
    return fits ? std::optional<std::uint64_t>(*number << bits) : std::nullopt;
}

}  // namespace

Limits read_limits(const ParsedArguments& arguments) {
    Limits limits;
    for (const std::string& given : arguments.texts("limit")) {
        const std::size_t equals = given.find('=');
        const std::optional<std::uint64_t> number =
            equals == std::string::npos ? std::nullopt : parse_size(std::string_view(given).substr(equals + 1));
        if (!number) {
            throw UsageError(sentence("usage.limit", {{"value", given}}));
        }
        if (const auto error = set_limit(limits, given.substr(0, equals), *number)) {
            throw UsageError(sentence("usage.refused_limit", {{"value", given}, {"reason", error->message}}));
        }
    }
    return limits;
}

LogSettings read_log_settings(const ParsedArguments& arguments, const Limits& limits) {
    LogSettings settings;
    settings.paths = arguments.texts("logs");
    if (arguments.has("utc-offset")) {
        settings.utc_offset_minutes = parse_utc_offset(arguments.text("utc-offset"));
        if (!settings.utc_offset_minutes) {
            throw UsageError(sentence("usage.utc_offset", {{"value", arguments.text("utc-offset")}}));
        }
    }
    settings.reading.limits = limits;
    settings.reading.log_formats = read_log_formats(arguments, limits);
    return settings;
}

ReadLogsOptions read_reading(const ParsedArguments& arguments) {
    ReadLogsOptions reading;
    reading.threads = read_threads(arguments);
    reading.limits = read_limits(arguments);
    reading.log_formats = read_log_formats(arguments, reading.limits);
    return reading;
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

std::vector<NamedText> read_log_formats(const ParsedArguments& arguments, const Limits& limits) {
    const auto refuse = [](const Error& error) {
        throw UsageError(sentence("usage.log_formats", {{"reason", sentence(error)}}));
    };
    std::vector<NamedText> files;
    for (const std::string& path : arguments.texts("log-formats")) {
        Result<std::vector<NamedText>> found = read_log_format_files(path, limits);
        if (!found) {
            refuse(found.error());
        }
        std::move(found->begin(), found->end(), std::back_inserter(files));
    }
    if (!files.empty()) {
        if (const auto formats = list_log_formats(files, limits); !formats) {
            refuse(formats.error());
        }
    }
    return files;
}

unsigned read_threads(const ParsedArguments& arguments) {
    return arguments.has("jobs") ? static_cast<unsigned>(read_count(arguments, "jobs", "usage.threads", 1, 1024)) : 0;
}

}  // namespace opdebug::tool
