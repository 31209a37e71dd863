// Standard input, output and error, as the program finds them; standard input, which command lines call "-".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::tool {

/// Gives a stream that was closed before the program began (2>&-) a descriptor that holds its number: else the first
/// file that is opened gets it, and messages would be written into a dump's document. Reading from such a standard
/// input and writing to such a standard output fails and is told; what goes to such a standard error is gone, as was
/// wished.
void open_standard_streams() noexcept;

constexpr std::string_view kStandardInput = "-";

/// Reads it to its end, however a signal interrupts; one of interrupt.hpp ends it. Errors: read_failed, file_too_large,
/// interrupted.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits);

/// A descriptor of a file without a name in `folder` that holds what standard input gave; the caller closes it. Errors:
/// read_failed, write_failed, interrupted.
Result<int> copy_of_standard_input(const std::string& folder);

/// Reads and decodes standard input. Errors: those of decode() and of reading.
Result<Dump> decode_standard_input(const Limits& limits);

}  // namespace opdebug::tool
