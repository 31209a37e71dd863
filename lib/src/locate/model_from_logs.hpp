// The stream of a task → the model it belongs to. Two id spaces: the runtime's (record, RUNTIME lines) and GE's (GE and
// ASCENDCL lines); they differ in every real log that is known.
#pragma once

#include <optional>

#include <opdebug/locate.hpp>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// The model of a match, as far as the logs tell it. A record whose model id is neither the runtime's nor GE's for this
/// stream is remarked.
std::optional<LocatedModel> model_of_match(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                                           std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
