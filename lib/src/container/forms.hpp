// Parsers of the container formats, and their common parts: location of tensors, errors of limits.
// DumpData is the protobuf message: the header of a v2 file, or a whole v1 file. Field numbers:
// docs/internals/formats.md, section "Messages" (source: runtime dump_data.proto). Nano is the TLV format of nano chips
// (source: msaccucmp nano_dump_data.py). No OpDebug dump of a nano chip is known, but the official converter passes
// such files to the same payload parser.
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

/// 8 + the u64 length at byte 0, if the header is complete. Errors: header_truncated, header_length_invalid,
/// header_too_large.
Result<std::uint64_t> header_end_of(Bytes bytes, std::uint64_t file_size, const Limits& limits);

/// Sets offsets, end and size_overflow: all inputs, then all outputs, then further_sizes, without padding. Skipped
/// tensors have no bytes.
void place_tensors(Contents& contents);

/// The writer skips the bytes of a tensor with device address 0, but may keep its size (docs/internals/formats.md,
/// "Container"). If the declared bytes fit the file only without such tensors, marks them as skipped and moves the
/// others. Does nothing for headers without any address.
void mark_skipped_tensors(Contents& contents, std::uint64_t file_size);

/// `what`: "inputs". `offset`: of the first tensor over the limit.
inline Error too_many_tensors(std::string_view what, const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::too_many_tensors,
                              fmt::format("the header declares more than {} {}", limits.tensors, what), limits,
                              &Limits::tensors, offset);
}

inline Error too_many_dimensions(const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(
        ErrorCode::too_many_dimensions,
        fmt::format("the header declares a shape with more than {} dimensions", limits.dimensions), limits,
        &Limits::dimensions, offset);
}

inline Error name_too_long(std::uint64_t size, const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::name_too_long, fmt::format("the header contains a name of {} bytes", size),
                              limits, &Limits::name_bytes, offset);
}

struct DumpDataMessage {
    std::string version;
    std::optional<std::uint64_t> dump_time_us;
    std::string op_name;
    /// As declared by the message. v2 tensors have no offsets yet: the message does not contain them. A v1 tensor
    /// without bytes in the message has the offset of the end of the bytes.
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    std::vector<std::uint64_t> buffer_sizes;  ///< bytes after the outputs: buffers, then workspaces
    std::vector<std::uint64_t> space_sizes;
    bool holds_output = false;  ///< v1: the message contains the bytes of an output
    std::uint64_t end = 0;      ///< end of the message in the file
    /// v1: the bytes at `end`, after a complete output, are no field.
    std::optional<Error> rest_fault;
};

/// Parses a message that begins at `file_offset`. Skips unknown fields, and the `data` fields of a v2 header: its bytes
/// are after the header. A v1 message has no length. After a complete output it ends where a second version begins or
/// where no field can be parsed (rest_fault). Errors: header_malformed, too_many_tensors, too_many_dimensions,
/// name_too_long.
Result<DumpDataMessage> read_dump_data(Bytes message, std::uint64_t file_offset, Container form, const Limits& limits);

/// Whether byte 8 has the magic of nano. No DumpData message begins like this (0x5A would be field 11 of wire type 2,
/// which DumpData does not have).
bool is_nano(Bytes bytes, std::uint64_t file_size) noexcept;

/// Parses a nano file. Errors: nano_malformed, header_truncated, header_length_invalid, header_too_large,
/// too_many_tensors, too_many_dimensions, name_too_long.
Result<Contents> read_nano(Bytes bytes, std::uint64_t file_size, const Limits& limits);

}  // namespace opdebug::container
