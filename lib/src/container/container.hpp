// What a dump file is made of: header facts and where each output's bytes lie.
//
// Three forms (docs/format.md, section "Container"): DumpData v2 = u64 length, protobuf message, raw bytes; DumpData v1
// = one protobuf message that holds the bytes; nano = TLV. The content decides which one it is, the name is a hint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"

namespace opdebug::container {

/// One input or output that the header declares. `offset` + `size` may reach beyond the file: the caller checks.
struct Tensor {
    TensorKind kind = TensorKind::output;
    std::uint64_t index = 0;      ///< position among those of its kind
    std::uint64_t data_type = 0;  ///< numbers of DumpData's enum; nano: GE's own numbers
    std::uint64_t format = 0;
    std::vector<std::uint64_t> dims;
    std::uint64_t size = 0;           ///< bytes declared; v1: bytes that stand in the message, if any do
    std::uint64_t offset = 0;         ///< where they begin in the file
    std::uint64_t declared_size = 0;  ///< what the header says of them: `size`, but v1 messages say it beside the bytes
    bool has_address = false;         ///< a device address other than 0; headers of 2020 have none at all
    bool skipped = false;             ///< the writer left its bytes out (mark_skipped_tensors): it has none in the file
    std::string original_op_name;
};

/// A file taken apart as far as its header says.
struct Contents {
    Container form = Container::dump_data_v2;
    std::string version;
    std::optional<std::uint64_t> dump_time_us;
    std::string op_name;
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    std::uint64_t data_begin = 0;  ///< first byte behind the header
    std::uint64_t end = 0;         ///< first byte behind everything that is declared; may lie beyond the file
    /// v1: the bytes from `end` on are no field of the message, which may be damaged there; what is before them is
    /// whole.
    std::optional<Error> rest_fault;
    /// Sizes of what follows behind the outputs: buffers, then workspaces.
    std::vector<std::uint64_t> further_sizes;
    /// The sizes add up beyond 2^64: what lies behind that point has the offset 2^64 - 1, which is in no file.
    std::optional<Error> size_overflow;
};

/// Takes a file apart. `bytes` may be only the start of a file when `file_size` tells the whole size (op dumps are read
/// that way); otherwise pass bytes.size(). Errors: empty_file ... nano_malformed, header_too_large, too_many_tensors,
/// too_many_dimensions, name_too_long; offsets count from the start of `bytes`.
Result<Contents> read_container(Bytes bytes, std::uint64_t file_size, const Limits& limits = {});

/// The same of a file that may be huge: no more of it is read than its header needs, Limits::header_bytes at most. A v1
/// file is all header: larger ones are header_too_large. Errors: those of reading, too.
Result<Contents> read_container(const bytes::FileReader& file, const Limits& limits = {});

/// Whether it is Node_OpDebug, in any case.
bool is_overflow_node(std::string_view name);

/// Whether the header itself calls it an overflow dump: its op_name or an output's original operator is Node_OpDebug.
bool header_names_overflow_dump(const Contents& contents);

}  // namespace opdebug::container
