// A command of the user that runs next to the program.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Runs `/bin/sh -c COMMAND`. The command contains nothing from files: it reads its data from its standard input, a
/// file in memory, so neither side blocks. Its standard output is our standard error, because our own output has one
/// format. It has its own process group, so Ctrl-C does not end it.
class StartedCommand {
public:
    StartedCommand() = default;
    StartedCommand(const StartedCommand&) = delete;
    StartedCommand& operator=(const StartedCommand&) = delete;

    /// Starts it. Error: write_failed, also if the system cannot start it.
    [[nodiscard]] std::optional<Error> start(const std::string& command, std::string_view input);

    /// Checks whether it has ended. Returns how, in words, only the first time.
    std::optional<std::string> ended();

    /// Waits for its end. After `longest`, sends SIGTERM and stops waiting. Returns how it ended, in words; empty if
    /// none runs.
    std::optional<std::string> wait(std::chrono::milliseconds longest);

private:
    pid_t process_ = 0;  ///< 0: none
};

}  // namespace opdebug::tool
