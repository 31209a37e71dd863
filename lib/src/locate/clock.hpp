// UTC microseconds of a dump → the local wall clock of the logs, which print no time zone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "logs/lookup/stream_window.hpp"

namespace opdebug::locate_stage {

/// Microseconds of YYYYMMDDhhmmss taken as UTC. What is too much is carried over, as 66 seconds, which documents show.
std::int64_t folder_time_us(const std::string& folder_time);

/// The least offset (minutes ahead of UTC) that the name of the {time} folder allows, rounded up to a quarter of an
/// hour: the folder is made before the first dump, with local time in its name. Nothing when the two are further apart
/// than any zone explains.
std::optional<int> least_offset_by_folder(const std::string& folder_time, std::uint64_t timestamp_us);

/// Local times that cannot both be right: a dump is written into a folder that was made before.
struct FolderContradiction {
    std::int64_t dump_us = 0;
    std::int64_t folder_us = 0;
};

/// Whether, by an offset in minutes, the dump is older than its time folder.
std::optional<FolderContradiction> folder_contradiction(const std::string& folder_time, std::uint64_t timestamp_us,
                                                        int offset_minutes);

/// The dump's time in the logs' clock, and how it was found.
struct LocalTime {
    std::int64_t time_us = 0;
    int offset_minutes = 0;
    const char* reason = "";   ///< for the offset: a phrase
    bool is_reported = false;  ///< the log reports the overflow of the task at this time
    bool unrelated = false;    ///< so far from everything logged that no time zone explains it: not to be compared
    bool is_inferred = false;  ///< a zone in which the dump falls into the log, without further reason
};

/// Minutes ahead of UTC of all zones that exist, in order.
std::vector<int> all_zones();

/// The zone and how it was found, for people. Written only where it is shown: times are worked out for each record and
/// process.
LocalizedText found_by(const LocalTime& time);

/// Whether a log covers a time, give or take 5 seconds. A log without times covers nothing that could contradict.
bool covers(const logs::Span& logged, std::int64_t time_us) noexcept;

/// The possible local times of a dump, best first; several when more than one zone fits and nothing decides between
/// them; none when the dump has no time. `logged`: what the log of the process covers.
///
/// The user's offset decides; else the zone that the dumps of a scan agree with. Else a time folder made at most two
/// minutes before the dump, and this machine's zone, each where the folder allows it and the log covers the dump then;
/// else the whole hours in which the log covers the dump; where no whole hour does, the other zones that exist.
std::vector<LocalTime> local_times_of(std::optional<std::uint64_t> timestamp_us,
                                      const std::optional<std::string>& folder_time, const logs::Span& logged,
                                      const LocateOptions& options);

/// The earliest local time of a dump by all zones that may be the logs': the user's, else those that the time folder
/// allows, else all there are. Nothing when the dump has no time.
std::optional<std::int64_t> earliest_local_time(std::optional<std::uint64_t> timestamp_us,
                                                const std::optional<std::string>& folder_time,
                                                const LocateOptions& options);

}  // namespace opdebug::locate_stage
