// What the lines of a writer show, and prefixes that lines repeat.
#include "logs/reading/part_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "bytes/hash_factors.hpp"

namespace opdebug::logs {
namespace {

/// The first bytes of a line, in which level, module and process number lie.
constexpr std::size_t kHashed = 4 * sizeof(std::uint64_t);

void add_lines(KnownPrefix& prefix, std::map<Writer, WriterLines>& writers) {
    const std::uint64_t lines = std::exchange(prefix.lines, 0);
    if (lines == 0) {
        return;
    }
    WriterLines shown;
    shown.add(prefix.parts);
    shown.first_time_us = prefix.first_time_us;
    shown.last_time_us = prefix.last_time_us;
    shown.runtime_info *= lines;
    shown.ge_info *= lines;
    writers[prefix.writer].add(shown);
}

/// The parts of a line's prefix as views into an equal text.
void move_views(LogLine& parts, std::string_view from, std::string_view to) noexcept {
    for (std::string_view* const part : {&parts.level, &parts.module, &parts.process_name}) {
        *part = to.substr(static_cast<std::size_t>(part->data() - from.data()), part->size());
    }
}

}  // namespace

Writer writer_of(const LogLine& line) noexcept {
    return {line.pid.value_or(-1), line.module == "CCECPU" || line.module == "AICPU"};
}

void WriterLines::add(const LogLine& line) noexcept {
    WriterLines one;
    one.first_time_us = one.last_time_us = line.local_time_us;
    one.of_host = line.module == "RUNTIME" || line.module == "GE" || line.module == "ASCENDCL" || line.module.empty();
    if (line.level == "INFO" || line.level == "DEBUG") {
        one.runtime_info = line.module == "RUNTIME" ? 1U : 0U;
        one.ge_info = line.module == "GE" ? 1U : 0U;
    }
    add(one);
}

void WriterLines::add(const WriterLines& further) noexcept {
    if (further.first_time_us && further.last_time_us) {
        first_time_us = std::min(first_time_us.value_or(*further.first_time_us), *further.first_time_us);
        last_time_us = std::max(last_time_us.value_or(*further.last_time_us), *further.last_time_us);
    }
    of_host = of_host || further.of_host;
    runtime_info += further.runtime_info;
    ge_info += further.ge_info;
    states_unwanted = states_unwanted || further.states_unwanted;
    names_unwanted = names_unwanted || further.names_unwanted;
}

LogLine KnownPrefix::parts_of(std::string_view line, std::int64_t time_us, std::string_view rest) const noexcept {
    LogLine result = parts;
    move_views(result, text, line);
    result.local_time_us = time_us;
    result.text = rest;
    result.may_be_cut = may_be_cut(line.size());
    return result;
}

/// `line`: at least kHashed bytes.
std::size_t KnownPrefixes::place_of(std::string_view line) noexcept {
    std::array<std::uint64_t, bytes::kHashFactors.size()> words{};
    static_assert(sizeof words == kHashed);
    std::memcpy(words.data(), line.data(), kHashed);
    std::uint64_t mixed = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
        mixed += words[word] * bytes::kHashFactors[word];
    }
    return mixed >> (64 - kPlaceBits);
}

KnownPrefix* KnownPrefixes::find(std::string_view line) noexcept {
    if (line.size() < kHashed) {
        return nullptr;
    }
    KnownPrefix* const prefix = prefixes_[place_of(line)].get();
    return prefix != nullptr && line.starts_with(prefix->text) ? prefix : nullptr;
}

void KnownPrefixes::learn(std::string_view line, const LogLine& parts, const LogFormats& formats,
                          std::map<Writer, WriterLines>& writers) {
    const bool begins_line = line.size() >= kHashed && parts.level.data() == line.data() + 1;
    if (!begins_line || parts.short_form) {
        return;
    }
    std::unique_ptr<KnownPrefix>& place = prefixes_[place_of(line)];
    if (place != nullptr) {
        add_lines(*place, writers);
    }
    const char* const end = parts.process_name.data() + parts.process_name.size() + std::string_view("):").size();
    place = std::make_unique<KnownPrefix>();
    place->text = line.substr(0, static_cast<std::size_t>(end - line.data()));
    place->parts = parts;
    move_views(place->parts, line, place->text);
    place->writer = writer_of(parts);
    place->formats = formats.of_module(parts.module);
}

void KnownPrefixes::take_lines(std::map<Writer, WriterLines>& writers) {
    for (const std::unique_ptr<KnownPrefix>& prefix : prefixes_) {
        if (prefix != nullptr) {
            add_lines(*prefix, writers);
        }
    }
}

}  // namespace opdebug::logs
