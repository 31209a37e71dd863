// The model without a line of the host on the task: by the device's table, by its stream, and by folders above the
// dump.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "locate/answers.hpp"
#include "locate/kernel_name.hpp"
#include "logs/lookup/devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::ModelBinding;
using logs::Process;
using logs::StoredFact;

/// The line that binds the stream, and the lines on its model. GE's line names the model that is being loaded, so it is
/// of the model to which the stream is bound then. Without a binding it may be of an earlier or later model, because
/// streams are reused.
void add_lines_of_stream(const Candidate& candidate, const Lookup& lookup, DeviceLines& lines) {
    if (candidate.use.bindings.size() != 1) {
        return;
    }
    const Process& process = *candidate.process;
    const ModelBinding& binding = candidate.use.bindings.front();
    lines.push_back(binding.bound_by);
    for (const logs::Places known : {lookup.index().facts(process, logs::About::runtime_model, binding.model_id),
                                     lookup.index().facts(process, logs::About::model_of_stream, lookup.stream())}) {
        for (const std::uint32_t place : logs::places_inside(process, known, binding.span)) {
            lines.push_back(&process.facts[place]);
        }
    }
}

}  // namespace

void add_model_of_device(const DeviceLines& device, const OperatorAnswer* answer, const Lookup& lookup,
                         std::optional<LocatedModel>& model) {
    for (const StoredFact* said : device) {
        const logs::Fact& fact = said->fact;
        const bool is_its = fact.kind == logs::FactKind::operator_of_task && answer != nullptr && answer->name &&
                            *answer->name == fact.operator_name;
        const bool is_other = model && model->ge_id && fact.ge_model_id && model->ge_id != fact.ge_model_id;
        const bool is_runtimes =
            fact.ge_model_id == lookup.query.model_id || (model && fact.ge_model_id == model->runtime_id);
        const bool adds_id = fact.ge_model_id && !is_runtimes && (!model || !model->ge_id);
        const bool adds_name = !fact.model_name.empty() && (!model || !model->name);
        if (!is_its || is_other || (!adds_id && !adds_name)) {
            continue;
        }
        model = model ? std::move(model) : LocatedModel();
        model->ge_id = adds_id ? fact.ge_model_id : model->ge_id;
        model->name = adds_name ? std::optional(fact.model_name) : model->name;
        lookup.prove(*said, model->evidence);
        return;
    }
}

void add_model_of_path(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model) {
    const PathIds& path = dump.path_ids;
    const bool is_ge_id = path.model_id && query.model_id && path.model_id != query.model_id;
    const bool adds_name = path.model_name && (!model || !model->name);
    const bool adds_ge_id = is_ge_id && (!model || (!model->ge_id && model->runtime_id != path.model_id));
    if (!adds_name && !adds_ge_id) {
        return;
    }
    model = model ? std::move(model) : LocatedModel();
    std::string text = "the dump's folder";
    if (adds_name) {
        model->name = path.model_name;
        text.append(" names model ").append(*path.model_name);
    }
    if (adds_ge_id) {
        model->ge_id = path.model_id;
        text += fmt::format("{} contains model id {}, not the record's {}: read as GE's id (inferred)",
                            adds_name ? " and" : "", *path.model_id, *query.model_id);
    }
    model->evidence.push_back({EvidenceKind::op_dump, dump.file, std::nullopt, std::move(text)});
}

bool names_other_model(const Dump& dump, const std::optional<LocatedModel>& model) {
    const PathIds& path = dump.path_ids;
    if (!path.time || !path.model_name || !path.model_id) {  // without a number, the "name" may be any folder
        return false;
    }
    return !model || !model->name || name_in_files(*model->name) != name_in_files(*path.model_name);
}

Agreement fit_of_model_number(const Lookup& lookup, const std::optional<LocatedModel>& model) {
    const PathIds& path = lookup.dump.path_ids;
    if (!path.time || !path.model_id || !model || !model->runtime_id || !model->ge_id) {
        return Agreement::unknown;
    }
    const bool is_its = path.model_id == model->ge_id || path.model_id == model->runtime_id;
    return is_its ? Agreement::agrees : Agreement::doubtful;
}

void drop_contradicted(const Lookup& lookup, std::optional<LocatedModel>& model) {
    if (model && model->name && names_other_model(lookup.dump, model)) {
        model.reset();
    }
}

void remark_model_folder(const Candidate* candidate, const OperatorAnswer* answer, const DeviceLines& device,
                         const Lookup& lookup, Diagnostics& diagnostics) {
    DeviceLines lines;
    if (candidate != nullptr) {
        add_lines_of_stream(*candidate, lookup, lines);
    }
    for (const StoredFact* said : device) {
        const logs::Fact& fact = said->fact;
        const bool is_operator = fact.kind == logs::FactKind::operator_of_task;
        if (is_operator && answer != nullptr && answer->name == fact.operator_name) {
            lines.push_back(said);
        }
    }
    const std::string& folder = *lookup.dump.path_ids.model_name;
    const StoredFact* other = nullptr;
    for (const StoredFact* line : lines) {
        const std::string& name = line->fact.model_name;
        if (name_in_files(name) == name_in_files(folder)) {
            return;
        }
        other = other == nullptr && !name.empty() ? line : other;
    }
    if (other != nullptr) {
        const logs::LogPlace& named = other->completed_by.empty() ? other->place : other->completed_by.front();
        lookup.remark(diagnostics, "model_differs",
                      {{"folder", folder}, {"line", lookup.at(named)}, {"name", other->fact.model_name}});
    }
}

void remark_model_number(const std::optional<LocatedModel>& model, const Lookup& lookup, Diagnostics& diagnostics) {
    if (model && !has_remark(diagnostics, "model_differs")) {
        lookup.remark(
            diagnostics, "model_differs.number",
            {{"folder", *lookup.dump.path_ids.model_id}, {"ge", *model->ge_id}, {"runtime", *model->runtime_id}});
    }
}

}  // namespace opdebug::locate_stage
