#include "locate/model_from_path.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

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

}  // namespace opdebug::locate_stage
