// Names and log lines made safe for a terminal.
#include <opdebug/report.hpp>

#include <cstdint>

#include <fmt/format.h>

namespace opdebug {
inline namespace v0 {
namespace {

bool is_continuation(std::uint8_t byte) {
    return (byte & 0xC0U) == 0x80;
}

/// Bytes of the valid UTF-8 character at `position`, or 0 (RFC 3629; surrogates and overlong forms are not valid).
std::size_t utf8_length(std::string_view text, std::size_t position) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
    };
    const std::uint8_t first = byte(position), second = byte(position + 1);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return is_continuation(second) ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F);
        return !bad && is_continuation(second) && is_continuation(byte(position + 2)) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool bad = (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
        return !bad && is_continuation(second) && is_continuation(byte(position + 2)) &&
                       is_continuation(byte(position + 3))
                   ? 4
                   : 0;
    }
    return 0;
}

/// C0 controls, DEL, the C1 controls (U+0080 to U+009F, two bytes) and the marks that reverse the writing direction.
bool is_control(std::string_view character) {
    if (character.size() == 1) {
        const auto byte = static_cast<std::uint8_t>(character[0]);
        return byte < 0x20 || byte == 0x7F;
    }
    return (character.size() == 2 && character[0] == '\xC2' && static_cast<std::uint8_t>(character[1]) < 0xA0) ||
           (character >= "\xE2\x80\xAA" && character <= "\xE2\x80\xAE") ||
           (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t length = utf8_length(text, position);
        const std::string_view character = text.substr(position, length == 0 ? 1 : length);
        if (length == 0 || is_control(character)) {
            for (const char byte : character) {
                result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
            }
        } else {
            result += character;
        }
        position += character.size();
    }
    return result;
}

}  // namespace v0
}  // namespace opdebug
