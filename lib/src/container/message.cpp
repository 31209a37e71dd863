#include "container/message.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"

namespace opdebug::container {
namespace {

constexpr std::uint64_t kLargestFieldNumber = 0x1FFFFFFF;  // 29 bits, protobuf encoding specification

/// Decodes the varint at `position` and moves `position` after it. Returns false if it is truncated or longer than 10
/// bytes.
bool decode_varint(Bytes bytes, std::size_t& position, std::uint64_t& value) {
    constexpr std::size_t kLongest = 10;
    value = 0;
    for (std::size_t i = 0; i < kLongest && position + i < bytes.size(); ++i) {
        const std::uint64_t byte = bytes[position + i];
        value |= (byte & 0x7FU) << (7 * i);
        if (byte < 0x80) {
            position += i + 1;
            return true;
        }
    }
    return false;
}

Error malformed_message(std::uint64_t offset, const std::string& message) {
    return {ErrorCode::header_malformed, "the header message is damaged: " + message, {}, offset};
}

}  // namespace

bool MessageReader::fail(std::size_t position, const std::string& message) {
    error_ = malformed_message(file_offset_ + position, message);
    return false;
}

bool MessageReader::read_number(const char* what, std::uint64_t& number) {
    const std::size_t start = position_;
    return decode_varint(message_, position_, number) ||
           fail(start, fmt::format("{} is truncated or longer than 10 bytes", what));
}

bool MessageReader::read_length_delimited(std::size_t start, MessageField& field) {
    std::uint64_t length = 0;
    if (!read_number("a length", length)) {
        return false;
    }
    const std::size_t left = message_.size() - position_;
    if (length > left) {
        return fail(start, fmt::format("field {} declares {}, only {} {} left", field.number,
                                       bytes::counted(length, "byte"), left, bytes::is_or_are(left)));
    }
    field.kind = MessageField::Kind::length_delimited;
    field.content = message_.slice(position_, static_cast<std::size_t>(length));
    field.content_offset = file_offset_ + position_;
    position_ += field.content.size();
    return true;
}

bool MessageReader::skip_fixed(std::size_t start, std::size_t width, MessageField& field) {
    const std::size_t left = message_.size() - position_;
    if (left < width) {
        return fail(start, fmt::format("field {} needs {} bytes, only {} {} left", field.number, width, left,
                                       bytes::is_or_are(left)));
    }
    field.kind = width == 8 ? MessageField::Kind::fixed64 : MessageField::Kind::fixed32;
    position_ += width;
    return true;
}

bool MessageReader::read_field(MessageField& field) {
    const std::size_t start = position_;
    std::uint64_t tag = 0;
    if (!read_number("a field tag", tag)) {
        return false;
    }
    const std::uint64_t number = tag >> 3U;
    if (number == 0 || number > kLargestFieldNumber) {
        return fail(start, fmt::format("tag {:#x} has no valid field number", tag));
    }
    field.offset = file_offset_ + start;
    field.number = static_cast<std::uint32_t>(number);
    switch (tag & 7U) {
        case 0: return read_number("a number", field.value);
        case 1: return skip_fixed(start, 8, field);
        case 2: return read_length_delimited(start, field);
        case 5: return skip_fixed(start, 4, field);
        default:
            return fail(start, fmt::format("field {} has wire type {}, which DumpData never uses", number, tag & 7U));
    }
}

/// Constructs the result where it is needed: fields are large, and a scan reads forty of them for each dump.
std::optional<MessageField> MessageReader::next() {
    std::optional<MessageField> field;
    if (!error_ && position_ != message_.size() && !read_field(field.emplace())) {
        field.reset();
    }
    return field;
}

std::optional<std::uint64_t> PackedNumbers::next() {
    if (error_ || position_ == content_.size()) {
        return std::nullopt;
    }
    const std::size_t start = position_;
    std::uint64_t number = 0;
    if (!decode_varint(content_, position_, number)) {
        error_ = malformed_message(file_offset_ + start, "an encoded number is truncated or longer than 10 bytes");
        return std::nullopt;
    }
    return number;
}

}  // namespace opdebug::container
