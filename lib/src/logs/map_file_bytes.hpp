// The bytes of a saved map: numbers of variable length, texts, packed parts with checksums.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/bytes.hpp>

namespace opdebug::logs::map_file {

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
    /// To be written anew, in the same memory.
    void clear() noexcept { bytes_.clear(); }

private:
    std::string bytes_;
};

/// Takes numbers and texts from bytes. After the first thing that does not fit everything is 0 or empty and ok() is
/// false, so that a loop need only ask ok().
class ByteReader {
public:
    explicit ByteReader(Bytes bytes) noexcept : bytes_(bytes) {}

    std::uint64_t number() noexcept;
    std::int64_t signed_number() noexcept;
    std::string_view text() noexcept;  ///< lives as long as the bytes
    std::string_view bytes(std::uint64_t count) noexcept;
    std::uint64_t little_endian(int width) noexcept;
    /// A count of things of which each takes at least a byte: never more than the bytes that are left.
    std::uint64_t count() noexcept;

    bool ok() const noexcept { return ok_; }
    bool at_end() const noexcept { return ok_ && position_ == bytes_.size(); }
    void fail() noexcept { ok_ = false; }

private:
    Bytes bytes_;
    std::size_t position_ = 0;
    bool ok_ = true;
};

/// 0, -1, 1, -2 ... as 0, 1, 2, 3 ...
inline std::uint64_t folded(std::int64_t value) noexcept {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? ~(bits << 1U) : bits << 1U;
}

/// Differences wrap around, so that every pair of numbers has one.
inline std::int64_t difference(std::uint64_t value, std::uint64_t base) noexcept {
    return static_cast<std::int64_t>(value - base);
}
inline std::uint64_t sum(std::uint64_t base, std::int64_t difference) noexcept {
    return base + static_cast<std::uint64_t>(difference);
}

/// CRC-32 as zlib and PNG compute it.
std::uint32_t checksum_of(Bytes bytes) noexcept;

/// zstd. For one thread at a time.
class Packer {
public:
    Packer();
    Packer(Packer&&) noexcept;
    Packer& operator=(Packer&&) noexcept;
    ~Packer();

    /// A stream of its own, which does not depend on those before. Nothing when it fails.
    std::optional<std::string> pack(std::string_view content);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;  ///< null: to be made, or it failed
};
/// Nothing when the bytes are no zstd stream of exactly that size unpacked. Memory grows with what really comes.
std::optional<std::string> unpack(Bytes packed, std::uint64_t unpacked_size);

}  // namespace opdebug::logs::map_file
