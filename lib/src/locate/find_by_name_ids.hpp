// The operator's dump by the ids of the overflow dump's name: where the record's own ids lead to nothing.
#pragma once

#include <opdebug/locate.hpp>

#include "locate/found.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// What the name asks for in place of the record. Nothing where it says no more than the record, where it has no
/// stream (then debug tasks and operators share numbers), or where ids that the record has contradict it.
std::optional<TaskQuery> query_of_name(const Dump& dump, const TaskQuery& record);

/// Adds the operators whose dumps beside carry the ids of the name, with the remark "name_ids_used" that says how
/// little that proves. `found` has no operator.
void find_by_name_ids(const Dump& dump, const TaskQuery& record, const LocateOptions& options, Found& found);

}  // namespace opdebug::locate_stage
