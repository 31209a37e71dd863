// A line as what it has of its form.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "logs/packing/line_form.hpp"
#include "logs/text/written_times.hpp"

namespace opdebug::logs {

/// Without a form the line as it is. With one, of a launch and its submit line a tenth of their bytes is left.
struct LineText {
    std::string_view whole;
    const LineForm* form = nullptr;
    std::string_view difference;  ///< to the form that is filled in (line_difference.hpp)
};

/// What filling in forms again and again needs.
struct FillingMemory {
    WrittenTimes times;
    std::string filled;
};

/// The difference of a line to the form; nothing when that takes more bytes than `room` has.
std::optional<std::string_view> write_line(const LineForm& form, const KnownValues& known, FillingMemory& memory,
                                           std::string_view line, std::span<char> room);

/// The line; nothing when the difference is none of the form.
std::optional<std::string> whole_line(const LineText& line, const KnownValues& known, WrittenTimes& times);

/// No fewer bytes than the line has, of whatever difference: the same for the same line, wherever it is kept.
std::uint64_t most_bytes(const LineText& line, const KnownValues& known) noexcept;

}  // namespace opdebug::logs
