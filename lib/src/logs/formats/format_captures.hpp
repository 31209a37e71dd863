// The named groups of a log format's pattern.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// The names in "(?<name>...)", each once, in the order of the pattern. Escaped brackets, character classes and
/// look-behind are no groups.
std::vector<std::string> named_groups(std::string_view pattern);

/// Whether a statement has such a member.
bool is_number_member(std::string_view name) noexcept;
bool is_fact_member(std::string_view name) noexcept;

}  // namespace opdebug::logs
