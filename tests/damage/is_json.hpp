// What is JSON for readers of Python's: with any bytes in its texts, and numbers of any size.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace opdebug::damage {

/// Bytes that no JSON text has unescaped change nothing but that text, so the reader lets them pass: writers of dumps
/// are Python programs, which write ASCII.
inline std::string with_plain_bytes(std::string text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (char& c : text) {
        const bool is_odd = static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x80;
        c = kBlanks.find(c) != std::string_view::npos ? ' ' : is_odd ? '~' : c;
    }
    return text;
}

inline bool is_json(const std::string& text) {
    try {
        return !nlohmann::json::parse(with_plain_bytes(text)).is_discarded();
    } catch (const nlohmann::json::out_of_range&) {  // of a double
        return true;
    } catch (const nlohmann::json::parse_error&) {
        return false;
    }
}

}  // namespace opdebug::damage
