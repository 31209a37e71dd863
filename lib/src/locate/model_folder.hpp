// Whether a dump lies in the folder of the model that the log names.
//
// The device files dumps under {model_name}/{model_id}. Of the names that a log gives a model (of its graph, its file,
// in the runtime) it is not known whether the folder has them; two lines state what the device was told. Numbers are
// not compared: the folder's is the runtime's id, GE's, or, inside dynamic graphs of 2020, a node's.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Whether the dump lies in a folder of a model, and the log calls what it tells of the model otherwise or nothing.
bool names_other_model(const Dump& dump, const std::optional<LocatedModel>& model);

/// Those lines: GE's on the end of the graph, of the match's stream, and the device's table that names the operator.
/// `match`, `answer`: may be null. `device`: lines of device logs on the task.
std::vector<const logs::StoredFact*> lines_on_folder(const TaskMatch* match, const OperatorAnswer* answer,
                                                     const std::vector<const logs::StoredFact*>& device,
                                                     const TaskQuery& query, const TaskMap::Contents& map);

/// "model_differs": the folder has none of the names that the lines state. Of a dump that names_other_model().
void remark_model_folder(const Dump& dump, const std::vector<const logs::StoredFact*>& lines,
                         const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
