// The uses of a record's ids that are possible, with how they fit: which process, which device, which time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock.hpp"
#include "locate/clock_offset.hpp"
#include "locate/fit.hpp"
#include "locate/query.hpp"
#include "locate/task_uses.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

/// A possible use of the ids.
struct TaskMatch {
    const logs::Process* process = nullptr;
    logs::DeviceFilter device;
    logs::TaskUse use;
    TaskNumber number = TaskNumber::confirmed;
    std::optional<std::int64_t> time_us;  ///< of the dump, in the process's clock; nothing: not comparable
    /// Where the stream is open on several devices and a line of the use tells neither by itself nor by its thread
    /// which of them it speaks of: these devices.
    std::vector<std::uint64_t> possible_devices{};
    ClockOffset offset = unknown_offset();
    /// Until when the use is sure, and whether a line ends it there: behind that it may have ended unseen.
    std::int64_t sure_until_us = logs::kEndOfTime;
    bool is_end_seen = false;
    Fit fit;
};

/// A time in the run of the process id that the match is of: that of its lines, by clocks that may differ a little from
/// the dump's.
std::optional<std::int64_t> time_in_run(const TaskMatch& match) noexcept;

/// What a device-side log says of the ids, and who says it.
struct DeviceFact {
    const logs::Process* process = nullptr;
    const logs::StoredFact* fact = nullptr;
};

/// Whether the log of a device can be about what a host process does: neither device nor host process differ.
bool fits(const DeviceFact& said, const TaskMatch& match);

/// A use that was excluded, and by which row of the table.
struct Excluded {
    TaskMatch match;
    std::string_view row;
};

struct TaskSearch {
    std::vector<TaskMatch> matches;  ///< possible ones
    std::vector<Excluded> excluded;
    std::vector<DeviceFact> device;  ///< what logs of the dump's device say about the ids, without regard to time
    std::optional<std::uint64_t> other_device;  ///< a device whose log knows the ids, but which is not the dump's
    std::vector<Diagnostic> diagnostics;
};

/// The devices on which the process may have the ids. Where its lines know the stream on the dump's device, those on
/// others are about other streams.
std::vector<logs::DeviceFilter> devices_to_search(const logs::Process& process, const logs::TaskKey& key,
                                                  const Dump& dump);

/// Looks the record's stream and task up in every process, and excludes what cannot be its use.
TaskSearch search_task(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options);

/// A dump's time comes from the device, the line's from the host: a launch line may seem a little later than the dump.
constexpr std::int64_t kClockSkewUs = 1'000'000;
/// A single execution is launched right before it runs: none can be told long after the log of its process ended.
constexpr std::int64_t kBehindLogUs = 60'000'000;
/// A process whose log names tasks logs at level INFO, and so each execution of a model: longer than this none lasts,
/// be there many iterations in one (inferred). Rotation takes old lines away, never the last ones.
constexpr std::int64_t kSilentUs = 30 * kBehindLogUs;

/// What the process's log covers; everything when it has no readable time.
logs::Span span_of(const logs::Process& process);

/// The possible times of the dump in the process's clock, best first. Where several zones are possible and the log
/// reports the overflow in one of them, it is that one.
std::vector<LocalTime> times_in(const logs::Process& process, const Dump& dump, const TaskQuery& query,
                                const TaskMap::Contents& map, const LocateOptions& options);

/// A fact's line as evidence; the second form for another line that belongs to the fact.
Evidence evidence_of(const logs::StoredFact& fact, const TaskMap::Contents& map);
Evidence evidence_of(const logs::StoredFact& fact, const logs::LogPlace& place, const TaskMap::Contents& map);

}  // namespace opdebug::locate_stage
