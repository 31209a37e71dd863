// Builds whole dump files byte by byte: the version-2 container (length, header message, raw bytes), the version-1
// container (one message), the nano container (TLV). Field numbers: docs/internals/formats.md, message DumpData.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "payload_builder.hpp"
#include "wire.hpp"

namespace opdebug::test {

/// One input or output. `data` are the bytes that are really written; `size` is what the header declares.
struct Tensor {
    Buffer data;
    std::uint64_t data_type = 4;  ///< UINT8
    std::uint64_t format = 2;     ///< ND
    std::vector<std::uint64_t> dims;
    bool packed_dims = true;
    std::optional<std::uint64_t> size;
    std::optional<std::string> original_op;  ///< outputs only
    bool empty_original_shape = false;
    std::optional<std::uint64_t> address;
};

/// A tensor whose declared size and single dimension are the length of the data.
Tensor tensor(Buffer data);

/// A buffer or a workspace: kind (buffer_type or type), declared size, bytes.
struct Region {
    Buffer data;
    std::optional<std::uint64_t> size;
    std::uint64_t kind = 0;
};

struct DumpFile {
    std::string version = "2.0";
    std::uint64_t dump_time = 1694385648123456;
    std::vector<Tensor> outputs;
    std::vector<Tensor> inputs;
    std::vector<Region> buffers;
    std::vector<Region> spaces;
    std::optional<std::string> op_name;
    Buffer extra_fields;  ///< raw fields at the end of the header message
};

/// The header message alone, as the version-2 container carries it.
Buffer header_message(const DumpFile& dump);
/// u64 length, header message, then all bytes: inputs, outputs, buffers, spaces.
Buffer build_v2(const DumpFile& dump);
/// One message; each tensor's bytes are in its data field.
Buffer build_v1(const DumpFile& dump);
/// TLV form of nano chips; data_type is then GE's numbering (4 is uint8 there too).
Buffer build_nano(const DumpFile& dump);

/// The three generations of an OpDebug header: 49, 65 and 73 bytes.
enum class Era { y2020, y2021, now };

/// An OpDebug dump of that generation with this payload, declared with its own size.
DumpFile overflow_dump(Buffer payload, Era era = Era::now);
Buffer build_overflow_dump(const LegacyPayload& payload, Era era = Era::now);
Buffer build_overflow_dump(const AcceleratorPayload& payload, Era era = Era::now);

/// A v2 file whose bytes end `missing` bytes early.
Buffer cut(Buffer bytes, std::size_t missing);

}  // namespace opdebug::test
