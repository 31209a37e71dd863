// Where dumps begin in a file, by the rules of docs/internals/formats.md ("Several dumps in one file"), location by
// location.
#pragma once

#include <vector>

#include "expected_container.hpp"

namespace opdebug::damage {

/// After byte 0, in order; the end of the bytes is the last one.
std::vector<std::size_t> expected_begins(const Buffer& bytes);

/// Bytes that begin like a dump, whether or not its header can be read.
bool begins_like_dump(const Buffer& bytes);

/// Whether the header states that it is the one of an overflow dump.
bool names_overflow_dump(const ExpectedContainer& file);

}  // namespace opdebug::damage
