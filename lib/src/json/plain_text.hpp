// Bytes of a JSON string that need no escape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace opdebug::json_stage {

/// Whether the byte needs no escape: visible ASCII without quotation mark and backslash.
constexpr bool is_plain(char byte) {
    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

/// A number in which the highest bit of a byte is set if this byte of `word`, or a lower one, is not plain. A byte less
/// than n sets its highest bit when n is subtracted.
constexpr std::uint64_t not_plain(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    const std::uint64_t controls = word - kOnes * 0x20;
    const std::uint64_t quotes = (word ^ (kOnes * '"')) - kOnes;
    const std::uint64_t backslashes = (word ^ (kOnes * '\\')) - kOnes;
    const std::uint64_t delete_and_above = word | (word + kOnes);
    return (controls | quotes | backslashes | delete_and_above) & (kOnes * 0x80);
}

/// Sixteen bytes as one vector of GNU compilers, which do not vectorize a plain loop here.
using PlainBlock __attribute__((vector_size(16))) = signed char;

/// Sets all bits of each byte that is not plain. Signed: bytes beyond ASCII are less than the control characters.
inline PlainBlock not_plain(PlainBlock block) {
    return (block < 0x20) | (block == 0x7F) | (block == '"') | (block == '\\');
}

/// Number of plain bytes at the start of the text.
inline std::size_t plain_length(std::string_view text) {
    std::size_t length = 0;
    for (std::uint64_t word = 0; length + sizeof word <= text.size(); length += sizeof word) {
        std::memcpy(&word, text.data() + length, sizeof word);
        if (not_plain(word) != 0) {
            break;
        }
    }
    while (length < text.size() && is_plain(text[length])) {
        ++length;
    }
    return length;
}

inline bool is_any(PlainBlock block) {
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof block);
    std::memcpy(halves, &block, sizeof block);
    return (halves[0] | halves[1]) != 0;
}

/// The first and the last bytes of a text that is at most twice as long as the word. They may overlap.
template <class Word>
struct Ends {
    Word first, last;
    explicit Ends(std::string_view text) {
        std::memcpy(&first, text.data(), sizeof first);
        std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
    }
    void copy(std::size_t size, char* to) const {
        std::memcpy(to, &first, sizeof first);
        std::memcpy(to + size - sizeof last, &last, sizeof last);
    }
};

/// Copies a text if all its bytes are plain. Otherwise returns false, and `to` is undefined. Most strings and all
/// member names are plain and short, so one pass is faster.
inline bool copy_plain(std::string_view text, char* to) {
    const std::size_t size = text.size();
    if (size < sizeof(std::uint32_t)) {
        text.copy(to, size);
        return plain_length(text) == size;
    }
    if (size < sizeof(std::uint64_t)) {
        const Ends<std::uint32_t> ends(text);
        ends.copy(size, to);
        return not_plain((std::uint64_t{ends.last} << 32U) | ends.first) == 0;
    }
    if (size < sizeof(PlainBlock)) {
        const Ends<std::uint64_t> ends(text);
        ends.copy(size, to);
        return (not_plain(ends.first) | not_plain(ends.last)) == 0;
    }
    PlainBlock block, found{};
    for (std::size_t position = 0; position + sizeof block < size; position += sizeof block) {
        std::memcpy(&block, text.data() + position, sizeof block);
        std::memcpy(to + position, &block, sizeof block);
        found |= not_plain(block);
    }
    std::memcpy(&block, text.data() + size - sizeof block, sizeof block);
    std::memcpy(to + size - sizeof block, &block, sizeof block);
    return !is_any(found | not_plain(block));
}

}  // namespace opdebug::json_stage
