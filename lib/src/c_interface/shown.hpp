// What the caller gave, in messages about it.
#pragma once

#include <string>
#include <string_view>

namespace opdebug::c_interface {

/// On one line, safe for a terminal, and not longer than a message can be read: the first 200 bytes, with "..." behind
/// them where there are more.
std::string shown(std::string_view given);

}  // namespace opdebug::c_interface
