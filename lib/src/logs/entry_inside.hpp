// Log entries that run together in one line.
#pragma once

#include <string_view>

namespace opdebug::logs {

/// Lines of processes that write to one place may run together, without a line break between. The entry that begins
/// inside `text`, up to its end; empty where there is none.
std::string_view entry_inside(std::string_view text);

}  // namespace opdebug::logs
