// What one record's ids lead to: the answers of operator dumps and of each possible use in the logs, and how they are
// put in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"

namespace opdebug::locate_stage {

/// What the ids of one record lead to.
struct RecordResult {
    std::vector<OperatorAnswer> operators;  ///< best first
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    bool is_model_open = false;             ///< the possible operators are of several models
    bool has_exact_dump = false;            ///< a dump next to the overflow dump names the operator
    bool is_use_inferred = false;           ///< the lines on the operator may be of another use of the ids
    std::optional<int> utc_offset_minutes;  ///< zone of the logs, where it is sure
    std::vector<ComparedUse> uses;
    std::vector<Diagnostic> diagnostics;
};

/// For names that a line or the record contradicts: no more than the type is sure.
inline void lower_to_type(std::vector<OperatorAnswer>& answers) {
    for (OperatorAnswer& answer : answers) {
        answer.confidence = Confidence::type;
    }
}

inline bool has_remark(const Diagnostics& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

/// "candidates_cut": how much of `count` is left out by the limit. `id`: for what.
inline void remark_cut(std::string_view id, std::size_t count, const Limits& limits, Diagnostics& diagnostics) {
    diagnostics.push_back(remarks::diagnose(id, {{"limit", limits.candidates},
                                                 {"count", count},
                                                 {"hint", remarks::passed_limit(limits, &Limits::candidates)}}));
}

/// Adds answers that are not there yet. One task can have a hundred thousand operators (contexts of FFTS+), and as many
/// processes may have launched something: an index finds those that are known. Nearly every task has one, which no
/// index is made for.
class DistinctAnswers {
public:
    explicit DistinctAnswers(std::vector<OperatorAnswer>& answers) : answers_(answers) {}

    void add(OperatorAnswer answer) {
        if (!answers_.empty() && known_.empty()) {
            for (const OperatorAnswer& known : answers_) {
                known_.insert(names_of(known));
            }
        }
        if (answers_.empty() || known_.insert(names_of(answer)).second) {
            answers_.push_back(std::move(answer));
        }
    }

private:
    using Names = std::tuple<std::optional<std::string>, std::optional<std::string>, std::optional<std::string>>;

    static Names names_of(const OperatorAnswer& answer) { return {answer.name, answer.type, answer.kernel}; }

    std::vector<OperatorAnswer>& answers_;
    std::set<Names> known_;
};

/// Adds what the logs state of a record that has both ids.
void find_in_logs(const Lookup& lookup, RecordResult& result);

// The address of the kernel's code (kernels.cpp): the last resort, and a check.

/// Adds the kernels that have an address of the record, in every process: when nothing else shows it.
void find_by_address(const Lookup& lookup, RecordResult& result);

/// Compares the kernel that the ids gave with the one that the address gives, in the same process. `result` has an
/// operator.
void check_address(const Candidate& candidate, const Lookup& lookup, RecordResult& result);

// The model of a task. Sources: the host's lines, the device's table, the folders above the dump, and the record's
// stream where no line mentions the task. Two id spaces: the runtime's (record, RUNTIME lines) and GE's (GE and
// ASCENDCL lines). They differ in every real log that is known.

/// A device's log alone (device_lines.cpp), where no host process that it can be of shows the task, or shows that the
/// stream had no use: of each context the operators that were named last before the dump. Logs whose clock cannot be
/// compared with the dump's count complete.
void find_in_device_logs(const TaskSearch& search, const Lookup& lookup, RecordResult& result);

/// The model of a candidate, as far as the logs show it. A remark reports a record whose model id is not the runtime's
/// or GE's for this stream. `answer`: the operator that was found, or null; its kernel's name can hold model numbers.
std::optional<LocatedModel> model_of_candidate(const Candidate& candidate, const Lookup& lookup,
                                               const OperatorAnswer* answer, Diagnostics& diagnostics);

/// Adds the model's name and GE id from the device's table of the operator's model, where the host's lines lack them. A
/// number equal to the record's may be the runtime's (newer versions print it, inferred) and is not used as GE's.
void add_model_of_device(const DeviceLines& device, const OperatorAnswer* answer, const Lookup& lookup,
                         std::optional<LocatedModel>& model);

// Folders (model_of_folder.cpp).

/// Adds the model's name and GE id where the logs did not show them. Folders name the model by GE's number or by the
/// runtime's, depending on the version; a number that is not the record's own is treated as GE's (inferred).
void add_model_of_path(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model);

/// Whether the dump is in a folder of a model, and the log names the model differently or not at all.
bool names_other_model(const Dump& dump, const std::optional<LocatedModel>& model);

/// Whether the number in the folder is one of the model's: GE's or the runtime's, depending on the version. GE's never
/// comes back in a process.
Agreement fit_of_model_number(const Lookup& lookup, const std::optional<LocatedModel>& model);

/// Takes away a model of another name than the folder's. Which is right is not known.
void drop_contradicted(const Lookup& lookup, std::optional<LocatedModel>& model);

/// "model_differs": the dump's folder has none of the names that lines give: the line that binds the candidate's
/// stream, those on its model, and the device's table that names the operator. Of a dump that names_other_model().
/// `candidate`, `answer`: may be null.
void remark_model_folder(const Candidate* candidate, const OperatorAnswer* answer, const DeviceLines& device,
                         const Lookup& lookup, Diagnostics& diagnostics);

/// "model_differs": the number of the folder is neither of the model's. Not where the name differs already.
void remark_model_number(const std::optional<LocatedModel>& model, const Lookup& lookup, Diagnostics& diagnostics);

// The operator's own files next to the overflow dump (op_dump.cpp): its dump, its tensors as .npy, a list of
// statistics. They are the best evidence of its name.

/// The operators whose dumps were found, and the dumps; several when they are equally near.
struct OpDumpMatches {
    std::vector<OperatorAnswer> answers;  ///< their evidence names the files
    std::vector<LocatedOpDump> files;
    /// One dump was written within half a second of its own overflow dump: it names the operator, whatever logs state.
    bool decides = false;
};

/// The operators of the same folder, and of MindSpore's folders of the same iteration, whose files carry the query's
/// stream and task: of each folder those nearest in time, of ids that are a hint those within a minute. Of `options`,
/// `folders` (not null) and `limits` are used.
OpDumpMatches find_op_dumps(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                            Diagnostics& diagnostics);

/// The dump of this answer: that of its first evidence of kind op_dump.
std::optional<LocatedOpDump> op_dump_of(const OperatorAnswer& answer, std::vector<LocatedOpDump> files);

/// Whether the dump is in another folder than the operator dumps, as MindSpore writes them: it joins both by the dump's
/// name.
bool joins_by_name(const Dump& dump, const LocateOptions& options);

/// Adds, before the others, the operators whose dumps carry the ids of the name. The remark "name_ids_used" states how
/// sure that is.
void find_by_name_ids(const Dump& dump, const TaskQuery& record, const LocateOptions& options, RecordResult& result);

// Remarks for people: what makes an answer less sure than it looks, why there is none, and what the logs report of
// failures and overflows.

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
/// that is not the dump's report it.
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
