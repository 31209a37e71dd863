#include "logs/matching/line_prefixes.hpp"

#include <algorithm>

namespace opdebug::logs {
namespace {

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
    first_time_us = kNoTime;
    last_time_us = -kNoTime;
}

/// Of one that is not known yet; where there are too many, of one that is forgotten.
std::size_t LinePrefixes::next_number() noexcept {
    if (count_ < kMost) {
        return ++count_;
    }
    const std::size_t number = 1 + replaced_++ % kMost;
    known_at_[places_[number]] = 0;
    return number;
}

LinePrefix* LinePrefixes::place_for(std::string_view line, const LogLine& parts) noexcept {
    const bool begins_line = line.size() >= LinePrefix::kCompared && parts.level.data() == line.data() + 1;
    if (!begins_line || parts.short_form) {
        return nullptr;
    }
    const std::size_t size = prefix_of(line, parts).size();
    if (size < LinePrefix::kShortest || size > LinePrefix().bytes.size()) {
        return nullptr;
    }
    if (LinePrefix* const known = find(line)) {
        return known;  // the line has no time, or an odd one
    }
    const std::size_t first = place_of(words_of(line));
    std::size_t place = first;
    while (place < first + kTries && known_at_[place % kPlaces] != 0) {
        ++place;
    }
    if (place == first + kTries) {
        return &prefixes_[known_at_[first]];
    }
    const std::size_t number = next_number();
    known_at_[place % kPlaces] = static_cast<std::uint16_t>(number);
    places_[number] = static_cast<std::uint16_t>(place % kPlaces);
    return &prefixes_[number];
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
    const std::size_t last = std::min(text.size(), LinePrefix::kCompared) - sizeof(PrefixBlock);
    prefix.last_block = static_cast<std::uint8_t>(last);
    prefix.middle_block = static_cast<std::uint8_t>(std::min(sizeof(PrefixBlock), last));
    prefix.writer = writer_of(parts);
    prefix.formats = formats.of_module(parts.module);
    const bool is_info = parts.level == "INFO" || parts.level == "DEBUG";
    prefix.of_host = parts.module == "RUNTIME" || parts.module == "GE" || parts.module == "ASCENDCL";
    prefix.runtime_info = is_info && parts.module == "RUNTIME";
    prefix.ge_info = is_info && parts.module == "GE";
}

}  // namespace opdebug::logs
