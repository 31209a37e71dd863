// A command of the user that runs beside the program.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Runs `/bin/sh -c COMMAND`. Nothing of a file stands in the command: what it is about it reads from its standard
/// input, which is a file in memory, so that neither waits for the other. Its standard output is our standard error:
/// our own output has one form only. It has a process group of its own: a Ctrl-C that ends us leaves it alone.
class StartedCommand {
public:
    StartedCommand() = default;
    StartedCommand(const StartedCommand&) = delete;
    StartedCommand& operator=(const StartedCommand&) = delete;

    /// Starts it. Error: write_failed, also when the system does not let it start.
    [[nodiscard]] std::optional<Error> start(const std::string& command, std::string_view input);

    /// Asks whether it has ended; how, in words, the first time that it has.
    std::optional<std::string> ended();

    /// Waits for its end; where it takes longer than that, it is told to end (SIGTERM) and left alone. How it ended, in
    /// words; nothing where none runs.
    std::optional<std::string> wait(std::chrono::milliseconds longest);

private:
    pid_t process_ = 0;  ///< 0: none runs
};

}  // namespace opdebug::tool
