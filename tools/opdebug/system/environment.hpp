// What the tool takes from its environment, so that the library need not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <opdebug/dump.hpp>

namespace opdebug::tool {

/// Chinese when LC_ALL, LC_MESSAGES or LANG (the first that is set) begins with "zh".
Language language_of_environment();

/// TMPDIR, where it is set, else /tmp.
std::string temporary_folder();

/// Whether terminals are taken to know colours and how to take back a line: TERM=dumb does not.
bool terminals_know_sequences();

/// Whether colours are wanted where there is a terminal: NO_COLOR is not set, or empty (no-color.org), and it knows
/// them.
bool colors_are_wanted();

/// Columns of a page: COLUMNS, else the width of the terminal, else 100; from 60 to 200.
std::size_t page_columns(bool is_terminal);

/// The name of this machine; empty when the system tells none.
std::string host_name();

/// Minutes of "+08:00", "-3", "+0530" or "0"; nothing for other texts, three digits without a colon among them, 60 or
/// more minutes behind the hours, or more than 18 hours.
std::optional<int> parse_utc_offset(const std::string& text);

}  // namespace opdebug::tool
