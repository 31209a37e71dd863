// How far a device's clock is from its host's: an interval, narrowed by what all dumps of a scan tell together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

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

/// Whose clock: that of a device below one root of logs; where no line tells the device, that of a process.
struct ClockOf {
    std::string root;
    logs::DeviceFilter device;
    const logs::Process* process = nullptr;
    auto parts() const { return std::tie(root, device, process); }
    bool operator<(const ClockOf& other) const { return parts() < other.parts(); }
    bool operator==(const ClockOf& other) const { return parts() == other.parts(); }
};
ClockOf clock_of(const logs::Process& process, logs::DeviceFilter device);

/// Offsets by which one dump lies in a use, or beside the host's report of it.
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
    std::vector<WantedDump> dumps;  ///< by stream, task and time
    /// Minutes that the logs' local time is ahead of UTC, where one zone alone puts most dumps into uses of their ids.
    std::optional<int> utc_offset_minutes;

    locate_stage::ClockOffset offset(const locate_stage::ClockOf& clock) const;
    /// The dumps with these ids and a time, in its order.
    std::vector<const WantedDump*> dumps_of(std::uint64_t stream_id, std::uint64_t task_id) const;
    /// Whether another overflow dump of these ids in that folder is nearer to a time than `own`.
    bool is_of_another(std::uint64_t stream_id, std::uint64_t task_id, const std::string& folder, std::uint64_t own_us,
                       std::uint64_t time_us) const;
};

}  // namespace v0
}  // namespace opdebug
