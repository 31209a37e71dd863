// Files that a result must not overwrite: inputs of the command, and names that it would read next time.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opdebug::tool {

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

}  // namespace opdebug::tool
