// The operator's own dump beside the overflow dump: the best proof of its name.
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// The operators whose dumps were found, and the dumps; several when they are equally near.
struct FoundOpDumps {
    std::vector<OperatorAnswer> answers;  ///< their evidence names the files
    std::vector<LocatedOpDump> files;
};

/// The operator dumps of the same folder whose names carry the record's stream and task, nearest in time; of ids that
/// are a hint those within a minute. Of `options`, `folders` (not null) and `limits` are used. Remarks go to
/// `diagnostics`.
FoundOpDumps find_op_dumps(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                           std::vector<Diagnostic>& diagnostics);

/// The dump of this answer: that of its first evidence of kind op_dump.
std::optional<LocatedOpDump> op_dump_of(const OperatorAnswer& answer, std::vector<LocatedOpDump> files);

}  // namespace opdebug::locate_stage
