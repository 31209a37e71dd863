// Filters and lists of pages.
#include "command_line/options.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/dump.hpp>

#include "output/messages.hpp"

namespace opdebug::tool {
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

std::size_t read_top(const ParsedArguments& arguments) {
    return static_cast<std::size_t>(read_count(arguments, "top", "usage.top", 1));
}

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
    report.top = arguments.has("top") ? read_top(arguments) : report.top;
}

}  // namespace opdebug::tool
