// One catalogue file → the checked description of one register; the list of unit names.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

#include "status/catalogue.hpp"

namespace opdebug::status {

/// Parses and checks one file. Entries and codes are sorted by lowest bit. Errors: catalogue_invalid, nesting_too_deep,
/// name_too_long.
Result<Register> read_register(const NamedText& file, const Limits& limits = {});

/// The error catalogue_invalid: file, location in it (may be empty), reason and remedy.
Error catalogue_error(std::string_view file, std::string_view place, std::string_view reason, std::string_view remedy);

/// The keys of unit_from_key(), for messages: "ai-core, dha-atomic, ... or sdma".
std::string unit_keys();

}  // namespace opdebug::status
