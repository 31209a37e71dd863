// Standard input, output and error at program start; standard input is "-" on command lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::tool {

/// Opens a placeholder for each stream that was closed before the start (2>&-). Otherwise the first opened file would
/// get its number, and messages would be written into a result. Reading from such an input and writing to such an
/// output fails with a message. Text for such a standard error is dropped.
void open_standard_streams() noexcept;

constexpr std::string_view kStandardInput = "-";

/// Reads standard input to its end. Signals do not stop it, except those of interrupt.hpp. Errors: read_failed,
/// file_too_large, interrupted.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits);

/// A descriptor of an unnamed file in `folder` with the content of standard input; the caller closes it. Errors:
/// read_failed, write_failed, interrupted.
Result<int> copy_of_standard_input(const std::string& folder);

/// Reads and decodes standard input. Errors: those of decode() and of reading.
Result<Dump> decode_standard_input(const Limits& limits);

}  // namespace opdebug::tool
