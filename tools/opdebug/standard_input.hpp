// A dump from standard input, which command lines call "-".
#pragma once

#include <string_view>

#include <opdebug/dump.hpp>

namespace opdebug::tool {

constexpr std::string_view kStandardInput = "-";

/// Reads and decodes standard input. Errors: those of decode(), read_failed, file_too_large.
Result<Dump> decode_standard_input(const Limits& limits);

}  // namespace opdebug::tool
