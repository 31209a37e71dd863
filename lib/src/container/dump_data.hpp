// The protobuf message DumpData: the header of a v2 file, the whole of a v1 file.
// Field numbers: docs/format.md, section "Messages" (source: runtime dump_data.proto).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::container {

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

}  // namespace opdebug::container
