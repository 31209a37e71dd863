// Writes little-endian numbers and protobuf wire format byte by byte, so that dumps are built without the code under
// test. Source of the wire format: protobuf encoding documentation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace opdebug::test {

using Buffer = std::vector<std::uint8_t>;

Buffer bytes_of(std::string_view text);
void append(Buffer& to, const Buffer& bytes);
void put_u32(Buffer& to, std::uint64_t value);  ///< the low 32 bits
void put_u64(Buffer& to, std::uint64_t value);
void set_u32(Buffer& in, std::size_t offset, std::uint64_t value);
void set_u64(Buffer& in, std::size_t offset, std::uint64_t value);

void put_varint(Buffer& to, std::uint64_t value);
void put_varint_field(Buffer& to, unsigned number, std::uint64_t value);
void put_bytes_field(Buffer& to, unsigned number, const Buffer& value);
void put_text_field(Buffer& to, unsigned number, std::string_view value);
void put_fixed64_field(Buffer& to, unsigned number, std::uint64_t value);
void put_fixed32_field(Buffer& to, unsigned number, std::uint32_t value);

}  // namespace opdebug::test
