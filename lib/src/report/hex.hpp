// Numbers in hexadecimal, as every form of a report shows them.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace opdebug::report {

/// "0x1f": lower case, no padding.
inline std::string hex(std::uint64_t value) {
    std::array<char, 18> text{'0', 'x'};
    const auto written = std::to_chars(text.data() + 2, text.data() + text.size(), value, 16);
    return {text.data(), written.ptr};
}

}  // namespace opdebug::report
