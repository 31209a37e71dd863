// A line as what it has of another one, its base, and the words in which it differs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace opdebug::logs {

/// Lines that one format reads are the same but for some words: times, ids, addresses, names. What differs of them has
/// a fifth of their bytes.
struct LineText {
    std::string_view base;
    std::string_view difference;  ///< see write_difference(); empty: the line is its base
};

/// Names that are known beside the line, which mostly stand in it: at most 64 are looked for.
using KnownNames = std::span<const std::string_view>;

/// Writes how the line differs from the base; nothing when that takes more bytes than `room` has. Form: pairs of two
/// numbers of seven bits a byte. The first one: how many bytes are those of the base. The second one: an even number is
/// twice the count of other bytes, which stand behind it; an odd one is one more than twice the place of a known name,
/// which no other pair has. Then the base goes on at the end of its word. Behind the last pair follows its rest.
std::optional<std::string_view> write_difference(std::string_view base, std::string_view line, KnownNames names,
                                                 std::span<char> room) noexcept;

/// Never more bytes than base, difference and names have together; nothing when the difference is none of this base.
std::optional<std::string> whole_text(const LineText& line, KnownNames names);

}  // namespace opdebug::logs
