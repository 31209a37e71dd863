#include "locate/model_of_path.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "locate/kernel_name.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {

void add_model_of_path(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model) {
    constexpr std::size_t kUsualText = 64;
    const PathIds& path = dump.path_ids;
    const bool is_ge_id = path.model_id && query.model_id && path.model_id != query.model_id;
    const bool adds_name = path.model_name && (!model || !model->name);
    const bool adds_ge_id = is_ge_id && (!model || (!model->ge_id && model->runtime_id != path.model_id));
    if (!adds_name && !adds_ge_id) {
        return;
    }
    if (!model) {
        model.emplace();
    }
    std::string text;
    text.reserve(kUsualText);  // grown to at once
    text = "the dump's folder";
    if (adds_name) {
        model->name = path.model_name;
        text.append(" names model ").append(*path.model_name);
    }
    if (adds_ge_id) {
        model->ge_id = path.model_id;
        text += fmt::format("{} carries model id {}, not the record's {}: taken for GE's id (inferred)",
                            adds_name ? " and" : "", *path.model_id, *query.model_id);
    }
    model->evidence.push_back({EvidenceKind::op_dump, dump.file, std::nullopt, std::move(text)});
}

namespace {

using logs::FactKind;
using logs::StoredFact;

/// The line that binds the stream, and the lines on its model. GE's line tells the model that is being loaded, so it is
/// of the one that the stream is bound to then. Without a binding it may be of a model before or behind it, for streams
/// are reused.
void add_lines_of_stream(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                         std::vector<const StoredFact*>& lines) {
    if (match.use.bindings.size() != 1) {
        return;
    }
    const logs::Process& process = *match.process;
    const logs::ModelBinding& binding = match.use.bindings.front();
    if (!binding.bound_by->fact.model_name.empty()) {
        lines.push_back(binding.bound_by);
    }
    for (const std::uint32_t place : logs::places_inside(
             process, map.index().facts(process, logs::About::runtime_model, binding.model_id), binding.span)) {
        lines.push_back(&process.facts[place]);
    }
    const logs::Places said = map.index().facts(process, logs::About::model_of_stream, *query.stream_id);
    for (const std::uint32_t place : logs::places_inside(process, said, match.use.bindings.front().span)) {
        lines.push_back(&process.facts[place]);
    }
}

/// A line with another name than the folder's, where no line has the folder's. Null: nothing contradicts.
const StoredFact* line_with_other_name(const std::string& folder, const std::vector<const StoredFact*>& lines) {
    const StoredFact* other = nullptr;
    for (const StoredFact* line : lines) {
        if (name_in_files(line->fact.model_name) == folder) {
            return nullptr;
        }
        other = other == nullptr && !line->fact.model_name.empty() ? line : other;
    }
    return other;
}

}  // namespace

bool names_other_model(const Dump& dump, const std::optional<LocatedModel>& model) {
    const PathIds& path = dump.path_ids;
    if (!path.time || !path.model_name || !path.model_id) {  // without a number, the "name" may be any folder
        return false;
    }
    return !model || !model->name || name_in_files(*model->name) != name_in_files(*path.model_name);
}

void drop_contradicted(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model) {
    if (model && model->name && names_other_model(dump, model)) {
        model.reset();
    }
    const std::optional<std::uint64_t>& number = dump.path_ids.model_id;
    if (model && number && query.model_id && number != query.model_id && model->ge_id && model->ge_id != number) {
        model->ge_id.reset();
        model->graph_id.reset();
    }
}

std::vector<const StoredFact*> lines_on_folder(const TaskMatch* match, const OperatorAnswer* answer,
                                               const std::vector<const StoredFact*>& device, const TaskQuery& query,
                                               const TaskMap::Contents& map) {
    std::vector<const StoredFact*> lines;
    if (match != nullptr) {
        add_lines_of_stream(*match, query, map, lines);
    }
    for (const StoredFact* said : device) {
        const logs::Fact& fact = said->fact;
        if (fact.kind == FactKind::operator_of_task && answer != nullptr && answer->name == fact.operator_name) {
            lines.push_back(said);
        }
    }
    return lines;
}

void remark_model_folder(const Dump& dump, const std::vector<const StoredFact*>& lines, const TaskMap::Contents& map,
                         std::vector<Diagnostic>& diagnostics) {
    const std::string& folder = *dump.path_ids.model_name;
    const StoredFact* line = line_with_other_name(name_in_files(folder), lines);
    if (line == nullptr) {
        return;
    }
    const logs::LogPlace& named = line->completed_by ? *line->completed_by : line->place;
    diagnostics.push_back(remarks::diagnose(
        "model_differs",
        {{"folder", folder}, {"file", map.files[named.file]}, {"line", named.line}, {"name", line->fact.model_name}}));
}

}  // namespace opdebug::locate_stage
