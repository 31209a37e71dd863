// Ctrl-C: long work ends early with what was done so far.
#pragma once

#include <chrono>

namespace opdebug::tool {

/// From here on SIGINT and SIGTERM only set a flag; a second one ends the process at once, as it would without us.
void catch_interrupts();

/// Whether one came. May be asked from any thread.
bool interrupted() noexcept;

/// Whether one came at least that long ago.
bool interrupted_for(std::chrono::milliseconds time) noexcept;

}  // namespace opdebug::tool
