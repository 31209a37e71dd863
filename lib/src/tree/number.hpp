// Whole text → unsigned number, as ids and times stand in file names and folders.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::tree {

/// The number when the whole text is decimal digits that fit into 64 bits.
inline std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional<std::uint64_t>(value) : std::nullopt;
}

/// Whether the text is decimal digits only, however many.
inline bool is_decimal(std::string_view text) noexcept {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace opdebug::tree
