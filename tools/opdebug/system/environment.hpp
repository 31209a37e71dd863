// Facts from the environment, so that the library does not read it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <opdebug/dump.hpp>

namespace opdebug::tool {

/// Chinese if LC_ALL, LC_MESSAGES or LANG (the first that is set) starts with "zh".
Language language_of_environment();

/// TMPDIR if it is set, otherwise /tmp.
std::string temporary_folder();

/// Whether terminals support colours and clearing a line: not with TERM=dumb.
bool terminals_know_sequences();

/// Whether to use colours on a terminal: NO_COLOR is not set or empty (no-color.org), and the terminal supports them.
bool colors_are_wanted();

/// Columns of a page: COLUMNS, otherwise the width of the terminal, otherwise 100. The range is 60 to 200.
std::size_t page_columns(bool is_terminal);

/// The name of this machine; empty if the system has none.
std::string host_name();

/// Minutes of "+08:00", "-3", "+0530" or "0". Empty for other texts, including three digits without a colon, 60 or more
/// minutes, and more than 18 hours.
std::optional<int> parse_utc_offset(const std::string& text);

}  // namespace opdebug::tool
