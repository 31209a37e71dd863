// What the bytes of lines are that differ in digits and hexadecimal numbers (hex_numbers.hpp): as shape_bytes.hpp says,
// but a number has any hexadecimal digits. Where a line's numbers are need not be known to find its shape: to search
// and mask them in each such line took most of its time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "bytes/hash_factors.hpp"
#include "logs/matching/shape_bytes.hpp"
#include "logs/patterns/hex_digit_runs.hpp"

namespace opdebug::logs {

/// A hash that no hexadecimal digit changes, whether it is of a number or not. The text must have a block. Only for the
/// same processor the hash is the same; its upper bits are the better ones.
template <class Block>
[[gnu::always_inline]] inline std::uint64_t hash_without_hex_digits(std::string_view text) noexcept {
    using Bytes = typename Block::Bytes;
    using Signed = typename Block::Signed;
    using Words = typename Block::Words;
    const std::size_t last = text.size() - sizeof(Bytes);
    Words mixed{};
    Words factors = Words{} + std::uint16_t{0x9E37};
    for (std::size_t place = 0; place < text.size(); place += sizeof(Bytes)) {
        Bytes bytes;
        std::memcpy(&bytes, text.data() + std::min(place, last), sizeof bytes);
        const auto moved = bytes + static_cast<unsigned char>(0x7F - 'f');
        const auto is_letter = reinterpret_cast<Signed>(moved) > static_cast<signed char>(0x7F - 6);
        const auto is_no_digit = reinterpret_cast<Signed>(bytes) > static_cast<signed char>('9');
        bytes &= reinterpret_cast<Bytes>(is_no_digit & ~is_letter);
        mixed += reinterpret_cast<Words>(bytes) * factors;
        factors += std::uint16_t{0x79B8};  // other ones for each block, and odd ones
    }
    std::array<std::uint64_t, 4> words{};
    std::memcpy(words.data(), &mixed, sizeof mixed);
    constexpr auto& kFactors = bytes::kHashFactors;
    return (words[0] + text.size()) * kFactors[0] + words[1] * kFactors[1] + words[2] * kFactors[2] +
           words[3] * kFactors[3];
}

/// Of texts that are the same once their digits and hexadecimal numbers are masked.
class HexShapeBytes {
public:
    /// As ShapeBytes::take(). `numbers`: the masked text with masked numbers (mask_hex_numbers()).
    void take(const char* text, std::string_view masked, std::string_view numbers) noexcept;

    std::size_t size() const noexcept { return bytes_.size(); }

    /// As ShapeBytes::are_of(). What stands in front of the numbers and behind them is the same, so they are those of
    /// the text where they have no other bytes.
    template <class Block>
    [[gnu::always_inline]] inline bool are_of(const char* text) const noexcept {
        return bytes_.are_of<Block>(text) && has_numbers(text);
    }

private:
    using Bytes = Block16::Bytes;
    static constexpr std::size_t kStraightPieces = 4;  // a hash of 32 digits and two addresses
    // Each number has a byte before it, so one of n digits takes n + 1 bytes; it has at most (n + 1) / 9 pieces.
    static constexpr std::size_t kMostPieces = ShapeBytes::kLongest / (1 + HexDigitRuns::kFewestDigits);

    /// Of a number: so many digits at most as a vector has bytes.
    struct Piece {
        std::uint16_t begin, size;
    };

    [[gnu::always_inline]] inline bool has_numbers(const char* text) const noexcept {
        Bytes wrong{};
        for (std::size_t index = 0; index < kStraightPieces; ++index) {
            add_wrong(text, pieces_[index], wrong);
        }
        for (std::size_t index = kStraightPieces; index < count_; ++index) {
            add_wrong(text, pieces_[index], wrong);
        }
        std::array<std::uint64_t, 2> words{};
        std::memcpy(words.data(), &wrong, sizeof wrong);
        return (words[0] | words[1]) == 0;
    }

    [[gnu::always_inline]] static inline void add_wrong(const char* text, Piece piece, Bytes& wrong) noexcept {
        using Signed = Block16::Signed;
        Bytes bytes;
        Bytes inside;
        std::memcpy(&bytes, text + piece.begin, sizeof bytes);
        std::memcpy(&inside, kInside.data() + sizeof inside - piece.size, sizeof inside);
        // Digits become the largest signed bytes, and so do letters.
        const auto digit = reinterpret_cast<Signed>(bytes + static_cast<unsigned char>(0x7F - '9')) >
                           static_cast<signed char>(0x7F - 10);
        const auto letter = reinterpret_cast<Signed>(bytes + static_cast<unsigned char>(0x7F - 'f')) >
                            static_cast<signed char>(0x7F - 6);
        wrong |= inside & ~reinterpret_cast<Bytes>(digit | letter);
    }

    /// From `size` bytes before its middle on: a mask of the first `size` ones.
    static constexpr std::array<unsigned char, 2 * sizeof(Bytes)> kInside = [] {
        std::array<unsigned char, 2 * sizeof(Bytes)> inside{};
        std::fill_n(inside.begin(), sizeof(Bytes), static_cast<unsigned char>(0xFF));
        return inside;
    }();

    std::array<Piece, kMostPieces> pieces_;  ///< those behind the last one have no digits
    std::size_t count_;
    ShapeBytes bytes_;
};

}  // namespace opdebug::logs
