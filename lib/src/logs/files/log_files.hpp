// Paths that a user names → the log files to read, in the order in which they were written.
#pragma once

#include <cstdint>
#include <optional>
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

/// Files that are named themselves, whatever their names, and the logs below folders (read_log_name()). Each file once,
/// whatever the number of paths to it. Files of one log are in order from the oldest to the newest; otherwise the order
/// is that of the paths' bytes, which for plogs is that of the times in their names. It does not depend on the order of
/// `paths`.
LogFiles find_log_files(const std::vector<std::string>& paths, const Limits& limits = {});

/// The order in which files are read: path of the log that the file belongs to, then from old to new. `path` must
/// outlive it.
using LogOrder = std::tuple<std::string, std::uint64_t, std::string_view>;
LogOrder log_order(const std::string& path);

enum class NameKind { log, archive, other };

struct LogName {
    NameKind kind = NameKind::other;
    std::string_view stem;  ///< the name without rotation and packing: the same for all files of one log
    std::uint64_t age = 0;  ///< 0: still written; larger: older. Comparable within one stem
};

/// Which files of a folder are logs. Names that end in .log, .txt or .out (redirected console output), possibly
/// rotated, possibly compressed as .gz or .zst; and the names of glog, which MindSpore's own log has. Archives and
/// other compressed files are a kind of their own, because they may hold logs.
LogName read_log_name(std::string_view name) noexcept;

/// The process in the path of a log, such as "run/plog/plog-<process>_<time>.log", for any rotation and compression.
/// None outside of debug, run and security: a folder may then hold copies from all three, which a process writes at the
/// same time.
std::optional<std::int64_t> process_of_log_path(std::string_view path) noexcept;

}  // namespace opdebug::logs
