// Where things lie in a file whose header comes first: the header's end and the tensors behind it, one after the other.
// Shared by the v2 and nano forms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::container {

/// 8 + the u64 length at byte 0, when the header is wholly there. Errors: header_truncated, header_length_invalid,
/// header_too_large.
Result<std::uint64_t> header_end_of(Bytes bytes, std::uint64_t file_size, const Limits& limits);

/// Fills in offsets, end and size_overflow: all inputs, then all outputs, then further_sizes; no padding between them.
/// Skipped tensors take no bytes.
void place_tensors(Contents& contents);

/// The writer leaves out the bytes of a tensor whose device address is 0, but not always its size (docs/format.md,
/// "Container"). Where the declared bytes do not fit the file, and do without such tensors, these are marked as skipped
/// and the others placed without them. A header without any address tells nothing.
void mark_skipped_tensors(Contents& contents, std::uint64_t file_size);

}  // namespace opdebug::container
