#include "logs/packing/line_difference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "logs/packing/number_bytes.hpp"
#include "logs/packing/packed_numbers.hpp"

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

/// How many bytes both begin with. Eight at a time: one by one a line took 290 ns instead of 160.
std::size_t equal_bytes(std::string_view a, std::string_view b) noexcept {
    const std::size_t most = std::min(a.size(), b.size());
    std::size_t count = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; count + sizeof(std::uint64_t) <= most; count += sizeof(std::uint64_t)) {
            std::uint64_t of_a = 0;
            std::uint64_t of_b = 0;
            std::memcpy(&of_a, a.data() + count, sizeof of_a);
            std::memcpy(&of_b, b.data() + count, sizeof of_b);
            if (of_a != of_b) {
                return count + static_cast<std::size_t>(std::countr_zero(of_a ^ of_b)) / 8;
            }
        }
    }
    while (count < most && a[count] == b[count]) {
        ++count;
    }
    return count;
}

/// Where the base goes on behind bytes that are not its own. Bytes that begin with the end of a word stand in the place
/// of one of its ends, and so do none; others belong to the word before it.
std::size_t behind_word(std::string_view base, std::size_t place, std::string_view others) noexcept {
    const bool at_end = place < base.size() && ends_word(base[place]);
    return end_of_word(base, at_end && (others.empty() || ends_word(others.front())) ? place + 1 : place);
}

constexpr std::size_t kMostNames = 64;

/// The places of names that were used.
class UsedNames {
public:
    bool has(std::size_t place) const noexcept { return place >= kMostNames || (used_ >> place & 1U) != 0; }
    void add(std::size_t place) noexcept { used_ |= std::uint64_t{1} << place; }

private:
    std::uint64_t used_ = 0;
};

/// The rest of a word, from where a line differs from its base.
struct OtherWord {
    std::size_t begin, end;  ///< in the line
    std::size_t equal;       ///< so many bytes in front of it are those of the base
};

/// The place of an unused name that the word ends with, and of which at least the other bytes are a part; SIZE_MAX.
std::size_t name_in(std::string_view line, const OtherWord& word, KnownNames names, const UsedNames& used) noexcept {
    constexpr std::size_t kShortest = 8;  // it takes two bytes
    if (word.end - word.begin < kShortest) {
        return SIZE_MAX;
    }
    for (std::size_t place = 0; place < names.size(); ++place) {
        const std::size_t size = names[place].size();
        if (size >= word.end - word.begin && size <= word.end - word.begin + word.equal && !used.has(place) &&
            line.substr(word.end - size, size) == names[place]) {
            return place;
        }
    }
    return SIZE_MAX;
}

}  // namespace

std::optional<std::string_view> write_difference(std::string_view base, std::string_view line, KnownNames names,
                                                 std::span<char> room) noexcept {
    char* next = room.data();
    const char* const end = room.data() + room.size();
    UsedNames used;
    std::size_t in_base = 0;
    for (std::size_t in_line = 0;;) {
        const std::size_t equal = equal_bytes(base.substr(in_base), line.substr(in_line));
        in_base += equal;
        in_line += equal;
        if (in_base == base.size() && in_line == line.size()) {
            return std::string_view(room.data(), static_cast<std::size_t>(next - room.data()));
        }
        const bool both_end =
            in_line < line.size() && ends_word(line[in_line]) && (in_base == base.size() || ends_word(base[in_base]));
        const std::size_t word_end = end_of_word(line, both_end ? in_line + 1 : in_line);
        const std::string_view others = line.substr(in_line, word_end - in_line);
        const std::size_t name = name_in(line, {in_line, word_end, equal}, names, used);
        const std::size_t size = 2 * kMostNumberBytes + (name != SIZE_MAX ? 0 : others.size());
        if (static_cast<std::size_t>(end - next) < size) {
            return std::nullopt;
        }
        if (name != SIZE_MAX) {
            const std::size_t before = names[name].size() - others.size();
            used.add(name);
            next = write_number(2 * name + 1, write_number(equal - before, next));
            in_base = behind_word(base, in_base - before, names[name]);
        } else {
            next = write_number(2 * others.size(), write_number(equal, next));
            next = std::copy(others.begin(), others.end(), next);
            in_base = behind_word(base, in_base, others);
        }
        in_line = word_end;
    }
}

std::optional<std::string> whole_text(const LineText& line, KnownNames names) {
    std::string text;
    UsedNames used;
    std::string_view base = line.base;
    text.reserve(base.size() + line.difference.size());
    ByteReader in{Bytes(line.difference)};
    while (!in.at_end()) {
        const std::uint64_t equal = in.number();
        const std::uint64_t second = in.number();
        const bool is_name = second % 2 == 1;
        if (!in.ok() || equal > base.size() || (is_name && (second / 2 >= names.size() || used.has(second / 2)))) {
            return std::nullopt;
        }
        const std::string_view others = is_name ? names[second / 2] : in.bytes(second / 2);
        if (is_name) {
            used.add(second / 2);
        }
        text += base.substr(0, equal);
        text += others;
        base.remove_prefix(behind_word(base, equal, others));
    }
    text += base;
    return text;
}

}  // namespace opdebug::logs
