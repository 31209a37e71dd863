// Numbers of variable length and texts as bytes, one after the other: the tables of saved maps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/result.hpp>

namespace opdebug::logs {

/// Appends to a buffer. Numbers take seven bits a byte, low ones first; signed ones are folded.
class ByteWriter {
public:
    void number(std::uint64_t value);
    void signed_number(std::int64_t value);
    void text(std::string_view value);  ///< length and bytes
    void bytes(std::string_view value) { bytes_ += value; }
    void little_endian(std::uint64_t value, int width);

    std::size_t size() const noexcept { return bytes_.size(); }
    const std::string& result() const noexcept { return bytes_; }
    /// Leaves it empty.
    std::string take() noexcept { return std::exchange(bytes_, {}); }

private:
    std::string bytes_;
};

/// Takes numbers and texts from bytes. After the first thing that does not fit everything is 0 or empty and ok() is
/// false, so a loop need only check ok().
class ByteReader {
public:
    explicit ByteReader(Bytes bytes) noexcept : bytes_(bytes) {}

    std::uint64_t number() noexcept {
        // Nearly all are of one byte.
        if (ok_ && position_ < bytes_.size() && bytes_[position_] < kMoreBytes) {
            return bytes_[position_++];
        }
        return long_number();
    }
    std::int64_t signed_number() noexcept;
    std::string_view text() noexcept;  ///< lives as long as the bytes
    std::string_view bytes(std::uint64_t count) noexcept;
    std::uint64_t little_endian() noexcept;  ///< of eight bytes
    /// A count of things of which each takes at least a byte: never more than the bytes that are left.
    std::uint64_t count() noexcept;

    bool ok() const noexcept { return ok_; }
    bool at_end() const noexcept { return ok_ && position_ == bytes_.size(); }
    void fail() noexcept { ok_ = false; }

private:
    static constexpr std::uint8_t kMoreBytes = 0x80;
    std::uint64_t long_number() noexcept;

    Bytes bytes_;
    std::size_t position_ = 0;
    bool ok_ = true;
};

/// One frame, with the size of the content in its header and a checksum at its end. Throws std::bad_alloc.
std::string compress_frame(std::string_view content);

/// The content of one frame; nothing where the frame is damaged or its content has another size. Throws std::bad_alloc.
std::optional<std::string> decompress_frame(Bytes frame, std::uint64_t content_size);

}  // namespace opdebug::logs
