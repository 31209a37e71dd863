#include "logs/matching/shape_bytes.hpp"

namespace opdebug::logs {
namespace {

using Bytes = Block16::Bytes;

Bytes block_at(const char* place) noexcept {
    Bytes block;
    std::memcpy(&block, place, sizeof block);
    return block;
}

/// 0xFF for the first `size` bytes, of a block at most.
Bytes first_bytes(std::size_t size) noexcept {
    constexpr std::array<char, 2 * sizeof(Bytes)> kMasks = [] {
        std::array<char, 2 * sizeof(Bytes)> masks{};
        std::fill_n(masks.begin(), sizeof(Bytes), '\xFF');
        return masks;
    }();
    return block_at(kMasks.data() + sizeof(Bytes) - std::min(size, sizeof(Bytes)));
}

}  // namespace

/// A '9' that stands in the masked text is a masked digit unless a letter is before it: then it stands in the text.
void ShapeBytes::take(const char* text, std::string_view masked) noexcept {
    size_ = static_cast<std::uint16_t>(masked.size());
    const std::size_t end = std::max((masked.size() + kPiece - 1) / kPiece * kPiece, kStraightBytes);
    for (std::size_t place = 0; place < end; place += sizeof(Bytes)) {
        const Bytes bytes = block_at(text + place);
        const Bytes before = block_at(text + place - 1);
        const auto nine = block_at(masked.data() + place) == static_cast<unsigned char>('9');
        const auto is_behind_letter = (before | static_cast<unsigned char>(0x20)) - static_cast<unsigned char>('a') <=
                                      static_cast<unsigned char>('z' - 'a');
        const auto any_digit = reinterpret_cast<Bytes>(nine & ~is_behind_letter);
        // The '0' of "0x" is not masked.
        const auto from_one =
            reinterpret_cast<Bytes>(block_at(text + place + 1) == static_cast<unsigned char>('x')) & 1U;
        const Bytes inside = first_bytes(masked.size() - std::min(masked.size(), place));
        const Bytes least =
            ((any_digit & (from_one + static_cast<unsigned char>('0'))) | (~any_digit & bytes)) & inside;
        const Bytes more = (any_digit & (static_cast<unsigned char>(9) - from_one)) | ~inside;
        Piece& piece = pieces_[place / kPiece];
        std::memcpy(piece.least.data() + place % kPiece, &least, sizeof least);
        std::memcpy(piece.more.data() + place % kPiece, &more, sizeof more);
    }
}

void ShapeBytes::take_any(std::size_t begin, std::size_t end) noexcept {
    for (std::size_t place = begin; place < end; ++place) {
        Piece& piece = pieces_[place / kPiece];
        piece.least[place % kPiece] = 0;
        piece.more[place % kPiece] = 0xFF;
    }
}

}  // namespace opdebug::logs
