#include "logs/line_prefixes.hpp"

#include <algorithm>
#include <cstring>

#include "logs/same_bytes.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kPlaces = LinePrefixes::kMost;
constexpr std::size_t kTries = 4;
constexpr std::size_t kHashed = sizeof(PrefixWords);

PrefixWords words_of(std::string_view line) noexcept {
    PrefixWords words{};
    std::memcpy(words.data(), line.data(), kHashed);
    return words;
}

std::size_t place_of(const PrefixWords& words) noexcept {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : words) {
        mixed = (mixed ^ word) * kFactor;
        mixed ^= mixed >> 32U;
    }
    return mixed % kPlaces;
}

/// The prefix up to the time.
std::string_view prefix_of(std::string_view line, const LogLine& parts) noexcept {
    constexpr std::string_view kEnd = "):";
    const char* const end = parts.process_name.data() + parts.process_name.size() + kEnd.size();
    return line.substr(0, static_cast<std::size_t>(end - line.data()));
}

}  // namespace

LogLine LinePrefix::parts_of(std::string_view line, std::int64_t time_us, std::string_view rest) const noexcept {
    LogLine result = parts;
    for (std::string_view* const part : {&result.level, &result.module, &result.process_name}) {
        *part = line.substr(static_cast<std::size_t>(part->data() - bytes.data()), part->size());
    }
    result.local_time_us = time_us;
    result.text = rest;
    result.may_be_cut = may_be_cut(line.size());
    return result;
}

void LinePrefix::add_time(std::int64_t time_us) noexcept {
    first_time_us = lines == 0 ? time_us : std::min(first_time_us, time_us);
    last_time_us = lines == 0 ? time_us : std::max(last_time_us, time_us);
    ++lines;
}

void LinePrefix::give_lines(std::map<Writer, WriterLines>& writers) {
    if (lines == 0) {
        return;
    }
    WriterLines& shown = writers[writer];
    shown.first_time_us = std::min(shown.first_time_us.value_or(first_time_us), first_time_us);
    shown.last_time_us = std::max(shown.last_time_us.value_or(last_time_us), last_time_us);
    shown.of_host = shown.of_host || of_host;
    shown.runtime_info += runtime_info ? lines : 0;
    shown.ge_info += ge_info ? lines : 0;
    lines = 0;
}

LinePrefix* LinePrefixes::find(std::string_view line) noexcept {
    if (line.size() < kHashed) {
        return nullptr;
    }
    const PrefixWords words = words_of(line);
    const std::size_t first = place_of(words);
    for (std::size_t place = first; place < first + kTries; ++place) {
        LinePrefix& prefix = prefixes_[place % kPlaces];
        if (prefix.size != 0 && prefix.has_begin(words) &&
            (prefix.size <= kHashed ||
             (prefix.size <= line.size() && same_bytes(line.data(), prefix.bytes.data(), prefix.size)))) {
            return &prefix;
        }
    }
    return nullptr;
}

LinePrefix* LinePrefixes::place_for(std::string_view line, const LogLine& parts) noexcept {
    const bool begins_line = line.size() >= kHashed && parts.level.data() == line.data() + 1;
    if (!begins_line || parts.short_form || prefix_of(line, parts).size() > LinePrefix().bytes.size()) {
        return nullptr;
    }
    const std::size_t first = place_of(words_of(line));
    for (std::size_t place = first; place < first + kTries; ++place) {
        if (prefixes_[place % kPlaces].size == 0) {
            return &prefixes_[place % kPlaces];
        }
    }
    return &prefixes_[first];
}

Writer writer_of(const LogLine& line) noexcept {
    return {line.pid.value_or(-1), line.module == "CCECPU" || line.module == "AICPU"};
}

void learn_prefix(std::string_view line, const LogLine& parts, const LogFormats& formats, LinePrefix& prefix) {
    const std::string_view text = prefix_of(line, parts);
    prefix = {};
    prefix.parts = parts;
    for (std::string_view* const part : {&prefix.parts.level, &prefix.parts.module, &prefix.parts.process_name}) {
        *part = {prefix.bytes.data() + (part->data() - line.data()), part->size()};
    }
    std::copy(text.begin(), text.end(), prefix.bytes.begin());
    prefix.size = text.size();
    prefix.begin = words_of(line);
    std::memset(prefix.begin_mask.data(), 0xFF, std::min(text.size(), kHashed));
    prefix.writer = writer_of(parts);
    prefix.formats = formats.of_module(parts.module);
    const bool is_info = parts.level == "INFO" || parts.level == "DEBUG";
    prefix.of_host = parts.module == "RUNTIME" || parts.module == "GE" || parts.module == "ASCENDCL";
    prefix.runtime_info = is_info && parts.module == "RUNTIME";
    prefix.ge_info = is_info && parts.module == "GE";
}

}  // namespace opdebug::logs
