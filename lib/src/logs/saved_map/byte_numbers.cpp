#include "logs/saved_map/byte_numbers.hpp"

#include <zstd.h>
#include <memory>
#include <new>

#include "bytes/little_endian.hpp"

namespace opdebug::logs {
namespace {

constexpr unsigned kBitsPerByte = 7;

/// Level 3 takes twice the time and saves a tenth.
constexpr int kLevel = 1;

struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

void ByteWriter::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= kBitsPerByte) {
        bytes_ += static_cast<char>(static_cast<std::uint8_t>(value | 0x80U));
    }
    bytes_ += static_cast<char>(static_cast<std::uint8_t>(value));
}

/// Folded: 0, -1, 1, -2 are 0, 1, 2, 3.
void ByteWriter::signed_number(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    number(value < 0 ? ~(bits << 1U) : bits << 1U);
}

void ByteWriter::text(std::string_view value) {
    number(value.size());
    bytes_ += value;
}

void ByteWriter::little_endian(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) {
        bytes_ += static_cast<char>(static_cast<std::uint8_t>(value >> (8U * static_cast<unsigned>(i))));
    }
}

std::uint64_t ByteReader::long_number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && position_ < bytes_.size() && ok_; shift += kBitsPerByte) {
        const std::uint8_t byte = bytes_[position_++];
        const std::uint64_t bits = byte & 0x7fU;
        if (shift == 63 && bits > 1) {
            break;  // more than 64 bits
        }
        value |= bits << shift;
        if (byte < kMoreBytes) {
            return value;
        }
    }
    ok_ = false;
    return 0;
}

std::int64_t ByteReader::signed_number() noexcept {
    const std::uint64_t bits = number();
    return static_cast<std::int64_t>((bits & 1U) != 0 ? ~(bits >> 1U) : bits >> 1U);
}

std::string_view ByteReader::bytes(std::uint64_t count) noexcept {
    if (!ok_ || count > bytes_.size() - position_) {
        ok_ = false;
        return {};
    }
    const std::string_view part = bytes_.text().substr(position_, static_cast<std::size_t>(count));
    position_ += part.size();
    return part;
}

std::string_view ByteReader::text() noexcept {
    return bytes(number());
}

std::uint64_t ByteReader::little_endian() noexcept {
    return bytes::read_u64(Bytes(bytes(sizeof(std::uint64_t))), 0).value_or(0);
}

std::uint64_t ByteReader::count() noexcept {
    const std::uint64_t value = number();
    if (ok_ && value > bytes_.size() - position_) {
        ok_ = false;
    }
    return ok_ ? value : 0;
}

std::string compress_frame(std::string_view content) {
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string frame(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
    if (ZSTD_isError(size) != 0) {  // of a bounded buffer: only want of memory is left
        throw std::bad_alloc();
    }
    frame.resize(size);
    return frame;
}

std::optional<std::string> decompress_frame(Bytes frame, std::uint64_t content_size) {
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != content_size) {
        return std::nullopt;
    }
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    std::string content(static_cast<std::size_t>(content_size), '\0');
    const std::size_t size =
        ZSTD_decompressDCtx(context.get(), content.data(), content.size(), frame.data(), frame.size());
    return size == content_size ? std::optional(std::move(content)) : std::nullopt;
}

}  // namespace opdebug::logs
