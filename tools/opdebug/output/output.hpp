// Results go to stdout or, complete or not at all, to a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// The message when Output (output.hpp) could not write a file there: no name, a folder, no folder to put it in, or no
/// permission. What goes wrong later, as a full disk does, is told when it happens.
std::optional<std::string> refuse_output_place(const std::string& path);

/// The message when no folder for results can be made at `path`, or nothing can be written into the one that is there.
/// `option`: the one that named it. Nothing is made yet.
std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path);

/// The number of a descriptor that the program was started with, for /dev/stdout, /dev/stderr, /dev/fd/N and
/// /proc/self/fd/N. These are links: a file put in their place would be there for every program of the machine.
std::optional<int> descriptor_named(const std::string& path);

/// Whether the path lies in a folder that only the system fills: links there are meant to be followed.
bool is_name_of_system(const std::string& path);

/// Whether the result is written into something that is there, a device, a pipe or an open descriptor, and replaces no
/// file. A link to one counts only where the system made it: elsewhere anybody may have.
bool is_written_in_place(const std::string& path);

/// Who chose the name of a file. given: the user, who may mean a device or a pipe. generated: this program, in a folder
/// where anybody may have put something under that name.
enum class FileName { given, generated };

/// Where a command's results go. A file is written with mode 0600, whatever the umask, under a temporary name beside
/// the target and renamed in finish(): nobody sees half a file, a link in the target's place is replaced, not followed,
/// and further names of a file (hard links) keep the old content. Devices, pipes and descriptors that the user named
/// are written to; under a generated name they are replaced as well.
class Output {
public:
    /// No path: stdout.
    explicit Output(std::optional<std::string> path, FileName name = FileName::given)
        : path_(std::move(path)), name_(name) {}
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
    void open_in_place();
    void open_beside();
    void fail(const char* action);

    std::optional<std::string> path_;
    FileName name_;
    int descriptor_ = -1;
    std::string temporary_;  ///< the path of the file next to the target, until it is renamed
    bool stopped_ = false;
    std::optional<Error> error_;
};

/// Says why a result was not written. The exit status, which is that of an interrupt where one came meanwhile.
int say_not_written(const Error& error);

/// Writes a whole result; says what went wrong. The exit status.
int show_result(const std::optional<std::string>& path, std::string_view text);

/// Makes a folder that the user named and those above it; one that is there already is fine, also by a link.
/// Error: write_failed.
std::optional<Error> make_folder(const std::string& path);

/// make_folder(), and the folders `below` it, whose names come from inputs. No link is followed below `folder`: in a
/// folder where others write, one could lead anywhere. Error: write_failed.
std::optional<Error> make_folder_below(const std::string& folder, const std::string& below);

/// Writes a file as Output does.
std::optional<Error> write_file(const std::string& path, const std::string& content, FileName name);

/// Takes from the umask what would keep the user from his own results: they have mode 0600 then, without a call for
/// each. To be called before there are threads.
void keep_results_readable();

/// Writes a file under a generated name that nothing has yet: {stem}{suffix}, else {stem}_2{suffix}, and so on. Its
/// path. Several processes may do so at once. Error: write_failed.
Result<std::string> write_new_file(const std::string& stem, const std::string& suffix, const std::string& content);

}  // namespace opdebug::tool
