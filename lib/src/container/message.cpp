#include "container/message.hpp"

#include <exception>

#include <fmt/format.h>
#include <protozero/varint.hpp>

namespace opdebug::container {
namespace {

constexpr std::uint64_t kLargestFieldNumber = 0x1FFFFFFF;  // 29 bits, protobuf encoding specification

/// The varint at `position`, which moves behind it; nothing when it is cut or longer than 10 bytes.
std::optional<std::uint64_t> decode_varint(Bytes bytes, std::size_t& position) {
    const char* const begin = bytes.text().data();
    const char* cursor = begin + position;
    try {
        const std::uint64_t value = protozero::decode_varint(&cursor, begin + bytes.size());
        position = static_cast<std::size_t>(cursor - begin);
        return value;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

Error malformed(std::uint64_t offset, const std::string& message) {
    return {ErrorCode::header_malformed, "the header message is damaged: " + message, {}, offset};
}

}  // namespace

std::optional<MessageField> MessageReader::fail(std::size_t position, const std::string& message) {
    error_ = malformed(file_offset_ + position, message);
    return std::nullopt;
}

std::optional<std::uint64_t> MessageReader::read_number(const char* what) {
    const std::size_t start = position_;
    const std::optional<std::uint64_t> number = decode_varint(message_, position_);
    if (!number) {
        fail(start, fmt::format("{} is cut or longer than 10 bytes", what));
    }
    return number;
}

std::optional<MessageField> MessageReader::read_length_delimited(MessageField field, std::size_t start) {
    const std::optional<std::uint64_t> length = read_number("a length");
    if (!length) {
        return std::nullopt;
    }
    const std::size_t left = message_.size() - position_;
    if (*length > left) {
        return fail(start, fmt::format("field {} declares {} bytes, only {} are left", field.number, *length, left));
    }
    field.kind = MessageField::Kind::length_delimited;
    field.content = message_.slice(position_, static_cast<std::size_t>(*length));
    field.content_offset = file_offset_ + position_;
    position_ += field.content.size();
    return field;
}

std::optional<MessageField> MessageReader::skip_fixed(MessageField field, std::size_t start, std::size_t width) {
    const std::size_t left = message_.size() - position_;
    if (left < width) {
        return fail(start, fmt::format("field {} needs {} bytes, only {} are left", field.number, width, left));
    }
    field.kind = width == 8 ? MessageField::Kind::fixed64 : MessageField::Kind::fixed32;
    position_ += width;
    return field;
}

std::optional<MessageField> MessageReader::next() {
    if (error_ || position_ == message_.size()) {
        return std::nullopt;
    }
    const std::size_t start = position_;
    const std::optional<std::uint64_t> tag = read_number("a field tag");
    if (!tag) {
        return std::nullopt;
    }
    const std::uint64_t number = *tag >> 3U;
    if (number == 0 || number > kLargestFieldNumber) {
        return fail(start, fmt::format("tag {:#x} has no valid field number", *tag));
    }
    MessageField field;
    field.offset = file_offset_ + start;
    field.number = static_cast<std::uint32_t>(number);
    switch (*tag & 7U) {
        case 0:
            if (const std::optional<std::uint64_t> value = read_number("a number")) {
                field.value = *value;
                return field;
            }
            return std::nullopt;
        case 1: return skip_fixed(field, start, 8);
        case 2: return read_length_delimited(field, start);
        case 5: return skip_fixed(field, start, 4);
        default:
            return fail(start, fmt::format("field {} has wire type {}, which DumpData never uses", number, *tag & 7U));
    }
}

std::optional<std::uint64_t> PackedNumbers::next() {
    if (error_ || position_ == content_.size()) {
        return std::nullopt;
    }
    const std::size_t start = position_;
    const std::optional<std::uint64_t> number = decode_varint(content_, position_);
    if (!number) {
        error_ = malformed(file_offset_ + start, "a packed number is cut or longer than 10 bytes");
    }
    return number;
}

}  // namespace opdebug::container
