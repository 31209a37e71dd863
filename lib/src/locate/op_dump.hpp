// The operator's own dump beside the overflow dump: the best proof of its name.
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// The operator dumps of the same folder whose names carry the record's stream and task, nearest in time; several when
/// they are equally near. Remarks go to `diagnostics`.
std::vector<OperatorAnswer> find_op_dumps(const Dump& dump, const TaskQuery& query, OpDumpFolders& folders,
                                          std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
