// UTC microseconds of a dump → the local wall clock of the logs, which print no time zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <opdebug/locate.hpp>

#include "logs/stream_window.hpp"

namespace opdebug::locate_stage {

/// The least offset (minutes ahead of UTC) that the name of the {time} folder allows, rounded up to a quarter of an
/// hour: the folder is made before the first dump, with local time in its name. Nothing when the two are further apart
/// than any zone explains.
std::optional<int> least_offset_by_folder(const std::string& folder_time, std::uint64_t timestamp_us);

/// The dump's time in the logs' clock, and how it was found.
struct LocalTime {
    std::int64_t time_us = 0;
    int offset_minutes = 0;
    std::string found_by;      ///< for people
    bool unrelated = false;    ///< so far from everything logged that no time zone explains it: not to be compared
    bool is_inferred = false;  ///< the only whole-hour zone in which the dump falls into the log
};

/// Chooses the offset: the user's; else the host's, where the folder allows it and `logged` covers the dump then; else
/// the folder's; else the only whole hour in which `logged` covers the dump. Nothing when the dump has no time.
std::optional<LocalTime> local_time_of(const Dump& dump, const logs::Span& logged, const LocateOptions& options);

}  // namespace opdebug::locate_stage
