// The exit statuses of every command; scripts rely on them (docs/cli.md).
#pragma once

namespace opdebug::tool {

constexpr int kEverythingHandled = 0;
constexpr int kSomethingDamaged = 1;  ///< some input was damaged or unreadable; the rest is complete
constexpr int kUsage = 2;             ///< wrong usage, or nothing to do
constexpr int kOverflowFound = 3;     ///< --fail-on overflow, and there is one
constexpr int kInterrupted = 128;     ///< and the number of the signal (interrupt.hpp); what was done is complete

}  // namespace opdebug::tool
