// One catalogue file → the description of one register, strictly checked; the names of the units as a list.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

#include "status/catalogue.hpp"

namespace opdebug::status {

/// Reads and checks one file. Entries and codes of the result stand in order of their lowest bit. Errors:
/// catalogue_invalid, nesting_too_deep, name_too_long.
Result<Register> read_register(const NamedText& file, const Limits& limits = {});

/// The error catalogue_invalid: which file, where in it (may be empty), why, and what to do.
Error catalogue_error(std::string_view file, std::string_view place, std::string_view reason, std::string_view remedy);

/// What unit_from_key() knows, for messages: "ai-core, dha-atomic, ... or sdma".
std::string unit_keys();

}  // namespace opdebug::status
