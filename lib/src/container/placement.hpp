// Where things lie in a file whose header comes first: the header's end and the tensors behind it, one after the other.
// Shared by the v2 and nano forms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::container {

/// 8 + the u64 length at byte 0, when the header is wholly there. Errors: header_truncated, header_length_invalid,
/// header_too_large.
Result<std::uint64_t> header_end_of(Bytes bytes, std::uint64_t file_size);

/// Fills in the offsets: all inputs, then all outputs, then `further_sizes`; no padding between them. Error:
/// size_overflow.
std::optional<Error> place_tensors(Contents& contents, const std::vector<std::uint64_t>& further_sizes);

}  // namespace opdebug::container
