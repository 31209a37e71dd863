// Dumps that give less than their writer meant to write: what was read counts, and the rest is told.
#pragma once

#include <optional>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// A dump of lines without a byte: its writer was ended before it wrote, as one that left half of a file.
void tell_empty(ApiFile& file);

/// A call or a line that passes a limit costs itself and the rest, as a damaged one does. The error comes back where it
/// is no such limit, or no call was read in front of it.
std::optional<Error> end_at_limit(const Error& why, ApiFile& file);

}  // namespace opdebug::api_dump
