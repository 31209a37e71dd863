#include "report/hidden_characters.hpp"

#include <algorithm>
#include <iterator>

namespace opdebug::report {
namespace {

struct Range {
    std::string_view first, last;
};

/// UTF-8 keeps the order of the code points, so bytes can be compared. Source: Unicode's general categories Cc, Cf, Zl
/// and Zp, without marks that scripts need to be read.
constexpr Range kHidden[] = {
    {std::string_view("\0", 1), "\x1F"},       // C0 controls
    {"\x7F", "\x7F"},                          // delete
    {"\xC2\x80", "\xC2\x9F"},                  // U+0080 to U+009F: C1 controls
    {"\xC2\xAD", "\xC2\xAD"},                  // U+00AD: soft hyphen
    {"\xD8\x9C", "\xD8\x9C"},                  // U+061C: Arabic letter mark
    {"\xE1\xA0\x8E", "\xE1\xA0\x8E"},          // U+180E: Mongolian vowel separator
    {"\xE2\x80\x8B", "\xE2\x80\x8F"},          // U+200B to U+200F: no width, marks of direction
    {"\xE2\x80\xA8", "\xE2\x80\xAE"},          // U+2028 to U+202E: separators, marks of direction
    {"\xE2\x81\xA0", "\xE2\x81\xAF"},          // U+2060 to U+206F: no width, isolates
    {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},          // U+FEFF: byte order mark
    {"\xEF\xBF\xB9", "\xEF\xBF\xBB"},          // U+FFF9 to U+FFFB: annotations
    {"\xF3\xA0\x80\x80", "\xF3\xA0\x81\xBF"},  // U+E0000 to U+E007F: tags
};

/// How a character goes on behind its first byte.
struct Continuation {
    std::size_t length = 0;                  ///< bytes of the character; 0: none begins with that byte
    std::uint8_t least = 0x80, most = 0xBF;  ///< of the second byte
};

Continuation continuation_of(std::uint8_t first) {
    if (first < 0x80) {
        return {1};
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return {2};
    }
    if (first >= 0xE0 && first <= 0xEF) {
        return {3, static_cast<std::uint8_t>(first == 0xE0 ? 0xA0 : 0x80),
                static_cast<std::uint8_t>(first == 0xED ? 0x9F : 0xBF)};
    }
    if (first >= 0xF0 && first <= 0xF4) {
        return {4, static_cast<std::uint8_t>(first == 0xF0 ? 0x90 : 0x80),
                static_cast<std::uint8_t>(first == 0xF4 ? 0x8F : 0xBF)};
    }
    return {};
}

}  // namespace

Utf8Sequence utf8_sequence(std::string_view text, std::size_t position) {
    Continuation continuation = continuation_of(static_cast<std::uint8_t>(text[position]));
    Utf8Sequence sequence;
    for (; sequence.length < continuation.length && position + sequence.length < text.size(); ++sequence.length) {
        const auto byte = static_cast<std::uint8_t>(text[position + sequence.length]);
        if (byte < continuation.least || byte > continuation.most) {
            break;
        }
        continuation = {continuation.length};  // the bounds are those of the second byte only
    }
    sequence.valid = sequence.length == continuation.length;
    return sequence;
}

bool is_hidden(std::string_view character) {
    return std::any_of(std::begin(kHidden), std::end(kHidden),
                       [character](const Range& range) { return character >= range.first && character <= range.last; });
}

std::uint32_t code_point(std::string_view character) {
    const auto first = static_cast<std::uint8_t>(character.front());
    if (character.size() == 1) {
        return first;
    }
    // The first byte of n bytes begins with n ones and a zero.
    std::uint32_t number = first & (0x7FU >> character.size());
    for (const char byte : character.substr(1)) {
        number = number << 6U | (static_cast<std::uint8_t>(byte) & 0x3FU);
    }
    return number;
}

}  // namespace opdebug::report
