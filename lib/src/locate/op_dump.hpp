// The operator's own files next to the overflow dump: its dump, its tensors as .npy, a list of statistics. They are the
// best evidence of its name.
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/find_in_logs.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// The operators whose dumps were found, and the dumps; several when they are equally near.
struct FoundOpDumps {
    std::vector<OperatorAnswer> answers;  ///< their evidence names the files
    std::vector<LocatedOpDump> files;
    /// The one dump that lies within half a second of its own overflow dump: it tells the operator whatever logs say.
    bool decides = false;
};

/// The operators of the same folder, and of MindSpore's folders of the same iteration, whose files carry the query's
/// stream and task: of each folder those nearest in time, of ids that are a hint those within a minute. Of `options`,
/// `folders` (not null) and `limits` are used. Remarks go to `diagnostics`.
FoundOpDumps find_op_dumps(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                           std::vector<Diagnostic>& diagnostics);

/// Whether both have a name and are of one operator. Names compare as files spell them: a header has the slashes that a
/// file's name and a list have not.
bool is_same_operator(const OperatorAnswer& a, const OperatorAnswer& b);

/// The dump of this answer: that of its first evidence of kind op_dump.
std::optional<LocatedOpDump> op_dump_of(const OperatorAnswer& answer, std::vector<LocatedOpDump> files);

/// What the name asks for in place of the record. Nothing where it says no more than the record, where it has no
/// stream (then debug tasks and operators share numbers), or where ids that the record has contradict it.
std::optional<TaskQuery> query_of_name(const Dump& dump, const TaskQuery& record);

/// Whether the dump is in another folder than the operator dumps, as MindSpore writes them: it joins both by the dump's
/// name.
bool joins_by_name(const Dump& dump, const LocateOptions& options);

/// Adds, before the others, the operators whose dumps carry the ids of the name, with the remark "name_ids_used" that
/// says how sure that is.
void find_by_name_ids(const Dump& dump, const TaskQuery& record, const LocateOptions& options, Found& found);

}  // namespace opdebug::locate_stage
