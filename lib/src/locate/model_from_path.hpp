// What the folders above a dump say about its model.
#pragma once

#include <optional>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// Adds the model's name and GE id where the logs did not tell them. Folders name the model by GE's number or by the
/// runtime's, depending on the version; a number that is not the record's own is taken for GE's (inferred).
void add_model_of_path(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model);

}  // namespace opdebug::locate_stage
