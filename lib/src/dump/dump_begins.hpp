// Where further dumps begin in a file. The host appends, whatever stands in the file: behind a dump that a full disk
// cut, the next one begins among the bytes that the first declares.
#pragma once

#include <cstddef>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/limits.hpp>

namespace opdebug::dump_stage {

/// The places behind byte 0 where a dump begins for certain, in order: the whole header is there, it begins with the
/// version (nano: has the magic) and names an overflow dump. Headers of more than 256 bytes are not found, nor are
/// outputs of version 1 behind eight other fields: real headers have less than 100 bytes, and so the time for hostile
/// bytes is bounded.
std::vector<std::size_t> further_dump_begins(Bytes bytes, const Limits& limits);

/// Whether the bytes, more than a length, begin as dumps do; the header may be cut or damaged.
bool begins_like_dump(Bytes bytes, const Limits& limits);

}  // namespace opdebug::dump_stage
