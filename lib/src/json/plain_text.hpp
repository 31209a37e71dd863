// The bytes that stand in a JSON string as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace opdebug::json_stage {

/// Whether the byte stands in a string as it is: visible ASCII without quotation mark and backslash.
constexpr bool is_plain(char byte) {
    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

/// A number whose highest bit of each byte tells that this byte, or one below it, of `word` is not plain. The common
/// trick: taking n from a byte makes its highest bit one when the byte was less than n.
constexpr std::uint64_t not_plain(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    const std::uint64_t controls = word - kOnes * 0x20;
    const std::uint64_t quotes = (word ^ (kOnes * '"')) - kOnes;
    const std::uint64_t backslashes = (word ^ (kOnes * '\\')) - kOnes;
    const std::uint64_t delete_and_above = word | (word + kOnes);
    return (controls | quotes | backslashes | delete_and_above) & (kOnes * 0x80);
}

/// Sixteen bytes that compilers of GNU's kind take for one vector. They did not make vectors of a plain loop.
using PlainBlock __attribute__((vector_size(16))) = signed char;

/// All bits of each byte that is not plain. Signed: bytes beyond ASCII are below the controls.
inline PlainBlock not_plain(PlainBlock block) {
    return (block < 0x20) | (block == 0x7F) | (block == '"') | (block == '\\');
}

/// How many plain bytes the text begins with. Eight at a time: byte by byte this was a sixth of a scan's time.
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

/// Whether all bytes are plain. Most texts and all names of members are, and are asked for that alone: without a loop
/// over bytes, the last ones together with those before them.
inline bool is_plain(std::string_view text) {
    constexpr std::size_t kHalf = 4;
    std::uint64_t word = 0;
    if (text.size() < kHalf) {
        return plain_length(text) == text.size();
    }
    if (text.size() < sizeof word) {
        std::uint32_t first = 0, last = 0;
        std::memcpy(&first, text.data(), kHalf);
        std::memcpy(&last, text.data() + text.size() - kHalf, kHalf);
        return not_plain((std::uint64_t{last} << 32U) | first) == 0;
    }
    if (text.size() < sizeof(PlainBlock)) {
        std::memcpy(&word, text.data(), sizeof word);
        const std::uint64_t found = not_plain(word);
        std::memcpy(&word, text.data() + text.size() - sizeof word, sizeof word);
        return (found | not_plain(word)) == 0;
    }
    PlainBlock block, found{};
    for (std::size_t position = 0; position + sizeof block < text.size(); position += sizeof block) {
        std::memcpy(&block, text.data() + position, sizeof block);
        found |= not_plain(block);
    }
    std::memcpy(&block, text.data() + text.size() - sizeof block, sizeof block);
    found |= not_plain(block);
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof found);
    std::memcpy(halves, &found, sizeof found);
    return (halves[0] | halves[1]) == 0;
}

}  // namespace opdebug::json_stage
