#include "command_line/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/regex.hpp>

#include <opdebug/dump.hpp>
#include <opdebug/logs.hpp>

#include "output/messages.hpp"
#include "remarks/diagnose.hpp"
#include "system/system.hpp"

namespace opdebug::tool {

std::function<int(std::optional<std::uint64_t>)> local_time_of(std::optional<int> utc_offset_minutes) {
    return [utc_offset_minutes](std::optional<std::uint64_t> time) {
        return utc_offset_minutes ? *utc_offset_minutes : system_utc_offset_minutes(time);
    };
}

/// Colours on a terminal only, unless --color is given. The width is that of COLUMNS or of the terminal.
ReportOptions read_report_options(const ParsedArguments& arguments) {
    const bool is_terminal = !arguments.output && ::isatty(STDOUT_FILENO) == 1;
    const std::string wanted = arguments.has("color") ? arguments.text("color") : "auto";
    ReportOptions report;
    report.color = wanted == "always" || (wanted == "auto" && is_terminal && colors_are_wanted());
    report.columns = page_columns(is_terminal);
    report.language = message_language();
    report.verbose = arguments.has("verbose");
    return report;
}

WriteReport writer_of(const std::string& name, ScanReportOptions& report) {
    struct Form {
        std::string_view name;
        WriteReport write;
        bool shows_documents;  ///< contains the documents of single dumps, or rows of them
    };
    constexpr Form kForms[] = {{"text", &ScanReport::write_text, false},
                               {"json", &ScanReport::write_json, true},
                               {"jsonl", &ScanReport::write_json_lines, true},
                               {"csv", &ScanReport::write_csv, true},
                               {"html", &ScanReport::write_html, false}};
    const auto* const form =
        std::find_if(std::begin(kForms), std::end(kForms), [&name](const Form& known) { return known.name == name; });
    report.partial = report.partial && form->write == &ScanReport::write_json_lines;  // the table contains the name
    report.keep_documents = form->shows_documents;
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

namespace {

/// Minutes of "+08:00", "-3", "+0530" or "0". Empty for other texts, including three digits without a colon, 60 or more
/// minutes, and more than 18 hours.
std::optional<int> parse_utc_offset(const std::string& text) {
    // "8" or "08" are hours; "0830", "08:30" and "8:30" are hours and minutes. "008" is ambiguous.
    static const boost::regex form(R"(([+-]?)(\d{1,2})(?::?(\d\d))?)"), ambiguous(R"([+-]?\d{3})");
    boost::smatch parts;
    if (!boost::regex_match(text, parts, form) || boost::regex_match(text, ambiguous)) {
        return std::nullopt;
    }
    const int minutes_of_hour = parts[3].matched ? std::stoi(parts[3]) : 0;
    const int minutes = std::stoi(parts[2]) * 60 + minutes_of_hour;
    if (minutes_of_hour >= 60 || minutes > 18 * 60) {
        return std::nullopt;
    }
    return parts[1] == "-" ? -minutes : minutes;
}

}  // namespace

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
    print_remarks(used.remarks);
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
    return static_cast<unsigned>(arguments.number("jobs").value_or(0));
}

namespace {

/// "3,8-11"; empty for other texts.
std::optional<std::vector<std::uint64_t>> parse_numbers(const std::string& text) {
    constexpr std::uint64_t kMost = 65536;
    std::vector<std::uint64_t> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        const std::size_t dash = part.find('-');
        const std::optional<std::uint64_t> first = parse_count(part.substr(0, dash));
        const std::optional<std::uint64_t> last =
            dash == std::string::npos ? first : parse_count(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last - *first >= kMost) {
            return std::nullopt;
        }
        for (std::uint64_t number = *first; number < *last; ++number) {
            numbers.push_back(number);
        }
        numbers.push_back(*last);
        begin = end + 1;
    }
    return numbers;
}

/// A local time. `more_us`: to the last moment that the text means.
std::optional<std::uint64_t> read_time(const ParsedArguments& arguments, const char* name, std::uint64_t more_us) {
    const std::optional<std::int64_t> local = read_local_time(arguments, name);
    if (!local) {
        return std::nullopt;
    }
    if (*local < 0) {
        throw UsageError(sentence("usage.time", {{"option", name}, {"value", arguments.text(name)}}));
    }
    return static_cast<std::uint64_t>(*local) + more_us;
}

/// A cause id: UNIT.NAME. Others would show nothing.
bool is_cause_id(const std::string& id) {
    const std::size_t point = id.find('.');
    std::string key = id.substr(0, point);
    std::replace(key.begin(), key.end(), '_', '-');
    return point != std::string::npos && point + 1 < id.size() && unit_from_key(key);
}

}  // namespace

std::optional<std::int64_t> read_local_time(const ParsedArguments& arguments, const std::string& option) {
    if (!arguments.has(option)) {
        return std::nullopt;
    }
    const std::string& text = arguments.text(option);
    for (const char* format : {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d"}) {
        std::tm time{};
        const char* const end = ::strptime(text.c_str(), format, &time);
        if (end != nullptr && *end == '\0') {
            return static_cast<std::int64_t>(::timegm(&time)) * 1'000'000;
        }
    }
    throw UsageError(sentence("usage.time", {{"option", option}, {"value", text}}));
}

ScanFilter read_filters(const ParsedArguments& arguments, const ReportOptions& report) {
    ScanFilter filter;
    for (const auto& [name, numbers] :
         {std::pair("rank", &filter.ranks), std::pair("step", &filter.steps), std::pair("device", &filter.devices)}) {
        if (arguments.has(name)) {
            const auto parsed = parse_numbers(arguments.text(name));
            if (!parsed) {
                throw UsageError(sentence("usage.numbers", {{"option", name}, {"value", arguments.text(name)}}));
            }
            *numbers = *parsed;
        }
    }
    for (const auto& [name, text] :
         {std::pair("model", &filter.model), std::pair("op", &filter.op), std::pair("cause", &filter.cause)}) {
        if (arguments.has(name)) {
            *text = arguments.text(name);
            if (text->empty()) {
                throw UsageError(sentence("usage.empty_option", {{"option", name}}));
            }
        }
    }
    if (!filter.cause.empty() && !is_cause_id(filter.cause)) {
        throw UsageError(sentence("usage.cause", {{"value", filter.cause}}));
    }
    constexpr std::uint64_t kWithinSecond = 999'999;
    filter.since_us = read_time(arguments, "since", 0);
    filter.until_us = read_time(arguments, "until", kWithinSecond);
    const auto& known = filter.since_us ? filter.since_us : filter.until_us;
    filter.utc_offset_minutes = known && report.utc_offset_minutes ? report.utc_offset_minutes(known) : 0;
    return filter;
}

void read_page_options(const ParsedArguments& arguments, ScanReportOptions& report) {
    report.lists = {arguments.has("ranks"), arguments.has("uncertain"), arguments.has("unreadable")};
    for (const char* filter : {"rank", "step", "device", "model", "op", "cause", "since", "until"}) {
        // Lines of a report are counted when it is merged: a choice among them would look like a cut file.
        if (arguments.has(filter) && arguments.form == "jsonl") {
            throw UsageError(sentence("usage.filter_of_lines", {{"option", filter}}));
        }
    }
    report.filter = read_filters(arguments, report.report);
    report.top = arguments.number("top").value_or(report.top);
}

}  // namespace opdebug::tool
