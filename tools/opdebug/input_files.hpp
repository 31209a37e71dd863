// Which files are inputs, so that no result takes the place of one, whatever name it is called by.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace opdebug::tool {

/// A set of regular files, known by device and inode. Paths where no regular file is are left out.
class InputFiles {
public:
    void add(const std::string& path);

    /// A dump, and the mapping.csv beside it, which may tell its real name.
    void add_dump(const std::string& path);

    /// A file, or all files below a folder: more than read_logs() takes for logs, but none of them is to be lost. An
    /// interrupt ends the search.
    void add_below(const std::string& path);

    /// Whether what stands at `path` now, links followed, is one of the inputs.
    bool holds(const std::string& path) const;

    /// The message when a result at `path` would take the place of one of the inputs.
    std::optional<std::string> refuse_output(const std::string& path) const;

private:
    std::set<std::pair<unsigned long long, unsigned long long>> files_;  ///< device, inode
};

}  // namespace opdebug::tool
