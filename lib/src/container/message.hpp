// The fields of one protobuf message, with the offset of every fault. Lengths have 64 bits, so 2^32 + n is not
// truncated to n.
#pragma once

#include <cstdint>
#include <optional>

#include <opdebug/result.hpp>

namespace opdebug::container {

/// One field of a message. `number` and `kind` are the tag. A varint has `value`, a length-delimited field has
/// `content`.
struct MessageField {
    enum class Kind { varint, fixed64, length_delimited, fixed32 };
    std::uint32_t number = 0;
    Kind kind = Kind::varint;
    std::uint64_t value = 0;
    Bytes content;
    std::uint64_t content_offset = 0;  ///< location of `content` in the file
    std::uint64_t offset = 0;          ///< location of the tag in the file
};

/// Reads the fields in order. After next() returned nothing, error() reports whether the message is damaged.
class MessageReader {
public:
    /// `file_offset`: location of `message` in the file, for error messages.
    MessageReader(Bytes message, std::uint64_t file_offset) noexcept : message_(message), file_offset_(file_offset) {}

    std::optional<MessageField> next();
    const std::optional<Error>& error() const noexcept { return error_; }
    /// Location of the next field in the file.
    std::uint64_t offset() const noexcept { return file_offset_ + position_; }

private:
    /// Each function returns false and sets the error if the message is damaged.
    bool fail(std::size_t position, const std::string& message);
    bool read_number(const char* what, std::uint64_t& number);
    bool read_field(MessageField& field);
    bool read_length_delimited(std::size_t start, MessageField& field);
    bool skip_fixed(std::size_t start, std::size_t width, MessageField& field);

    Bytes message_;
    std::uint64_t file_offset_;
    std::size_t position_ = 0;
    std::optional<Error> error_;
};

/// Reads the numbers of a `packed` repeated field.
class PackedNumbers {
public:
    PackedNumbers(Bytes content, std::uint64_t file_offset) noexcept : content_(content), file_offset_(file_offset) {}

    std::optional<std::uint64_t> next();
    const std::optional<Error>& error() const noexcept { return error_; }

private:
    Bytes content_;
    std::uint64_t file_offset_;
    std::size_t position_ = 0;
    std::optional<Error> error_;
};

}  // namespace opdebug::container
