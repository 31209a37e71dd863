#include "logs/packing/line_difference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "logs/packing/number_bytes.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

/// What ends a word. Numbers with their points, paths and names of kernels are one word each: with "_" as an end a line
/// had half as many bytes more.
constexpr std::array<bool, 256> kEndsWord = [] {
    std::array<bool, 256> ends{};
    for (const char c : std::string_view(" ,=:;()[]\"'")) {
        ends[static_cast<unsigned char>(c)] = true;
    }
    return ends;
}();

bool ends_word(char c) noexcept {
    return kEndsWord[static_cast<unsigned char>(c)];
}

std::size_t end_of_word(std::string_view text, std::size_t place) noexcept {
    while (place < text.size() && !ends_word(text[place])) {
        ++place;
    }
    return place;
}

/// The bits in which the next eight bytes differ.
std::uint64_t differing_bits(const char* a, const char* b) noexcept {
    std::uint64_t of_a = 0;
    std::uint64_t of_b = 0;
    std::memcpy(&of_a, a, sizeof of_a);
    std::memcpy(&of_b, b, sizeof of_b);
    return of_a ^ of_b;
}

/// How many bytes both begin with. Eight at a time: one by one a line took 290 ns instead of 160. Most are far more:
/// four times eight for each branch.
std::size_t equal_bytes(std::string_view a, std::string_view b) noexcept {
    const std::size_t most = std::min(a.size(), b.size());
    std::size_t count = 0;
    if constexpr (std::endian::native == std::endian::little) {
        constexpr std::size_t kWord = sizeof(std::uint64_t);
        const auto differ_at = [&](std::size_t place) { return differing_bits(a.data() + place, b.data() + place); };
        while (count + 4 * kWord <= most && (differ_at(count) | differ_at(count + kWord) |
                                             differ_at(count + 2 * kWord) | differ_at(count + 3 * kWord)) == 0) {
            count += 4 * kWord;
        }
        for (; count + kWord <= most; count += kWord) {
            if (const std::uint64_t bits = differ_at(count); bits != 0) {
                return count + static_cast<std::size_t>(std::countr_zero(bits)) / 8;
            }
        }
    }
    while (count < most && a[count] == b[count]) {
        ++count;
    }
    return count;
}

/// Where the other line goes on behind bytes that are not its own. Bytes that begin with the end of a word stand in the
/// place of one of its ends, and so do none; others belong to the word before it.
std::size_t behind_word(std::string_view other, std::size_t place, std::string_view rest) noexcept {
    const bool at_end = place < other.size() && ends_word(other[place]);
    return end_of_word(other, at_end && (rest.empty() || ends_word(rest.front())) ? place + 1 : place);
}

/// Nothing for one that std::to_chars writes otherwise, and for one that takes more bytes than its digits.
std::optional<std::uint64_t> decimal_number(std::string_view text) noexcept {
    constexpr std::size_t kMost = 18;
    if (text.empty() || text.size() > kMost || (text.size() > 1 && text.front() == '0')) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    for (const char c : text) {
        if (!is_digit(c)) {
            return std::nullopt;
        }
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return number;
}

char* write_rest(std::string_view rest, char* next) noexcept {
    if (const std::optional<std::uint64_t> number = decimal_number(rest)) {
        return write_number(2 * *number + 1, next);
    }
    return std::copy(rest.begin(), rest.end(), write_number(2 * rest.size(), next));
}

/// What write_rest() wrote. `digits`: memory for it.
std::string_view read_rest(ByteReader& in, std::array<char, kMostDigits>& digits) noexcept {
    const std::uint64_t second = in.number();
    if (second % 2 == 0) {
        return in.bytes(second / 2);
    }
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), second / 2).ptr;
    return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

}  // namespace

std::optional<std::string_view> write_difference(std::string_view other, std::string_view line,
                                                 std::span<char> room) noexcept {
    char* next = room.data();
    const char* const end = room.data() + room.size();
    std::size_t in_other = 0;
    for (std::size_t in_line = 0;;) {
        const std::size_t equal = equal_bytes(other.substr(in_other), line.substr(in_line));
        in_other += equal;
        in_line += equal;
        if (in_other == other.size() && in_line == line.size()) {
            return std::string_view(room.data(), static_cast<std::size_t>(next - room.data()));
        }
        const bool both_end = in_line < line.size() && ends_word(line[in_line]) &&
                              (in_other == other.size() || ends_word(other[in_other]));
        const std::size_t word_end = end_of_word(line, both_end ? in_line + 1 : in_line);
        const std::string_view rest = line.substr(in_line, word_end - in_line);
        if (static_cast<std::size_t>(end - next) < 2 * kMostNumberBytes + rest.size()) {
            return std::nullopt;
        }
        next = write_rest(rest, write_number(equal, next));
        in_other = behind_word(other, in_other, rest);
        in_line = word_end;
    }
}

std::optional<std::string> whole_text(std::string_view other, std::string_view difference) {
    std::string text;
    text.reserve(other.size() + 2 * difference.size());
    ByteReader in{Bytes(difference)};
    while (!in.at_end()) {
        std::array<char, kMostDigits> digits{};
        const std::uint64_t equal = in.number();
        const std::string_view rest = read_rest(in, digits);
        if (!in.ok() || equal > other.size()) {
            return std::nullopt;
        }
        text += other.substr(0, equal);
        text += rest;
        other.remove_prefix(behind_word(other, equal, rest));
    }
    text += other;
    return text;
}

}  // namespace opdebug::logs
