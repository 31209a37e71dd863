// Little-endian numbers and protobuf wire format.
#include "wire.hpp"

namespace opdebug::test {
namespace {

constexpr unsigned varint_type = 0;
constexpr unsigned fixed64_type = 1;
constexpr unsigned length_type = 2;
constexpr unsigned fixed32_type = 5;

void put_tag(Buffer& to, unsigned number, unsigned wire_type) {
    put_varint(to, (std::uint64_t{number} << 3U) | wire_type);
}

void put_little_endian(Buffer& to, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
}

void set_little_endian(Buffer& in, std::size_t offset, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        in.at(offset + i) = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

}  // namespace

Buffer bytes_of(std::string_view text) {
    return Buffer(text.begin(), text.end());
}

void append(Buffer& to, const Buffer& bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

void put_u32(Buffer& to, std::uint64_t value) {
    put_little_endian(to, value, 4);
}

void put_u64(Buffer& to, std::uint64_t value) {
    put_little_endian(to, value, 8);
}

void set_u32(Buffer& in, std::size_t offset, std::uint64_t value) {
    set_little_endian(in, offset, value, 4);
}

void set_u64(Buffer& in, std::size_t offset, std::uint64_t value) {
    set_little_endian(in, offset, value, 8);
}

void put_varint(Buffer& to, std::uint64_t value) {
    while (value >= 0x80) {
        to.push_back(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7U;
    }
    to.push_back(static_cast<std::uint8_t>(value));
}

void put_varint_field(Buffer& to, unsigned number, std::uint64_t value) {
    put_tag(to, number, varint_type);
    put_varint(to, value);
}

void put_bytes_field(Buffer& to, unsigned number, const Buffer& value) {
    put_tag(to, number, length_type);
    put_varint(to, value.size());
    append(to, value);
}

void put_text_field(Buffer& to, unsigned number, std::string_view value) {
    put_bytes_field(to, number, bytes_of(value));
}

void put_fixed64_field(Buffer& to, unsigned number, std::uint64_t value) {
    put_tag(to, number, fixed64_type);
    put_u64(to, value);
}

void put_fixed32_field(Buffer& to, unsigned number, std::uint32_t value) {
    put_tag(to, number, fixed32_type);
    put_u32(to, value);
}

}  // namespace opdebug::test
