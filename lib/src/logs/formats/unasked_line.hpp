// What is kept of lines on tasks that nobody asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "logs/facts/line_fact.hpp"
#include "logs/formats/format_file.hpp"

namespace opdebug::logs {

/// Who wrote a line: the process id that the line prints. Device-side processes have pids of their own.
struct Writer {
    std::int64_t pid = -1;
    bool on_device = false;
    bool operator==(const Writer& other) const noexcept = default;
    bool operator<(const Writer& other) const noexcept {
        return pid != other.pid ? pid < other.pid : on_device < other.on_device;
    }
};

/// The kind of an unasked line, and its ids.
struct UnaskedIds {
    static constexpr std::uint16_t kNoDevice = std::numeric_limits<std::uint16_t>::max();
    static constexpr std::uint8_t kNoType = std::numeric_limits<std::uint8_t>::max();

    std::uint32_t stream_id = 0, task_id = 0;
    std::uint16_t device_id = kNoDevice;
    std::uint8_t task_type = kNoType;
    FactKind kind = {};

    TaskIds task_ids() const noexcept;
    bool submits_a_kernel() const noexcept;
    /// Whether these hold the fact's ids; those in real logs are far smaller.
    static bool hold(const Fact& fact) noexcept;
    static UnaskedIds of(const LineFact& fact) noexcept;
};

/// A line on a task that nobody asked for (Wanted::is_unasked), of which what other lines of its thread say may still
/// need something. No texts, and as much as a line of the processor's cache holds: most are looked at by another core
/// than the one that wrote them.
struct UnaskedLine {
    static constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();
    static constexpr std::size_t kLongest = std::numeric_limits<std::uint32_t>::max();

    const FormatDefinition* format = nullptr;
    const Writer* writer = nullptr;  ///< in MatchedLines::writers
    std::int64_t tid = -1;
    std::int64_t time_us = kNoTime;  ///< as in MatchedLine
    const char* begin = nullptr;     ///< of all of the line, in the part, to read it again where it is needed after all
    std::uint32_t size = 0;
    std::uint32_t number = 0;  ///< behind MatchedLines::first_number
    std::uint32_t before = 0;  ///< it stands before this one of MatchedLines::lines
    UnaskedIds ids;

    std::string_view text() const noexcept { return {begin, size}; }
};
static_assert(sizeof(UnaskedLine) == 64);

}  // namespace opdebug::logs
