// A line as what it has of another one, and the words in which it differs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace opdebug::logs {

/// Writes how the line differs from another one, which is mostly that of its form with all that is known of it
/// (line_form.hpp); nothing when that takes more bytes than `room` has. Form: pairs of two numbers of seven bits a
/// byte. The first one: how many bytes are those of the other line. The second one tells what stands in this line in
/// place of the rest of the other's word: an odd one is one more than twice a decimal number, an even one twice the
/// count of bytes that stand behind it. Behind the last pair follows the rest of the other line.
std::optional<std::string_view> write_difference(std::string_view other, std::string_view line,
                                                 std::span<char> room) noexcept;

/// Never more bytes than the other line and twice the difference have together; nothing when the difference is none of
/// it.
std::optional<std::string> whole_text(std::string_view other, std::string_view difference);

}  // namespace opdebug::logs
