// Ctrl-C: long work ends early with what was done so far.
#pragma once

namespace opdebug::tool {

/// From here on SIGINT and SIGTERM only set a flag; a second one ends the process at once, as it would without us.
void catch_interrupts();

/// Whether one came. May be asked from any thread.
bool interrupted() noexcept;

}  // namespace opdebug::tool
