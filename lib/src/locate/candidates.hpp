// The uses of a record's ids that are possible, with how they fit: which process, which device, which time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock.hpp"
#include "locate/fit.hpp"
#include "locate/query.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

// All that a record's ids meant in one process (task_uses.cpp). Task ids are not always sure: what a log states under
// one id may be meant for another task.

/// Whether the line only reports that the task failed or overflowed: it does not show what the task is.
bool is_report(const logs::StoredFact& fact) noexcept;

/// All uses of the ids in one host process, on one device and by one kind of id, in time order.
struct TaskPlace {
    const logs::Process* process = nullptr;
    logs::DeviceFilter device;  ///< that the lines name, if any
    TaskNumber number = TaskNumber::confirmed;
    std::vector<logs::TaskUse> uses;
    std::vector<std::int64_t> ends{};  ///< for each use the latest end of those up to it

    /// When all uses are there.
    void find_ends();
};

/// Adds those of a process.
void add_places(const logs::Process& process, const Lookup& lookup, std::vector<TaskPlace>& places);
/// The uses of the stream as a whole, where no line of the process shows the task: each binding, each load of GE's, and
/// the time between them. They have no facts.
void add_stream_places(const logs::Process& process, const Lookup& lookup, std::vector<TaskPlace>& places);
/// Of all host processes that know the ids.
std::vector<TaskPlace> task_places(const Lookup& lookup);

/// Whether a time of a dump is inside a use, by clocks that differ.
Inside inside(const logs::TaskUse& use, std::int64_t time_us, const ClockOffset& offset);

/// Calls for each use that goes on at the time, for some offset of the clocks.
void for_uses_near(const TaskPlace& place, std::int64_t time_us, const ClockOffset& offset,
                   const std::function<void(const logs::TaskUse&)>& call);

// Which of them are possible (candidates.cpp).

/// A use of the ids in one process and on one device, how it fits the record, and what it shows. Kept together, so that
/// one process's operator never gets another's model.
struct Candidate {
    const logs::Process* process = nullptr;
    logs::DeviceFilter device;
    logs::TaskUse use;
    std::optional<std::int64_t> time_us;  ///< of the dump, in the process's clock; nothing: not comparable
    ClockOffset offset = unknown_offset();
    std::int64_t sure_until_us = logs::kEndOfTime;  ///< another process took the stream: the use ended before, unseen
    Fit fit;
    /// The row that excluded it; of a possible one: the row that puts it after the one before. Empty: none.
    std::string_view row;

    // What it shows (rank.cpp).
    std::vector<OperatorAnswer> operators;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
    bool is_explained = false;  ///< no operator, and a remark names what the task is instead
    bool is_tied = true;        ///< only rows that merely order put it after the best
};

/// A time in the run of the process id that the candidate is of: that of its lines, by clocks that may differ a little
/// from the dump's.
std::optional<std::int64_t> time_in_run(const Candidate& candidate) noexcept;

/// What a device-side log states of the ids, and who states it.
struct DeviceFact {
    const logs::Process* process = nullptr;
    const logs::StoredFact* fact = nullptr;
};

/// Whether the log of a device can be about what a host process does: device and host process do not differ.
bool fits(const DeviceFact& said, const Candidate& candidate);

struct TaskSearch {
    /// Possible ones; after rank() best first. Uses of the stream without a line on the task count if no other use is
    /// possible. They also count if the stream is bound to the record's model.
    std::vector<Candidate> candidates;
    std::vector<Candidate> excluded;
    std::vector<DeviceFact> device;             ///< lines on the ids in logs of the dump's device, at any time
    std::vector<OperatorAnswer> of_device;      ///< what they report about this dump, where no candidate agrees
    std::optional<std::uint64_t> other_device;  ///< a device whose log knows the ids, but which is not the dump's
    std::optional<int> utc_offset_minutes;      ///< zone of the logs, where it is sure
    std::vector<Candidate> without_use;         ///< processes that mention the stream, but no use of it at the time
    Diagnostics reasons;                        ///< why no use is possible, where none is
    Diagnostics diagnostics;                    ///< on the clock

    /// Whether a line on the task is about a possible use.
    bool has_lines() const noexcept {
        return std::any_of(candidates.begin(), candidates.end(),
                           [](const Candidate& candidate) { return candidate.fit.has_lines; });
    }
};

/// Moves the candidates of a condition to the excluded ones, with the row that excludes them.
void exclude_if(TaskSearch& search, std::string_view row, const std::function<bool(const Candidate&)>& condition);

/// Looks the record's stream and task up in every process, and excludes what cannot be its use.
TaskSearch search_task(const Lookup& lookup);

/// Adds what each candidate shows, and puts the best first (rank.cpp). Excludes a candidate that a deciding row ranks
/// lower. Also excludes candidates of unsure ids or of lines without a time, if others show what the task is.
void rank(const Lookup& lookup, TaskSearch& search);

/// A dump's time comes from the device, the line's from the host: a launch line may seem a little later than the dump.
constexpr std::int64_t kClockSkewUs = 1'000'000;
/// The host's report follows the overflow, and the dump is written next to it.
constexpr std::int64_t kReportNearUs = 20'000;
/// A single execution is launched right before it runs: none is reported long after the log of its process ended.
constexpr std::int64_t kBehindLogUs = 60'000'000;

// The dump's time and device in a process (report_lines.cpp).

/// What the process's log covers; everything when it has no readable time.
logs::Span span_of(const logs::Process& process);

/// The devices on which the process may have the ids. Where its lines know the stream on the dump's device, those on
/// others are about other streams.
std::vector<logs::DeviceFilter> devices_to_search(const logs::Process& process, const Lookup& lookup);

/// The possible times of the dump in the process's clock, best first. Where several zones are possible and the log
/// reports the overflow in one of them, it is that one.
std::vector<LocalTime> times_in(const logs::Process& process, const Lookup& lookup);
/// The best of them; nothing: the times cannot be compared.
std::optional<std::int64_t> time_in(const logs::Process& process, const Lookup& lookup);

// What is known of a use against a record and the folders of its dump: the members of Fit, one by one (fit.cpp).

/// Whether record and use are of a model at all.
Agreement fit_of_kind(const logs::TaskUse& use, const TaskQuery& query);
/// The line that sent the task as one of another kind than the record's: an AI Core or AICPU kernel, a memory copy, a
/// task of FFTS+. Null: none, or another line sent one of its kind.
const logs::StoredFact* sent_with_other_type(const logs::TaskUse& use, const TaskQuery& query);
/// Whether the stream was bound to the record's model.
Agreement fit_of_model(const logs::TaskUse& use, const TaskQuery& query);
/// Whether the path of the dump has the folder that distinguishes the process's logs from those of other hosts.
Agreement fit_of_host(const logs::Process& process, const Lookup& lookup);
/// Whether the process has the rank of the path of the dump.
Agreement fit_of_rank(const logs::Process& process, const Lookup& lookup);
/// Whether a device of the process is the one of the dump's folder.
Agreement fit_of_device(const logs::Process& process, logs::DeviceFilter device, const Lookup& lookup,
                        std::optional<std::int64_t> time_us);
/// Whether the process logs that it writes into the time folder.
Agreement fit_of_folder(const logs::Process& process, const Dump& dump);
/// Doubtful if the process ended before the dump's time folder was made: both have the host's clock. `time_us`: of the
/// dump, in the clock of the logs.
Agreement fit_of_folder_time(const logs::Process& process, const Dump& dump, std::optional<std::int64_t> time_us);
/// Whether a hard reason excludes all uses there, by host or device.
bool is_excluded_place(const TaskPlace& place, const Lookup& lookup);
/// Whether record and use may be of one model, or both of none.
bool may_be_use_of(const logs::TaskUse& use, const TaskQuery& query);

// Device logs. Device and dump have one clock, but the logs may be in another zone than those of the host.

using DeviceLines = std::vector<const logs::StoredFact*>;

/// Adds what the log of a device states about the ids, or that the log is of another device than the dump.
void add_device_facts(const logs::Process& process, const Lookup& lookup, TaskSearch& search);

/// The device's own lines on this very dump: within 20 ms of it, by its clock.
DeviceLines lines_on_dump(const std::vector<DeviceFact>& device, const Lookup& lookup);

/// The lines that are about a use: within a second of the dump, or in the binding of the model whose task it is.
DeviceLines lines_on_use(const std::vector<DeviceFact>& device, const Candidate& candidate, const Lookup& lookup);

/// The host processes that the device log is of, by its name and its root: mostly one.
std::vector<const logs::Process*> hosts_of(const logs::Process& device_log, const Lookup& lookup);

}  // namespace opdebug::locate_stage
