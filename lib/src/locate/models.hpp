// The model of a task. Sources: the host's lines, the device's table, the folders above the dump, and the record's
// stream where no line mentions the task. Two id spaces: the runtime's (record, RUNTIME lines) and GE's (GE and
// ASCENDCL lines). They differ in every real log that is known.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"

namespace opdebug::locate_stage {

/// The model of a candidate, as far as the logs show it. A remark reports a record whose model id is not the runtime's
/// or GE's for this stream. `answer`: the operator that was found, or null; its kernel's name can hold model numbers.
std::optional<LocatedModel> model_of_candidate(const Candidate& candidate, const Lookup& lookup,
                                               const OperatorAnswer* answer, Diagnostics& diagnostics);

/// Adds the model's name and GE id from the device's table of the operator's model, where the host's lines lack them. A
/// number equal to the record's may be the runtime's (newer versions print it, inferred) and is not used as GE's.
void add_model_of_device(const DeviceLines& device, const OperatorAnswer* answer, const Lookup& lookup,
                         std::optional<LocatedModel>& model);

// Folders (model_of_folder.cpp).

/// Adds the model's name and GE id where the logs did not show them. Folders name the model by GE's number or by the
/// runtime's, depending on the version; a number that is not the record's own is treated as GE's (inferred).
void add_model_of_path(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model);

/// Whether the dump is in a folder of a model, and the log names the model differently or not at all.
bool names_other_model(const Dump& dump, const std::optional<LocatedModel>& model);

/// Takes away what the folder contradicts: a model of another name, or GE's number. Which is right is not known.
void drop_contradicted(const Lookup& lookup, std::optional<LocatedModel>& model);

/// "model_differs": the dump's folder has none of the names that lines give: the line that binds the candidate's
/// stream, those on its model, and the device's table that names the operator. Of a dump that names_other_model().
/// `candidate`, `answer`: may be null.
void remark_model_folder(const Candidate* candidate, const OperatorAnswer* answer, const DeviceLines& device,
                         const Lookup& lookup, Diagnostics& diagnostics);

}  // namespace opdebug::locate_stage
