// A fact as bytes in memory: all of it but what is kept beside them (PackedFacts).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "logs/packing/fact_view.hpp"

namespace opdebug::logs {

/// A line as it is kept: its difference to the base, or the whole of it where there is none.
struct KeptLine {
    const std::string* base = nullptr;
    std::string_view text;
};

/// No fewer bytes than the record of the fact takes, whose lines are whole.
std::size_t most_of_record(const FactView& fact) noexcept;

/// Writes all but the time, the kind, the ids of stream and task, file and line number; returns the size. `lines`: the
/// fact's own, then the further ones.
std::size_t write_record(const FactView& fact, const KeptLine* lines, char* record) noexcept;

/// Reads what was written. The ids of stream and task, which are not in the record, must be among the numbers already.
void read_record(const char* record, std::size_t numbers, FactView& fact) noexcept;

/// How many bytes there are for the record: it may be replaced there.
std::size_t room_of_record(const char* record) noexcept;
void set_room_of_record(char* record, std::size_t room) noexcept;

}  // namespace opdebug::logs
