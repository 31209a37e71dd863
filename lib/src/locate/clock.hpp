// UTC microseconds of a dump → the local wall clock of the logs, which print no time zone.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

/// Microseconds of YYYYMMDDhhmmss, read as UTC. Excess values carry over, such as 66 seconds, which documents show.
std::int64_t folder_time_us(const std::string& folder_time);

/// The least offset (minutes ahead of UTC) that the name of the {time} folder allows, rounded up to a quarter of an
/// hour: the folder is made before the first dump, with local time in its name. Nothing when no zone explains the
/// difference.
std::optional<int> least_offset_by_folder(const std::string& folder_time, std::uint64_t timestamp_us);

/// The dump's time in the logs' clock, and how it was found.
struct LocalTime {
    int offset_minutes = 0;
    const char* reason = "";   ///< for the offset: a phrase
    bool is_inferred = false;  ///< the only reason for the zone: the dump falls into the log
    std::int64_t time_us = 0;
    bool is_reported = false;  ///< the log reports the overflow of the task at this time
    bool unrelated = false;    ///< so far from everything logged that no time zone explains it: not to be compared
};

constexpr std::int64_t kMinuteUs = 60'000'000;

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
/// The first of these that applies: the user's offset; the zone that the dumps of a scan agree with; a time folder made
/// at most two minutes before the dump, and this machine's zone; whole hours; the other zones that exist. From the time
/// folder on, the folder must allow the zone, and the log must cover the dump by it.
std::vector<LocalTime> local_times_of(std::optional<std::uint64_t> timestamp_us,
                                      const std::optional<std::string>& folder_time, const logs::Span& logged,
                                      const LocateOptions& options);

/// The offset of the user, else of the dumps of a scan, else of a time folder that was made right before the dump. The
/// folder counts where it rules out this machine's zone.
std::optional<int> sure_offset(std::optional<std::uint64_t> timestamp_us, const std::optional<std::string>& folder_time,
                               const LocateOptions& options);

// How far a device's clock is from its host's (clock_offset.cpp): an interval, narrowed by all dumps of a scan
// together.

/// What is to be added to a dump's local time to get the host's: between these, both included.
struct ClockOffset {
    std::int64_t lowest_us = 0;
    std::int64_t highest_us = 0;
    std::int64_t likely_us = 0;
    std::size_t dumps = 0;  ///< that narrowed it; 0: nothing did
};

/// In real logs the clocks of device and host differed by up to 3 s. Where nothing narrows it, each use within this is
/// possible.
constexpr std::int64_t kClockDifferenceUs = 5'000'000;
/// Lines and dumps are a little out of order.
constexpr std::int64_t kBorderUs = 1'500;

constexpr ClockOffset unknown_offset() {
    return {-kClockDifferenceUs, kClockDifferenceUs, 0, 0};
}

/// Whose clock: that of a device below one root of logs. Where no line names the device, that of the number in the
/// dump's folder, for one process.
struct ClockOf {
    std::string root;
    logs::DeviceFilter device;
    const logs::Process* process = nullptr;
    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const ClockOf&, const ClockOf&) = default;
};
ClockOf clock_of(const logs::Process& process, logs::DeviceFilter device, const Lookup& lookup);

/// Offsets by which one dump falls in a use, or next to the host's report of it.
using Offsets = std::vector<logs::Span>;

/// The offsets that most of the votes allow. Each vote is a set of offsets by which one dump can be explained.
ClockOffset offset_of_votes(const std::vector<Offsets>& votes);

}  // namespace opdebug::locate_stage

namespace opdebug {
inline namespace v0 {

/// What is known of clocks and of the other dumps of a scan.
class ClockEstimate {
public:
    std::map<locate_stage::ClockOf, locate_stage::ClockOffset> offsets;
    std::vector<WantedDump> dumps;                     ///< by stream, task and time
    std::map<std::string, std::uint64_t> first_times;  ///< of the first dump below each time folder, UTC
    /// Minutes of local log time ahead of UTC, where one zone alone puts most dumps in uses of their ids.
    std::optional<int> utc_offset_minutes;

    locate_stage::ClockOffset offset(const locate_stage::ClockOf& clock) const;
    std::optional<std::uint64_t> first_of_folder(const std::string& time_folder) const;
    /// The dumps with these ids and a time, in its order.
    std::vector<const WantedDump*> dumps_of(std::uint64_t stream_id, std::uint64_t task_id) const;
};

}  // namespace v0
}  // namespace opdebug
