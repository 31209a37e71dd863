// The operator's dump by the ids of the overflow dump's name: where the record's own ids lead to nothing.
#pragma once

#include <opdebug/locate.hpp>

#include "locate/found.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

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
