// Writes results to stdout or to a file, complete or not at all, and never over an input.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

#include "output/messages.hpp"

namespace opdebug::tool {

/// The rule for the file of -o in every command: a message if the file is an input or below one, or if its folder is
/// not writable. Later errors, like a full disk, are reported when they occur. "-" among the inputs is standard input.
std::optional<std::string> refuse_output(const std::string& output, const std::vector<std::string>& inputs);

/// Returns a message if no result folder can be created at `path`, the value of `option`. Creates nothing.
std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path);

/// The destination of a command's results. finish() renames a temporary file next to the target. So incomplete files
/// are never visible, and a link at the target is replaced. Pipes and devices are written to directly.
class Output {
public:
    /// No path: stdout.
    explicit Output(std::optional<std::string> path) : path_(std::move(path)) {}
    /// Removes an unfinished file.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// Returns false after a closed pipe or a write error: the command can stop, and finish() reports errors.
    bool write(std::string_view text);

    /// Completes the result. Error: write_failed. A closed pipe is no error.
    std::optional<Error> finish();

private:
    void open();
    void fail(const char* action);

    std::optional<std::string> path_;
    int descriptor_ = -1;
    std::string temporary_;  ///< path of the temporary file, until it is renamed
    bool stopped_ = false;
    std::optional<Error> error_;
};

/// Reports why a result was not written. Returns the exit status, or that of an interrupt that came meanwhile.
int print_not_written(const Error& error);

/// Writes a complete result and reports errors. Returns the exit status: `status` if the result was written.
int show_result(const std::optional<std::string>& path, std::string_view text, int status = kEverythingHandled);

/// Creates a folder and its parents. An existing folder is fine. Error: write_failed.
std::optional<Error> make_folder(const std::string& path);

/// Writes a file like Output.
std::optional<Error> write_file(const std::string& path, const std::string& content);

/// A set of regular files, identified by device and inode. Ignores other paths.
class InputFiles {
public:
    void add(const std::string& path);
    /// A dump, and the mapping.csv next to it, which may contain its real name.
    void add_dump(const std::string& path);
    bool empty() const noexcept { return files_.empty(); }
    /// Whether the file at `path`, links followed, is one of them.
    bool holds(const std::string& path) const;

private:
    std::set<std::pair<unsigned long long, unsigned long long>> files_;  ///< device, inode
};

/// Results for the tensors of one dump.
struct WrittenTensors {
    std::vector<std::string> names;  ///< for each tensor, below the folder; empty: not written
    std::vector<Error> failures;     ///< without types that have no numbers and no .npy
};

/// Writes to `folder`/`subfolder`: {dump name}.{input|output}.{index}.npy. A name of 255 bytes or more becomes 32 hex
/// digits, with a line "hex.npy,name" in mapping.csv, like in msaccucmp. Never writes to a file of `inputs`.
WrittenTensors write_npy_files(const OpDump& dump, const std::string& folder, const std::string& subfolder,
                               const InputFiles& inputs);

}  // namespace opdebug::tool
