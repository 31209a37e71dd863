// File names of logs: plain, rotated (".log.3", ".log-20260304") and packed (".log.3.gz").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::logs {

enum class NameKind { log, archive, other };

struct LogName {
    NameKind kind = NameKind::other;
    std::string_view stem;  ///< the name without rotation and packing: the same for all files of one log
    std::uint64_t age = 0;  ///< 0: still written; larger: older. Comparable within one stem
};

/// Which files of a folder are logs: names that end in .log, .txt or .out (redirected console output), perhaps rotated,
/// perhaps packed as .gz or .zst, and glog's names, which MindSpore's own log has. Archives and other packings are told
/// apart because they may hold logs.
LogName read_log_name(std::string_view name) noexcept;

/// The process that the path says the log is of, as "run/plog/plog-<process>_<time>.log" does, whatever its rotation
/// and packing. Elsewhere than in debug, run and security, a folder may hold what somebody took from all three, which a
/// process writes at the same time: none.
std::optional<std::int64_t> process_of_log_path(std::string_view path) noexcept;

}  // namespace opdebug::logs
