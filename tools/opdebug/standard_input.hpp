// Standard input, which command lines call "-": a dump, or numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::tool {

constexpr std::string_view kStandardInput = "-";

/// Reads it to its end, however a signal interrupts; one of interrupt.hpp ends it. Errors: read_failed, file_too_large,
/// interrupted.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits);

/// Reads and decodes standard input. Errors: those of decode() and of reading.
Result<Dump> decode_standard_input(const Limits& limits);

}  // namespace opdebug::tool
