// Results go to stdout or, complete or not at all, to a file.
#pragma once

#include <optional>
#include <string>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Writes a file with mode 0600 under a temporary name beside the target and renames it: nobody sees half a file, and a
/// link to a file in the target's place is replaced, not followed. Devices and pipes are written to. Error:
/// write_failed.
std::optional<Error> write_file(const std::string& path, const std::string& content);

/// Where a command's results go.
class Output {
public:
    /// No path: stdout.
    explicit Output(std::optional<std::string> path) : path_(std::move(path)) {}

    /// False when nobody reads any more (closed pipe): the command can stop, and that is no error.
    bool write(const std::string& text);

    /// Brings everything to its place. Returns what went wrong.
    std::optional<Error> finish();

private:
    std::optional<std::string> path_;
    std::string content_;  ///< for a file
    bool closed_ = false;
    std::optional<Error> error_;
};

}  // namespace opdebug::tool
