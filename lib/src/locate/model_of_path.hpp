// What the folders above a dump say of its model, and whether logs say otherwise.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// Adds the model's name and GE id where the logs did not tell them. Folders name the model by GE's number or by the
/// runtime's, depending on the version; a number that is not the record's own is taken for GE's (inferred).
void add_model_of_path(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model);

/// Whether the dump lies in a folder of a model, and the log calls what it tells of the model otherwise or nothing.
bool names_other_model(const Dump& dump, const std::optional<LocatedModel>& model);

/// Takes away what the folder contradicts: a model of another name, or GE's number. Which is right is not known.
void drop_contradicted(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model);

/// Those lines: GE's on the end of the graph, of the match's stream, and the device's table that names the operator.
/// `match`, `answer`: may be null. `device`: lines of device logs on the task.
std::vector<const logs::StoredFact*> lines_on_folder(const TaskMatch* match, const OperatorAnswer* answer,
                                                     const std::vector<const logs::StoredFact*>& device,
                                                     const TaskQuery& query, const TaskMap::Contents& map);

/// "model_differs": the folder has none of the names that the lines state. Of a dump that names_other_model().
void remark_model_folder(const Dump& dump, const std::vector<const logs::StoredFact*>& lines,
                         const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
