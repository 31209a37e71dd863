// The TLV form of nano chips. Layout: docs/format.md (source: msaccucmp nano_dump_data.py). Nano chips are not known to
// write OpDebug dumps; the official converter hands such a file to the same payload parser, so this reader exists.
#pragma once

#include <opdebug/bytes.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::container {

/// Whether the bytes carry nano's magic at byte 8. A DumpData message never begins so (0x5A would be field 11, wire
/// type 2, which DumpData does not have).
bool is_nano(Bytes bytes, std::uint64_t file_size) noexcept;

/// Reads a nano file. Errors: nano_malformed, header_truncated, header_length_invalid, header_too_large,
/// too_many_tensors, too_many_dimensions, name_too_long.
Result<Contents> read_nano(Bytes bytes, std::uint64_t file_size, const Limits& limits);

}  // namespace opdebug::container
