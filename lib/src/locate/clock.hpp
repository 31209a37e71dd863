// UTC microseconds of a dump → the local wall clock of the logs, which print no time zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <opdebug/locate.hpp>

#include "logs/stream_window.hpp"

namespace opdebug::locate_stage {

/// Minutes ahead of UTC that the name of the {time} folder shows, rounded up to a quarter of an hour: the folder is
/// made before the first dump, with local time in its name. Nothing when the two are further apart than any zone.
std::optional<int> offset_from_folder(const std::string& folder_time, std::uint64_t timestamp_us);

/// The dump's time in the logs' clock, and how it was found.
struct LocalTime {
    std::int64_t time_us = 0;
    int offset_minutes = 0;
    std::string found_by;      ///< for people
    bool unrelated = false;    ///< so far from everything logged that no time zone explains it: not to be compared
    bool is_inferred = false;  ///< the only whole-hour zone in which the dump falls into the log
};

/// Chooses the offset: the user's, else the folder's, else the host's; where one of the latter two puts the dump
/// outside of `logged`, the only whole hour that puts it inside. Nothing when the dump has no time.
std::optional<LocalTime> local_time_of(const Dump& dump, const logs::Span& logged, const LocateOptions& options);

}  // namespace opdebug::locate_stage
