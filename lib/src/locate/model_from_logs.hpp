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

/// "model_named_elsewhere": a line that names the record's model id, where no line binds the record's stream to it. A
/// hint only. The record has a model id.
void remark_named_elsewhere(const TaskMap::Contents& map, const TaskQuery& query, std::vector<Diagnostic>& diagnostics);

/// What the device's table of the operator's model tells, where the host's lines do not: the model's name and GE's id.
/// A number that is the record's may be the runtime's (newer versions print it, inferred) and is not taken for GE's.
/// `device`: lines of device logs on the task.
void add_model_of_device(const std::vector<const logs::StoredFact*>& device, const OperatorAnswer* answer,
                         const TaskQuery& query, const TaskMap::Contents& map, std::optional<LocatedModel>& model);

}  // namespace opdebug::locate_stage
