// Paths that a user names → the log files to read, in the order in which they were written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::logs {

struct LogFiles {
    std::vector<std::string> paths;
    std::vector<Error>
        failures;  ///< paths that are not there, folders that cannot be read or lie too deep, archives below folders
};

/// Files that are named themselves, whatever they are called, and the logs below folders (log_name.hpp). Each file
/// once, whatever the number of paths to it. Files of one log stand from the oldest to the newest; otherwise the order
/// is that of the paths' bytes, which for plogs is that of the times in their names. It does not depend on the order of
/// `paths`.
LogFiles find_log_files(const std::vector<std::string>& paths, const Limits& limits = {});

/// The order in which files are read: path of the log that the file belongs to, then from old to new. `path` must
/// outlive it.
using LogOrder = std::tuple<std::string, std::uint64_t, std::string_view>;
LogOrder log_order(const std::string& path);

}  // namespace opdebug::logs
