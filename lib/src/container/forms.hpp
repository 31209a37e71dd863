// The readers of the container forms, and what they share: placement of tensors, limits of a header as errors.
//
// DumpData is the protobuf message: the header of a v2 file, the whole of a v1 file. Field numbers: docs/format.md,
// section "Messages" (source: runtime dump_data.proto). Nano is the TLV form of nano chips (source: msaccucmp
// nano_dump_data.py). Nano chips are not known to write OpDebug dumps; the official converter hands such a file to the
// same payload parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <opdebug/result.hpp>

#include "bytes/passed_limit.hpp"
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

/// `what`: "inputs". `offset`: of the first that is too many.
inline Error too_many_tensors(std::string_view what, const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::too_many_tensors,
                              fmt::format("the header declares more than {} {}", limits.tensors, what), limits,
                              &Limits::tensors, offset);
}

inline Error too_many_dimensions(const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::too_many_dimensions,
                              fmt::format("the header declares a shape of more than {} dimensions", limits.dimensions),
                              limits, &Limits::dimensions, offset);
}

inline Error name_too_long(std::uint64_t size, const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::name_too_long, fmt::format("the header holds a name of {} bytes", size),
                              limits, &Limits::name_bytes, offset);
}

struct DumpDataMessage {
    std::string version;
    std::optional<std::uint64_t> dump_time_us;
    std::string op_name;
    /// As the message declares them. Those of v2 have no offsets yet: they are not in the message. One of v1 without
    /// its bytes in the message has no place in the file, so its offset is where the bytes end.
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    std::vector<std::uint64_t> buffer_sizes;  ///< bytes behind the outputs: buffers, then workspaces
    std::vector<std::uint64_t> space_sizes;
    bool holds_output = false;  ///< v1: the bytes of at least one output are there
    std::uint64_t end = 0;      ///< where it ends in the file
    /// v1: what stands at `end`, behind an output that is whole, cannot be read as a field.
    std::optional<Error> rest_fault;
};

/// Reads a message that begins at `file_offset`. Unknown fields are skipped; in a v2 header the `data` fields, too: the
/// bytes lie behind it. Nothing says how long a v1 message is: behind an output that is whole it ends where a second
/// version begins or where no field can be read (rest_fault). Errors: header_malformed, too_many_tensors,
/// too_many_dimensions, name_too_long.
Result<DumpDataMessage> read_dump_data(Bytes message, std::uint64_t file_offset, Container form, const Limits& limits);

/// Whether the bytes carry nano's magic at byte 8. A DumpData message never begins so (0x5A would be field 11, wire
/// type 2, which DumpData does not have).
bool is_nano(Bytes bytes, std::uint64_t file_size) noexcept;

/// Reads a nano file. Errors: nano_malformed, header_truncated, header_length_invalid, header_too_large,
/// too_many_tensors, too_many_dimensions, name_too_long.
Result<Contents> read_nano(Bytes bytes, std::uint64_t file_size, const Limits& limits);

}  // namespace opdebug::container
