// What one record's ids lead to: the answers of operator dumps and of each possible use in the logs, and how they are
// put in order.
#pragma once

#include <algorithm>
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

}  // namespace opdebug::locate_stage
