// The names of the units as a list.
#pragma once

#include <string>

#include <opdebug/status.hpp>

namespace opdebug::status {

/// What unit_from_key() knows, for messages: "ai-core, dha-atomic, ... or sdma".
std::string unit_keys();

}  // namespace opdebug::status
