#include "bytes/utf8.hpp"

#include <cstdint>

namespace opdebug::bytes {
namespace {

/// Rules for the bytes after the first byte of a character.
struct Continuation {
    std::size_t length = 0;                  ///< bytes of the character; 0: invalid first byte
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
        continuation = {continuation.length};  // the bounds are only for the second byte
    }
    sequence.valid = sequence.length == continuation.length;
    return sequence;
}

bool is_utf8(std::string_view text) {
    for (std::size_t position = 0; position < text.size();) {
        const auto byte = static_cast<unsigned char>(text[position]);
        if (byte < 0x80) {
            ++position;
            continue;
        }
        const Utf8Sequence sequence = utf8_sequence(text, position);
        if (!sequence.valid) {
            return false;
        }
        position += sequence.length;
    }
    return true;
}

}  // namespace opdebug::bytes
