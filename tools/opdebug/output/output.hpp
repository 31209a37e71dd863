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
int print_not_written(const Error& error);

/// Writes a complete result and reports errors. Returns the exit status: `status` if the result was written.
int show_result(const std::optional<std::string>& path, std::string_view text, int status = kEverythingHandled);

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

/// "plog.log", also rotated and compressed: "plog.log.1", "plog.log.gz".
bool is_name_of_log(std::string_view name);

/// The rule for the file of -o in every command. Returns a message if it is one of the inputs. Names that commands read
/// (of a dump, an API dump, a log, mapping.csv) must not replace a file or be in an input folder. `inputs`: files and
/// folders of the command line; "-" is standard input.
std::optional<std::string> refuse_output(const std::string& output, const std::vector<std::string>& inputs);

/// Results for the tensors of one dump.
struct WrittenTensors {
    std::vector<std::string> names;  ///< for each tensor, below the folder; empty: not written
    std::vector<Error> failures;     ///< without types that have no numbers and no .npy
};

/// Writes to one folder: {dump name}.{input|output}.{index}.npy, mode 0600, complete or not at all. A name of 255 bytes
/// or more becomes 32 hex digits, with a line "hex.npy,name" in mapping.csv, like in msaccucmp.
class NpyFiles {
public:
    /// Never replaces or appends to a file of `inputs`, which must outlive this.
    NpyFiles(std::string folder, const InputFiles& inputs) : folder_(std::move(folder)), inputs_(inputs) {}

    /// `subfolder`: below the folder; empty: the folder itself.
    WrittenTensors write(const OpDump& dump, const std::string& subfolder);

private:
    std::optional<Error> write_tensor(const std::string& file, const DumpedTensor& tensor,
                                      const std::string& name) const;
    /// Adds a line, with its line break, to the mapping.csv of the folder unless it has the line; never through a
    /// symbolic or hard link. Error: write_failed.
    std::optional<Error> add_long_name(const std::string& folder, const std::string& line) const;

    std::string folder_;
    const InputFiles& inputs_;
};

}  // namespace opdebug::tool
