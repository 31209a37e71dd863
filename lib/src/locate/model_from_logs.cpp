#include "locate/model_from_logs.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// Collects the model step by step, each step with the line that proves it.
class ModelTrail {
public:
    ModelTrail(const TaskMatch& match, const TaskMap::Contents& map)
        : match_(match), map_(map), process_(*match.process) {}

    void follow(const TaskQuery& query) {
        find_runtime_id();
        find_ge_id(query);
        find_name();
    }

    LocatedModel model;

private:
    void prove(const StoredFact& fact) {
        const Evidence evidence = evidence_of(fact, map_);
        const auto same = [&evidence](const Evidence& e) { return e.file == evidence.file && e.line == evidence.line; };
        if (std::none_of(model.evidence.begin(), model.evidence.end(), same)) {
            model.evidence.push_back(evidence);
        }
    }

    /// Of the facts of a kind that satisfy a condition, the one nearest in time to the begin of the task's use: ids are
    /// reused, and what names a model is logged while it is loaded.
    template <class Condition>
    const StoredFact* nearest_fact(FactKind kind, Condition condition) const {
        const StoredFact* nearest = nullptr;
        for (const StoredFact& fact : process_.facts) {
            if (fact.fact.kind == kind && condition(fact) &&
                (nearest == nullptr || distance(fact) < distance(*nearest))) {
                nearest = &fact;
            }
        }
        return nearest;
    }

    std::uint64_t distance(const StoredFact& fact) const {
        const std::int64_t begin = match_.use.span.begin;
        return static_cast<std::uint64_t>(fact.time_us > begin ? fact.time_us - begin : begin - fact.time_us);
    }

    void set_name(const std::string& name, const StoredFact& proof) {
        if (!model.name && !name.empty()) {
            model.name = name;
            prove(proof);
        }
    }

    void find_runtime_id() {
        for (const logs::ModelBinding& binding : match_.use.bindings) {
            model.runtime_id = binding.model_id;
            prove(*binding.bound_by);
            set_name(binding.bound_by->fact.model_name, *binding.bound_by);
        }
        for (const StoredFact* fact : match_.use.facts) {
            if (!model.runtime_id && fact->fact.kind == FactKind::model_of_task) {
                model.runtime_id = fact->fact.model_id;
                prove(*fact);
            }
        }
    }

    /// GE's set-up of the stream: from 2023 on with the model id; before, the model file that the same thread was
    /// loading.
    void find_ge_id(const TaskQuery& query) {
        const std::uint64_t stream = *query.stream_id;
        const auto is_set_up = [this, stream](const StoredFact& fact) {
            return fact.fact.stream_id == stream && match_.use.window.span.contains(fact.time_us);
        };
        if (const StoredFact* set_up = nearest_fact(FactKind::ge_model_stream, is_set_up)) {
            if (set_up->fact.ge_model_id) {
                model.ge_id = set_up->fact.ge_model_id;
                prove(*set_up);
            } else {
                find_ge_id_by_load(*set_up);
            }
        }
    }

    void find_ge_id_by_load(const StoredFact& set_up) {
        const StoredFact* begin = nullptr;
        for (const StoredFact& fact : process_.facts) {
            if (fact.tid != set_up.tid) {
                continue;
            }
            if (fact.fact.kind == FactKind::model_load_begin) {
                begin = fact.time_us <= set_up.time_us ? &fact : begin;
            } else if (fact.fact.kind == FactKind::model_load_end && fact.time_us >= set_up.time_us) {
                if (begin != nullptr && fact.fact.ge_model_id) {
                    model.ge_id = fact.fact.ge_model_id;
                    prove(set_up);
                    prove(fact);
                }
                return;
            } else if (fact.fact.kind == FactKind::model_load_end) {
                begin = nullptr;
            }
        }
    }

    void find_name() {
        if (model.runtime_id) {
            const auto same = [this](const StoredFact& fact) { return fact.fact.model_id == model.runtime_id; };
            if (const StoredFact* fact = nearest_fact(FactKind::runtime_model, same)) {
                set_name(fact->fact.model_name, *fact);
            }
        }
        if (model.ge_id) {
            find_graph_and_name();
        }
        find_name_of_stream();
        find_name_of_file();
        find_graph_name();
    }

    void find_graph_and_name() {
        const auto has_graph = [this](const StoredFact& fact) {
            return fact.fact.ge_model_id == model.ge_id && fact.fact.graph_id.has_value();
        };
        if (const StoredFact* fact = nearest_fact(FactKind::ge_model, has_graph)) {
            model.graph_id = fact->fact.graph_id;
            prove(*fact);
        }
        const auto has_name = [this](const StoredFact& fact) {
            return fact.fact.ge_model_id == model.ge_id && !fact.fact.model_name.empty();
        };
        if (const StoredFact* fact = nearest_fact(FactKind::ge_model, has_name)) {
            set_name(fact->fact.model_name, *fact);
        }
    }

    void find_name_of_stream() {
        const StoredFact* fact = nearest_fact(FactKind::model_of_stream, [this](const StoredFact& f) {
            return !match_.use.facts.empty() && f.fact.stream_id == match_.use.facts.front()->fact.stream_id &&
                   match_.use.window.span.contains(f.time_us);
        });
        if (fact != nullptr) {
            set_name(fact->fact.model_name, *fact);
        }
    }

    /// "../model/resnet50.om" → "resnet50".
    void find_name_of_file() {
        const StoredFact* fact =
            model.ge_id ? nearest_fact(FactKind::model_load_end,
                                       [this](const StoredFact& f) { return f.fact.ge_model_id == model.ge_id; })
                        : nullptr;
        if (fact != nullptr) {
            const std::string_view name = file_name_of(fact->fact.model_file);
            set_name(std::string(name.substr(0, name.rfind('.'))), *fact);
        }
    }

    void find_graph_name() {
        if (!model.graph_id) {
            return;
        }
        const auto same = [this](const StoredFact& fact) { return fact.fact.graph_id == model.graph_id; };
        if (const StoredFact* fact = nearest_fact(FactKind::graph_name, same)) {
            set_name(fact->fact.model_name, *fact);
        }
    }

    const TaskMatch& match_;
    const TaskMap::Contents& map_;
    const Process& process_;
};

bool binds_any_model(const Process& process) {
    return std::any_of(process.facts.begin(), process.facts.end(),
                       [](const StoredFact& fact) { return fact.fact.kind == FactKind::model_bind; });
}

/// Settles the runtime id between record and log.
void compare_ids(LocatedModel& model, const TaskMatch& match, const TaskQuery& query,
                 std::vector<Diagnostic>& diagnostics) {
    if (model.runtime_id && query.model_id && *model.runtime_id != *query.model_id) {
        const bool is_ge = model.ge_id == query.model_id;
        diagnostics.push_back(
            {is_ge ? Severity::info : Severity::warning, "model_id_differs",
             fmt::format("the record says model {}, the log binds stream {} to runtime model {}; {}", *query.model_id,
                         *query.stream_id, *model.runtime_id,
                         is_ge ? "the record's number is GE's id of this model" : "the log's number is shown")});
    } else if (!model.runtime_id && binds_any_model(*match.process)) {
        if (query.model_id) {
            diagnostics.push_back({Severity::info, "stream_without_model",
                                   fmt::format("the record says model {}, but the log, which shows bindings, binds "
                                               "stream {} to no model at that time: the "
                                               "task was executed singly or by a dynamic graph",
                                               *query.model_id, *query.stream_id)});
        }
    } else if (!model.runtime_id) {
        model.runtime_id = query.model_id;
    }
}

}  // namespace

std::optional<LocatedModel> model_of_match(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                                           std::vector<Diagnostic>& diagnostics) {
    ModelTrail trail(match, map);
    trail.follow(query);
    LocatedModel model = std::move(trail.model);
    compare_ids(model, match, query, diagnostics);
    if (!model.name && !model.runtime_id && !model.ge_id && !model.graph_id) {
        return std::nullopt;
    }
    return model;
}

}  // namespace opdebug::locate_stage
