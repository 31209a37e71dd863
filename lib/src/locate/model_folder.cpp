#include "locate/model_folder.hpp"

#include <string>

#include <fmt/format.h>

#include "locate/name_in_files.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

/// GE's line tells the model that is being loaded, so it is of the one that the stream is bound to then. Without a
/// binding it may be of a model before or behind it, for streams are reused.
void add_lines_of_stream(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                         std::vector<const StoredFact*>& lines) {
    if (match.use.bindings.size() != 1) {
        return;
    }
    const logs::Process& process = *match.process;
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
    diagnostics.push_back(
        {Severity::warning, "model_differs",
         fmt::format("the dump lies in a folder of model {}, the log's line on the model of this task ({}:{}) says {}: "
                     "the dump was moved, or the line is of another run, or of another model that had the same ids; "
                     "which is right is not known",
                     folder, map.files[named.file], named.line, line->fact.model_name)});
}

}  // namespace opdebug::locate_stage
