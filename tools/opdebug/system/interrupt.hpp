// Ctrl-C and other wishes that the command ends: long work ends early with what was done so far.
#pragma once

#include <chrono>

namespace opdebug::tool {

/// From here on SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal is gone) only set a flag. A second SIGINT or SIGTERM
/// ends the process at once, as it would without us; only temporary files are taken away before. What the starter of
/// the program ignores stays ignored (nohup).
void catch_interrupts();

/// Whether one came. May be asked from any thread.
bool interrupted() noexcept;

/// Whether one came at least that long ago.
bool interrupted_for(std::chrono::milliseconds time) noexcept;

/// The exit status that tells of the first one, as shells have it: 128 and its number.
int interrupted_status() noexcept;

}  // namespace opdebug::tool
