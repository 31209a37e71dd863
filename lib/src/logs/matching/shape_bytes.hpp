// What the bytes of lines of one shape are: at each place one certain byte, or any digit. So a line is compared with
// the shape as it stands: to mask its digits first (masked_digits.hpp) takes four times as many steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "bytes/hash_factors.hpp"

namespace opdebug::logs {

/// Vectors of one size, by the types of their elements: extensions of GCC and clang. In functions that are always
/// inlined, for one that passes vectors is another one where the processor is not asked for AVX2.
struct Block16 {
    typedef unsigned char Bytes __attribute__((vector_size(16)));
    typedef signed char Signed __attribute__((vector_size(16)));
    typedef std::uint16_t Words __attribute__((vector_size(16)));
};
struct Block32 {
    typedef unsigned char Bytes __attribute__((vector_size(32)));
    typedef signed char Signed __attribute__((vector_size(32)));
    typedef std::uint16_t Words __attribute__((vector_size(32)));
};

/// So many bytes of a text are looked at in the same number of steps, whatever its size: a loop that ends with the text
/// ends where the processor does not expect it.
inline constexpr std::size_t kStraightBytes = 128;

/// Odd factors, for each place of a straight text another one: read from memory, they need no steps of their own.
inline constexpr std::array<std::uint16_t, kStraightBytes / sizeof(std::uint16_t)> kPlaceFactors = [] {
    std::array<std::uint16_t, kStraightBytes / sizeof(std::uint16_t)> factors{};
    std::uint32_t random = 0x9E3779B9U;
    for (std::uint16_t& factor : factors) {
        random = random * 1664525U + 1013904223U;
        factor = static_cast<std::uint16_t>(random >> 16U | 1U);
    }
    return factors;
}();

/// The block at `place`, its masked digits 0.
template <class Block>
[[gnu::always_inline]] inline void take_without_digits(const char* place, typename Block::Words& words) noexcept {
    using Signed = typename Block::Signed;
    typename Block::Bytes bytes;
    typename Block::Bytes before;
    std::memcpy(&bytes, place, sizeof bytes);
    std::memcpy(&before, place - 1, sizeof before);
    // Letters become the largest signed bytes.
    const auto moved = (before | static_cast<unsigned char>(0x20)) + static_cast<unsigned char>(0x7F - 'z');
    const auto is_behind_letter = reinterpret_cast<Signed>(moved) > static_cast<signed char>('a' + 0x7F - 'z' - 1);
    const auto is_no_digit = reinterpret_cast<Signed>(bytes) > static_cast<signed char>('9');
    bytes &= reinterpret_cast<typename Block::Bytes>(is_behind_letter | is_no_digit);
    words = reinterpret_cast<typename Block::Words>(bytes);
}

/// A hash of the text that no masked digit changes. The text must have a block, and the byte in front of it must be
/// readable. Only for the same processor the hash is the same; its upper bits are the better ones.
template <class Block>
[[gnu::always_inline]] inline std::uint64_t hash_without_digits(std::string_view text) noexcept {
    constexpr std::size_t kBlock = sizeof(typename Block::Bytes);
    const std::size_t last = text.size() - kBlock;
    typename Block::Words mixed{};
    for (std::size_t place = 0; place < kStraightBytes; place += kBlock) {
        typename Block::Words words;
        typename Block::Words factors;
        take_without_digits<Block>(text.data() + std::min(place, last), words);
        std::memcpy(&factors, kPlaceFactors.data() + place / sizeof(std::uint16_t), sizeof factors);
        mixed += words * factors;
    }
    for (std::size_t place = kStraightBytes; place < text.size(); place += kBlock) {
        typename Block::Words words;
        take_without_digits<Block>(text.data() + std::min(place, last), words);
        mixed += (mixed << 5) + words;
    }
    std::array<std::uint64_t, kBlock / sizeof(std::uint64_t)> words{};
    std::memcpy(words.data(), &mixed, sizeof mixed);
    std::uint64_t hash = text.size();
    for (std::size_t index = 0; index < words.size(); index += 2) {
        hash = (hash + words[index] + (words[index + 1] >> 7U)) * bytes::kHashFactor;
    }
    return hash;
}

/// Of texts that are the same once their digits are masked.
class ShapeBytes {
public:
    static constexpr std::size_t kLongest = 512;  // lines of launches have up to 450 bytes

    /// Of a text of at most kLongest bytes, which is `masked` once its digits are masked. As many bytes behind both as
    /// are_of() says must be readable; the byte in front of the text and the one behind it, too, and be the same for
    /// all texts that are compared.
    void take(const char* text, std::string_view masked) noexcept;
    /// Takes any byte for those between these places of the text, too.
    void take_any(std::size_t begin, std::size_t end) noexcept;

    std::size_t size() const noexcept { return size_; }

    /// Whether the text, which is as long, has these bytes. More bytes behind it are read, without meaning:
    /// kStraightBytes from its begin at least, and up to a block behind its end.
    template <class Block>
    [[gnu::always_inline]] inline bool are_of(const char* text) const noexcept {
        constexpr std::size_t kBlock = sizeof(typename Block::Bytes);
        typename Block::Bytes wrong{};
        for (std::size_t place = 0; place < kStraightBytes; place += kBlock) {
            add_wrong<Block>(text, place, wrong);
        }
        for (std::size_t place = kStraightBytes; place < size_; place += kBlock) {
            add_wrong<Block>(text, place, wrong);
        }
        std::array<std::uint64_t, kBlock / sizeof(std::uint64_t)> words{};
        std::memcpy(words.data(), &wrong, sizeof wrong);
        std::uint64_t any = 0;
        for (const std::uint64_t word : words) {
            any |= word;
        }
        return any == 0;
    }

private:
    static constexpr std::size_t kPiece = sizeof(Block32::Bytes);
    /// A byte is `least`, or at most `more` above. Behind the text any byte is right.
    struct alignas(64) Piece {
        std::array<unsigned char, kPiece> least, more;
    };

    template <class Block>
    [[gnu::always_inline]] inline void add_wrong(const char* text, std::size_t place,
                                                 typename Block::Bytes& wrong) const noexcept {
        const Piece& piece = pieces_[place / kPiece];
        typename Block::Bytes bytes;
        typename Block::Bytes least;
        typename Block::Bytes more;
        std::memcpy(&bytes, text + place, sizeof bytes);
        std::memcpy(&least, piece.least.data() + place % kPiece, sizeof least);
        std::memcpy(&more, piece.more.data() + place % kPiece, sizeof more);
        bytes -= least;
        wrong |= (bytes > more ? bytes : more) ^ more;
    }

    std::uint16_t size_;
    std::array<Piece, kLongest / kPiece> pieces_;  ///< least and more of a block side by side, in the same cache line
};

}  // namespace opdebug::logs
