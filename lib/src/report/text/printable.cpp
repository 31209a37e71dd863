// Names and log lines made safe for a terminal.
#include <opdebug/report.hpp>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "bytes/utf8.hpp"
#include "report/text/hidden_characters.hpp"

namespace opdebug {
inline namespace v0 {

std::string printable(std::string_view text) {
    const auto is_plain = [](char byte) { return byte >= 0x20 && byte < 0x7F; };
    std::string result;
    for (std::size_t position = 0; position < text.size();) {
        // Most names are one run of visible ASCII: looked up character by character they were a sixth of a scan's time.
        const auto* const begin = text.begin() + position;
        const auto* const end = std::find_if_not(begin, text.end(), is_plain);
        result.append(begin, end);
        position += static_cast<std::size_t>(end - begin);
        if (position == text.size()) {
            break;
        }
        const bytes::Utf8Sequence sequence = bytes::utf8_sequence(text, position);
        const std::string_view character = text.substr(position, sequence.length);
        if (!sequence.valid || report::is_hidden(character)) {
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
