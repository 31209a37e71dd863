// The stream of a task → the model it belongs to. Two id spaces: the runtime's (record, RUNTIME lines) and GE's (GE and
// ASCENDCL lines); they differ in every real log that is known.
#pragma once

#include <optional>

#include <opdebug/locate.hpp>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// The model of a match, as far as the logs tell it. A record whose model id is neither the runtime's nor GE's for this
/// stream is remarked. `answer`: the operator that was found, or null; its kernel's name can hold model numbers.
std::optional<LocatedModel> model_of_match(const TaskMatch& match, const TaskQuery& query, const OperatorAnswer* answer,
                                           const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// Whether the log of the process shows bindings of streams to models at all.
bool binds_any_model(const logs::Process& process);

/// "model_named_elsewhere": a line that names the record's model id, where no line binds the record's stream to it. A
/// hint only.
void remark_named_elsewhere(const TaskMap::Contents& map, const TaskQuery& query, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
