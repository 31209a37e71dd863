#include "report/text/text_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "bytes/utf8.hpp"

namespace opdebug::report {
namespace {

struct Range {
    std::uint32_t first, last;
};

/// Sorted. Source: Unicode 15. Its general categories Cc, Cf, Zl and Zp without the signs of scripts that are seen; the
/// property Default_Ignorable_Code_Point; and the Braille pattern without dots. The Python module has the same list
/// (lib/python/opdebug/errors.py); unit.hidden_characters holds both to Unicode's data.
constexpr Range kHidden[] = {
    {0x0000, 0x001F},    // C0 controls
    {0x007F, 0x009F},    // delete, C1 controls
    {0x00AD, 0x00AD},    // soft hyphen
    {0x034F, 0x034F},    // combining grapheme joiner
    {0x061C, 0x061C},    // Arabic letter mark
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180B, 0x180F},    // Mongolian selectors and vowel separator
    {0x200B, 0x200F},    // no width, marks of direction
    {0x2028, 0x202E},    // separators, marks of direction
    {0x2060, 0x206F},    // no width, isolates
    {0x2800, 0x2800},    // empty Braille pattern
    {0x3164, 0x3164},    // Hangul filler
    {0xFE00, 0xFE0F},    // variation selectors
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // halfwidth Hangul filler
    {0xFFF0, 0xFFFB},    // not assigned, annotations
    {0x13430, 0x1343F},  // Egyptian format controls
    {0x1BCA0, 0x1BCA3},  // shorthand format controls
    {0x1D173, 0x1D17A},  // musical format controls
    {0xE0000, 0xE0FFF},  // tags, variation selectors
};

}  // namespace

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

bool is_hidden(std::string_view character) {
    const std::uint32_t number = code_point(character);
    const Range* const range = std::lower_bound(std::begin(kHidden), std::end(kHidden), number,
                                                [](const Range& one, std::uint32_t n) { return one.last < n; });
    return range != std::end(kHidden) && number >= range->first;
}

namespace {

constexpr std::size_t kLongest = 1'000, kBegin = 700, kEnd = 200;

/// Whether a byte goes on with a character of UTF-8.
bool goes_on(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The position, or that of the next character, at most 3 bytes after it. In text that is not UTF-8 any position will
/// do.
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

std::string opdebug::printable(std::string_view text) {
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
