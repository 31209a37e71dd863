// The task of a record in the logs: which process, which use of the ids, and why there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock.hpp"
#include "locate/query.hpp"
#include "locate/task_numbers.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

/// The use of the ids at the time of the dump, in one host process.
struct TaskMatch {
    const logs::Process* process = nullptr;
    logs::DeviceFilter device;  ///< the device that the lines name, if any
    logs::TaskUse use;
    TaskNumber number = TaskNumber::confirmed;
    std::optional<std::int64_t> time_us;  ///< of the dump, in the process's clock; nothing: not comparable
    /// Where the stream is open on several devices and a line of the use tells neither by itself nor by its thread
    /// which of them it speaks of: these devices.
    std::vector<std::uint64_t> possible_devices{};
    bool is_zone_inferred = false;   ///< that of its time (LocalTime::is_inferred)
    bool is_of_earlier_run = false;  ///< perhaps (earlier_runs.hpp)
    /// Its zone is inferred, beside a match that needs no such zone, or its log begins behind the dump's folder, which
    /// another one's process may have made (match_fit.hpp).
    bool is_doubtful = false;
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

/// A process that knows the ids, but was over when the dump was written (earlier_runs.hpp).
struct EarlierRun {
    const logs::Process* process = nullptr;
    const logs::Process* later = nullptr;  ///< which began since and has the stream
    std::int64_t time_us = 0;              ///< of the dump, in the process's clock
};

struct TaskSearch {
    std::vector<TaskMatch> matches;  ///< host processes in which the ids meant something at that time: the best fitting
    std::vector<DeviceFact> device;  ///< what logs of the dump's device say about the ids, without regard to time
    std::vector<EarlierRun> earlier_runs;          ///< their matches were taken out
    std::vector<EarlierRun> perhaps_earlier_runs;  ///< their matches stand among the others
    std::optional<std::uint64_t> other_device;     ///< a device whose log knows the ids, but which is not the dump's
    /// Where matches on other devices were taken out and none remains: the process that has the stream on the dump's.
    const logs::Process* of_device = nullptr;
    std::vector<Diagnostic> diagnostics;
};

/// One of search.earlier_runs.
bool was_over(const logs::Process& process, const TaskSearch& search) noexcept;

/// The devices on which the process may have the ids. Where its lines know the stream on the dump's device, those on
/// others are about other streams.
std::vector<logs::DeviceFilter> devices_to_search(const logs::Process& process, const logs::TaskKey& key,
                                                  const Dump& dump);

/// Looks the record's stream and task up in every process.
TaskSearch search_task(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options);

/// A dump's time comes from the device, the line's from the host: a launch line may seem a little later than the dump.
constexpr std::int64_t kClockSkewUs = 1'000'000;
/// For a task that is set up once, while no other use of the ids is known: a device's clock was 3 s behind in the one
/// real pair of logs.
constexpr std::int64_t kLargeClockSkewUs = 10'000'000;
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
