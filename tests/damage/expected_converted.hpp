// What must be reported of a converter's JSON, by the official converter's rules (docs/internals/formats.md, "JSON of
// the official converter"), without the code under test.
#pragma once

#include <string>

#include "wire.hpp"

namespace opdebug::damage {

/// "refused", or "whole" or "in part" and one line for each record, as record_line() writes it.
std::string expected_converted(const test::Buffer& text);

}  // namespace opdebug::damage
