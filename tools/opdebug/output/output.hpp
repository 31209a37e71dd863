// Writes results to stdout or to a file, complete or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Returns a message if Output (output.hpp) cannot write a file there: no name, a folder, no parent folder, or no
/// permission. Later errors, like a full disk, are reported when they occur.
std::optional<std::string> refuse_output_place(const std::string& path);

/// Returns a message if no result folder can be created at `path`, or if the existing one is not writable. `option`:
/// the option with the path. Creates nothing.
std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path);

/// The number of an open descriptor, for /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N. These are links; a
/// file at their path would affect every program of the machine.
std::optional<int> descriptor_named(const std::string& path);

/// Whether the path is in a folder that only the system fills. Links there may be followed.
bool is_name_of_system(const std::string& path);

/// Whether the result is written to an existing device, pipe or open descriptor instead of a new file. A link to one
/// counts only in a system folder: elsewhere any user may have created it.
bool is_written_in_place(const std::string& path);

/// The origin of a file name. given: from the user, who may mean a device or a pipe. generated: from this program, in a
/// folder where any user may have created that name.
enum class FileName { given, generated };

/// The destination of a command's results. A file is written to a temporary name next to the target, and renamed in
/// finish(). So incomplete files are never visible, a link at the target is replaced and not followed, and hard links
/// keep the old content. A file that the user named has the mode of the file that it
/// replaces, or the mode that the umask allows; others have mode 0600. Devices,
/// pipes and descriptors that the user named are written to; under a generated name they are replaced.
class Output {
public:
    /// No path: stdout.
    explicit Output(std::optional<std::string> path, FileName name = FileName::given)
        : path_(std::move(path)), name_(name) {}
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
    void open_in_place();
    void open_beside();
    void fail(const char* action);

    std::optional<std::string> path_;
    FileName name_;
    int descriptor_ = -1;
    std::string temporary_;  ///< path of the temporary file, until it is renamed
    bool stopped_ = false;
    std::optional<Error> error_;
};

/// Reports why a result was not written. Returns the exit status, or that of an interrupt that came meanwhile.
int say_not_written(const Error& error);

/// Writes a complete result and reports errors. Returns the exit status.
int show_result(const std::optional<std::string>& path, std::string_view text);

/// Creates a folder that the user named, and its parents. An existing folder is fine, also through a link. Error:
/// write_failed.
std::optional<Error> make_folder(const std::string& path);

/// make_folder(), and the folders `below` it, whose names come from inputs. Follows no link below `folder`: other users
/// may write there, and a link could lead anywhere. Error: write_failed.
std::optional<Error> make_folder_below(const std::string& folder, const std::string& below);

/// Writes a file like Output.
std::optional<Error> write_file(const std::string& path, const std::string& content, FileName name);

/// Removes bits from the umask that would make results unreadable for the user, and reads the umask for them. Call it
/// before starting threads.
void keep_results_readable();

/// Writes a file under a new generated name: {stem}{suffix}, otherwise {stem}_2{suffix}, and so on. Returns its path.
/// Safe for several processes at once. Error: write_failed.
Result<std::string> write_new_file(const std::string& stem, const std::string& suffix, const std::string& content);

}  // namespace opdebug::tool
