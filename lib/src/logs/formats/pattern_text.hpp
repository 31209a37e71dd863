// Facts about the text of a log format's pattern: its named groups, and the characters that each line contains.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// The names in "(?<name>...)", each once, in the order of the pattern. Escaped brackets, character classes and
/// lookbehind assertions are no groups.
std::vector<std::string> named_groups(std::string_view pattern);

/// The longest run of characters that each match of the pattern (Perl syntax) contains, the first of equally long ones.
/// Empty where there is none, and where the pattern has syntax that this parser does not know.
std::string literal_of_pattern(std::string_view pattern);

/// Whether a statement has such a member.
bool is_number_member(std::string_view name) noexcept;
bool is_fact_member(std::string_view name) noexcept;

}  // namespace opdebug::logs
