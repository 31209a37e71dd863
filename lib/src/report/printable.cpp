// Names and log lines made safe for a terminal.
#include <opdebug/report.hpp>

#include <cstdint>

#include <fmt/format.h>

#include "report/hidden_characters.hpp"

namespace opdebug {
inline namespace v0 {

std::string printable(std::string_view text) {
    std::string result;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t length = report::utf8_length(text, position);
        const std::string_view character = text.substr(position, length == 0 ? 1 : length);
        if (length == 0 || report::is_hidden(character)) {
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
