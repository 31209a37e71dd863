// Results go to stdout or, complete or not at all, to a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Where a command's results go. A file is written with mode 0600 under a temporary name beside the target and renamed
/// in finish(): nobody sees half a file, and a link in the target's place is replaced, not followed. Devices and pipes
/// are written to.
class Output {
public:
    /// No path: stdout.
    explicit Output(std::optional<std::string> path) : path_(std::move(path)) {}
    /// What was not finished is taken away.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// False when nobody reads any more (closed pipe) or writing failed: the command can stop; finish() tells errors.
    bool write(std::string_view text);

    /// Brings everything to its place. Returns what went wrong: write_failed. A closed pipe is no error.
    std::optional<Error> finish();

private:
    void open();
    void fail(const char* action);

    std::optional<std::string> path_;
    std::string temporary_;  ///< empty: none to be renamed or taken away
    int descriptor_ = -1;
    bool stopped_ = false;
    std::optional<Error> error_;
};

/// Makes a folder and those above it; one that is there already is fine. Error: write_failed.
std::optional<Error> make_folder(const std::string& path);

/// Writes a file as Output does.
std::optional<Error> write_file(const std::string& path, const std::string& content);

}  // namespace opdebug::tool
