// Which files are inputs, and under which names commands read files, so that no result takes the place of one.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace opdebug::tool {

/// A set of regular files and of folders, known by device and inode. Paths where neither is are left out.
class InputFiles {
public:
    void add(const std::string& path);

    /// A dump, and the mapping.csv beside it, which may tell its real name.
    void add_dump(const std::string& path);

    /// A file, or all files of a folder by add_below(). What lies beside the file under a name that commands read
    /// (has_name_of_input()) may be read with it, and counts as an input, too.
    void add_with_neighbours(const std::string& path);

    /// A file, or all files and folders below a folder: more than read_logs() takes for logs, but none of them is to be
    /// lost. Links to folders are followed, each folder once. An interrupt ends the search.
    void add_below(const std::string& path);

    /// The folder and those below it, without their files: enough for a result that would be a new file.
    void add_folders_below(const std::string& path);

    /// Whether what stands at `path` now, links followed, is one of the inputs.
    bool holds(const std::string& path) const;

    /// Whether the folder that `path` names a file of, or one above it, is one of the folders.
    bool lies_in_folder(const std::string& path) const;

    /// The message when a result at `path` would take the place of one of the inputs, when that is not certain, and
    /// when it would have a name under which the next scan reads it, in a folder that is read.
    std::optional<std::string> refuse_output(const std::string& path) const;

private:
    using Identity = std::pair<unsigned long long, unsigned long long>;  ///< device, inode

    /// A file of such a name beside a file of add_with_neighbours().
    bool is_neighbour(const std::string& path) const;

    enum class What { folders, folders_and_files };
    void search(const std::string& path, What what);

    std::set<Identity> files_;
    std::set<Identity> folders_;
    std::set<Identity> folders_of_files_;  ///< in which neighbours are inputs
    std::set<Identity> searched_with_files_;
    std::optional<std::string> not_searched_;  ///< the first folder that may hold inputs and could not be read, and why
};

/// InputFiles::refuse_output() of a command that reads these files and folders, with what lies beside and below. Trees
/// may be large: their files are searched only when there is one that could be replaced, their folders only for such
/// names.
std::optional<std::string> refuse_output_for(const std::vector<std::string>& paths, const std::string& output);

/// Whether a file of that name counts as an input below a folder: a dump, converted JSON, mapping.csv, a number that
/// stands for a name that was too long, a dump of API calls or what lies beside one.
bool has_name_of_input(const std::string& path);

/// Whether the file that is there now is a dump of API calls, by its content: it may have any name, and links lead to
/// it.
bool is_api_dump(const std::string& path);

/// The message when a new file at `path` would have such a name where files of such names lie: the next scan would read
/// it with them, whatever this command reads.
std::optional<std::string> refuse_name_beside_inputs(const std::string& path);

}  // namespace opdebug::tool
