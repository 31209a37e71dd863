// Structure of a dump file: facts of the header, and the location of each output.
// Three formats (docs/internals/formats.md, section "Container"): DumpData v2 = u64 length, protobuf message, raw
// bytes; DumpData v1 = one protobuf message that contains the bytes; nano = TLV. The content decides the format; the
// name is a hint.
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

/// One input or output in the header. `offset` + `size` may exceed the file: the caller checks.
struct Tensor {
    TensorKind kind = TensorKind::output;
    std::uint64_t index = 0;      ///< position among the tensors of its kind
    std::uint64_t data_type = 0;  ///< numbers of DumpData's enum; nano: GE's own numbers
    std::uint64_t format = 0;
    std::vector<std::uint64_t> dims;
    std::uint64_t size = 0;           ///< declared bytes; v1: bytes in the message, if any
    std::uint64_t offset = 0;         ///< location in the file
    std::uint64_t declared_size = 0;  ///< size in the header; differs from `size` only in v1
    bool has_address = false;         ///< the device address is not 0; headers of 2020 have no address
    bool skipped = false;             ///< the writer skipped its bytes (mark_skipped_tensors)
    std::string original_op_name;
};

/// The structure of a file, parsed from its header.
struct Contents {
    Container form = Container::dump_data_v2;
    std::string version;
    std::optional<std::uint64_t> dump_time_us;
    std::string op_name;
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    std::uint64_t data_begin = 0;  ///< first byte after the header
    std::uint64_t end = 0;         ///< first byte after all declared bytes; may exceed the file
    /// v1: the bytes from `end` on are no field of the message. The message may be damaged there; the bytes before are
    /// complete.
    std::optional<Error> rest_fault;
    /// Sizes after the outputs: buffers, then workspaces.
    std::vector<std::uint64_t> further_sizes;
    /// The sum of the sizes exceeds 2^64. Tensors after that point have the offset 2^64 - 1, which no file reaches.
    std::optional<Error> size_overflow;
};

/// Parses a file. `bytes` may be the start of a file (operator dumps) if `file_size` is the size of the whole file.
/// Otherwise pass bytes.size(). Errors: empty_file ... nano_malformed, header_too_large, too_many_tensors,
/// too_many_dimensions, name_too_long. Offsets count from the start of `bytes`.
Result<Contents> read_container(Bytes bytes, std::uint64_t file_size, const Limits& limits = {});

/// The same for a file that may be huge: reads only the header, at most Limits::header_bytes. A v1 file consists of its
/// header, so larger ones are header_too_large. Errors: also those of reading.
Result<Contents> read_container(const bytes::FileReader& file, const Limits& limits = {});

/// Whether the name is Node_OpDebug, in any case.
bool is_overflow_node(std::string_view name);

/// Whether the header names an overflow dump: op_name or the original operator of an output is Node_OpDebug.
bool header_names_overflow_dump(const Contents& contents);

}  // namespace opdebug::container
