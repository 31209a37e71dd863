// Remarks for people: what makes an answer less sure than it looks, why there is none, and what the logs report of
// failures and overflows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/answers.hpp"
#include "locate/candidates.hpp"

namespace opdebug::locate_stage {

/// "2026-03-04 10:00:00.000000".
std::string show_time(std::int64_t time_us);

// Doubts about an answer (answer_remarks.cpp).

/// A process whose log names tasks logs at level INFO, and so each execution of a model: longer than this none lasts,
/// be there many iterations in one (inferred). Rotation takes old lines away, never the last ones.
constexpr std::int64_t kSilentUs = 30 * kBehindLogUs;

/// Whether the use of the ids is inferred: then no line names the operator of this very use, and no answer is exact.
/// An inferred zone counts if the dump has a time folder, for then the folder's zone does not fit the logs.
bool is_use_inferred(const Dump& dump, const Fit& fit, const Diagnostics& diagnostics);

/// Clock, end of the use and of the log, wraps, and an unknown device make a candidate doubtful. `is_model_named`: the
/// dump's folder is called by the model.
void remark_use(const Candidate& candidate, bool is_model_named, const Lookup& lookup, Diagnostics& diagnostics);

/// Answers that rest on a task id that is not sure, or on lines that do not show the device, where it would decide.
void remark_numbers(const std::vector<Candidate>& candidates, const std::vector<OperatorAnswer>& operators,
                    const Lookup& lookup, Diagnostics& diagnostics);

/// Device numbers in logs are the driver's, those of folders the process's: in a container they may differ, and where
/// ASCEND_RT_VISIBLE_DEVICES chooses devices.
void remark_device(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics);

/// A damaged compressed file may have garbled each of its lines. A line without a usable time counts as of the time of
/// the line before it; alone it would fit every dump.
void remark_bad_lines(const RecordResult& result, const Lookup& lookup, Diagnostics& diagnostics);

// Reports of hosts (report_lines.cpp).

/// How far a line on a failure may be from the dump of the same task: the host reports it when it next looks at the
/// stream.
inline constexpr std::uint64_t kFailureNearUs = 10'000'000;

/// Where several local times are possible and the log reports the overflow within two seconds of exactly one of them,
/// that one remains. Reports of devices that are not the dump's (devices_to_search()) are of other overflows.
void prefer_reported_time(const logs::Process& process, const Lookup& lookup, std::vector<LocalTime>& times);

/// When the process reports overflows of the record's task, on this device as far as the lines show; in order.
std::vector<std::int64_t> report_times(const logs::Process& process, logs::DeviceFilter device, const Lookup& lookup);

/// "overflow_in_log": the line of the first process that reports the overflow within ten seconds of the dump.
/// `of_dump`: the only one that counts; null: each.
void remark_overflow_line(const logs::Process* of_dump, const Lookup& lookup, Diagnostics& diagnostics);

/// "task_failed": one of the lines on the task reports that it failed; a failure's own messages explain more than the
/// status does. `time_us`: that of the dump in their clock, where it is known. A line is of this execution only if it
/// is at most 10 s from it and names no other kernel than the launch. "failed_on_other_device": only lines of a device
/// that is not the dump's report it. "inner_kernel": what a core ran, where a line names it.
void remark_failure(const logs::Process& process, const std::vector<const logs::StoredFact*>& facts,
                    std::optional<std::int64_t> time_us, const Lookup& lookup, Diagnostics& diagnostics);

/// The same where no other line mentions the task. Such a line does not show which model uses the ids: only lines at
/// most 10 s from the dump count. They are of its device, else of another one, which the remark names. Returns whether
/// such a line shows that the task is no operator (a wait, an event, a copy).
bool remark_failure_alone(const Lookup& lookup, Diagnostics& diagnostics);

// Why there is no answer (reasons.cpp).

/// Why none of the uses of the ids in a TaskPlace fits the time: ended before, first mentioned later, or the log ended.
void explain_no_use(const TaskPlace& place, const Lookup& lookup, std::int64_t time_us, Diagnostics& diagnostics);

/// What a task is that no line names an operator or kernel for: end of graph, debug task, unnamed, or no kernel at all.
void explain_other_task(const std::vector<const logs::StoredFact*>& facts, const Lookup& lookup,
                        Diagnostics& diagnostics);

/// "uses_excluded": why none of the known uses is possible.
void explain_excluded(const TaskSearch& search, const Lookup& lookup, Diagnostics& diagnostics);

/// The record's ids are in no line of a process at the time of the dump. At least one diagnostic.
void explain_task_not_in_logs(const Lookup& lookup, Diagnostics& diagnostics);

/// "logs_without_ge_info" or "logs_without_runtime_info", where only one of the modules was logged with level INFO.
void explain_missing_module(const Lookup& lookup, Diagnostics& diagnostics);

/// "logs_unread": the answer may be in a log that could not be read. It comes first: why there is no answer, and what
/// to do about it, hangs on it.
void remark_unread_logs(const Lookup& lookup, Diagnostics& diagnostics);

/// "run_logs_missing": no model was found, and only debug logs were given: since 8.5 the run log holds bindings of
/// streams to models. `process`: of the answer; null: none.
void explain_model(const logs::Process* process, const Lookup& lookup, RecordResult& result);

/// "utc_offset_contradicts_folder": by the offset that the user gave, the dump is older than its time folder.
void remark_given_offset(const Lookup& lookup, Diagnostics& diagnostics);

/// The assumed local time of the dump, and other possible ones. `times`: best first; none when it has no time. Returns
/// the offset where it is sure and not only this machine's.
std::optional<int> remark_time(const std::vector<LocalTime>& times, const logs::Span& logged, const Lookup& lookup,
                               Diagnostics& diagnostics);

}  // namespace opdebug::locate_stage
