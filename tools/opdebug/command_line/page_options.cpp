#include "command_line/options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/dump.hpp>

#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

/// One table of the filters: which there are, and what help states of them.
struct FilterOption {
    const char* name;
    const char* value;
    const char* summary;
};
constexpr std::array<FilterOption, 8> kFilters{{
    {"rank", "N", "show only these ranks, for example 3,8-11"},
    {"step", "N", "show only these steps"},
    {"device", "N", "show only these devices"},
    {"model", "GLOB", "show only models whose name fits"},
    {"op", "GLOB", "show only operators or calls whose name or type fits, for example '*softmax*'"},
    {"cause", "ID", "show only this cause, for example ai_core.float_overflow (ids: opdebug explain)"},
    {"since", "TIME", "show only overflows from this local time, for example '2026-10-12 09:41:27'"},
    {"until", "TIME", "show only overflows up to this local time"},
}};

std::optional<std::string> read_numbers(const ParsedArguments& arguments, const char* name,
                                        std::vector<std::uint64_t>& numbers) {
    if (!arguments.has(name)) {
        return std::nullopt;
    }
    const auto parsed = parse_numbers(arguments.text(name));
    if (!parsed) {
        return sentence("usage.numbers", {{"option", name}, {"value", arguments.text(name)}});
    }
    numbers = *parsed;
    return std::nullopt;
}

/// `more_us`: up to the last moment that a time of whole seconds means.
std::optional<std::string> read_time(const ParsedArguments& arguments, const char* name, std::uint64_t more_us,
                                     std::optional<std::uint64_t>& local_us) {
    if (!arguments.has(name)) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> local = parse_local_time(arguments.text(name));
    if (!local || *local < 0) {
        return sentence("usage.time", {{"option", name}, {"value", arguments.text(name)}});
    }
    local_us = static_cast<std::uint64_t>(*local) + more_us;
    return std::nullopt;
}

/// A cause id: UNIT.NAME. Others would show nothing.
bool is_cause_id(const std::string& id) {
    const std::size_t point = id.find('.');
    std::string key = id.substr(0, point);
    std::replace(key.begin(), key.end(), '_', '-');
    return point != std::string::npos && point + 1 < id.size() && unit_from_key(key);
}

}  // namespace

void add_filter_options(CommandLine& line, std::span<const char* const> names) {
    for (const FilterOption& filter : kFilters) {
        if (std::find(names.begin(), names.end(), std::string_view(filter.name)) != names.end()) {
            line.options.push_back({filter.name, text_value(filter.value), filter.summary});
        }
    }
}

void add_filter_options(CommandLine& line) {
    for (const FilterOption& filter : kFilters) {
        line.options.push_back({filter.name, text_value(filter.value), filter.summary});
    }
    line.options.push_back({"top", number_value("N"), "operators that text shows (default: 10)"});
}

void add_list_options(CommandLine& line) {
    line.options.push_back({"verbose,v", {}, "text with all details, whole lines and paths"});
    line.options.push_back({"ranks", {}, "text: list all ranks in the order of their first overflow"});
    line.options.push_back({"uncertain", {}, "text: list what may be earlier than the first overflow"});
    line.options.push_back({"unreadable", {}, "text: list all unreadable dumps"});
}

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

std::optional<std::string> read_top(const ParsedArguments& arguments, std::size_t& top) {
    if (!arguments.has("top")) {
        return std::nullopt;
    }
    const std::optional<std::uint64_t> count = parse_count(arguments.text("top"));
    if (!count || *count == 0) {
        return sentence("usage.top", {{"value", arguments.text("top")}});
    }
    top = static_cast<std::size_t>(*count);
    return std::nullopt;
}

std::optional<std::int64_t> parse_local_time(const std::string& text) {
    for (const char* format : {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d"}) {
        std::tm time{};
        const char* const end = ::strptime(text.c_str(), format, &time);
        if (end != nullptr && *end == '\0') {
            return static_cast<std::int64_t>(::timegm(&time)) * 1'000'000;
        }
    }
    return std::nullopt;
}

std::optional<std::string> read_filters(const ParsedArguments& arguments, const ReportOptions& report,
                                        ScanFilter& filter) {
    for (const auto& [name, numbers] :
         {std::pair("rank", &filter.ranks), std::pair("step", &filter.steps), std::pair("device", &filter.devices)}) {
        if (auto message = read_numbers(arguments, name, *numbers)) {
            return message;
        }
    }
    for (const auto& [name, text] :
         {std::pair("model", &filter.model), std::pair("op", &filter.op), std::pair("cause", &filter.cause)}) {
        if (arguments.has(name)) {
            *text = arguments.text(name);
            if (text->empty()) {
                return sentence("usage.empty_option", {{"option", name}});
            }
        }
    }
    if (!filter.cause.empty() && !is_cause_id(filter.cause)) {
        return sentence("usage.cause", {{"value", filter.cause}});
    }
    constexpr std::uint64_t kWithinSecond = 999'999;
    auto message = read_time(arguments, "since", 0, filter.since_us);
    message = message ? message : read_time(arguments, "until", kWithinSecond, filter.until_us);
    const auto& known = filter.since_us ? filter.since_us : filter.until_us;
    filter.utc_offset_minutes = known && report.utc_offset_minutes ? report.utc_offset_minutes(known) : 0;
    return message;
}

std::optional<std::string> read_page_options(const ParsedArguments& arguments, ScanReportOptions& report) {
    report.report.verbose = arguments.has("verbose");
    report.lists = {arguments.has("ranks"), arguments.has("uncertain"), arguments.has("unreadable")};
    for (const FilterOption& filter : kFilters) {
        // Lines of a report are counted when it is merged: a choice among them would look like a cut file.
        if (arguments.has(filter.name) && arguments.form == "jsonl") {
            return sentence("usage.filter_of_lines", {{"option", filter.name}});
        }
    }
    auto message = read_filters(arguments, report.report, report.filter);
    return message ? message : read_top(arguments, report.top);
}

}  // namespace opdebug::tool
