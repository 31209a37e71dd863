#include "report/text/long_text.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <opdebug/report.hpp>

namespace opdebug::report {
namespace {

constexpr std::size_t kLongest = 1'000, kBegin = 700, kEnd = 200;

/// Whether a byte goes on with a character of UTF-8.
bool goes_on(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The place, or that of the next character, at most 3 bytes behind it: in what is no UTF-8 any place is as good.
std::size_t next_character(std::string_view text, std::size_t place) noexcept {
    std::size_t found = place;
    while (found < place + 3 && goes_on(text[found])) {
        ++found;
    }
    return found;
}

}  // namespace

std::string printable_shortened(std::string_view text, Language language) {
    if (text.size() <= kLongest) {
        return printable(text);
    }
    const std::size_t begin = next_character(text, kBegin), end = next_character(text, text.size() - kEnd);
    const std::string_view between = text.substr(begin, end - begin);
    const auto characters = std::count_if(between.begin(), between.end(), [](char byte) { return !goes_on(byte); });
    return fmt::format(
        fmt::runtime(language == Language::chinese ? "{}…（省略 {} 个字符）…{}" : "{}… ({} characters left out) …{}"),
        printable(text.substr(0, begin)), characters, printable(text.substr(end)));
}

}  // namespace opdebug::report
