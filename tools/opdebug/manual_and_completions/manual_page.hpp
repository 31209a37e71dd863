// The manual page, in the macros of man(7), made from the table of commands.
#pragma once

#include <string>

namespace opdebug::tool {

/// One page for all commands. It names the version but no date, so that every build of a version writes the same.
std::string manual_page();

}  // namespace opdebug::tool
