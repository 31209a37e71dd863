#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "locate/answers.hpp"
#include "locate/kernel_name.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/devices.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::About;
using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// Collects the model step by step, each step with the line that proves it.
class ModelTrail {
public:
    ModelTrail(const Candidate& candidate, const Lookup& lookup)
        : candidate_(candidate), lookup_(lookup), process_(*candidate.process) {}

    void find_ids(const OperatorAnswer* answer) {
        find_runtime_id();
        for (const StoredFact* fact :
             candidate_.use.facts) {  // launches of dynamic graphs, completed by their thread's line
            set(model.ge_id, fact->fact.ge_model_id, *fact);
        }
        find_ids_of_kernel(answer);
        if (!is_executed_singly()) {
            find_ids_of_stream();
        }
        pair_ids();
    }

    /// What names a model is logged while it is loaded, by each of its numbers.
    void find_name() {
        set_name(nearest(About::runtime_model, model.runtime_id));
        if (const StoredFact* fact = nearest(About::ge_model_with_graph, model.ge_id)) {
            model.graph_id.reset();
            set(model.graph_id, fact->fact.graph_id, *fact);
        }
        set_name(nearest(About::ge_model_with_name, model.ge_id));
        if (!is_executed_singly()) {
            set_name(nearest(About::model_of_stream, lookup_.stream(), load_of_stream()));
        }
        if (const StoredFact* fact = nearest(About::load_end_of_model, model.ge_id)) {
            const std::string_view name = file_name_of(fact->fact.model_file);  // "../model/resnet50.om" → "resnet50"
            set(model.name, std::optional(std::string(name.substr(0, name.rfind('.')))), *fact);
        }
        set_name(nearest(About::graph, model.graph_id));
    }

    LocatedModel model;

private:
    /// Lines on the stream as a whole are then of a model that has it at another time.
    bool is_executed_singly() const {
        const auto& facts = candidate_.use.facts;
        return candidate_.use.bindings.empty() &&
               (lookup_.query.is_without_model || std::any_of(facts.begin(), facts.end(), [](const StoredFact* fact) {
                    return fact->fact.kind == FactKind::operator_of_task &&
                           statement_of(fact->fact) == Statement::execution_trace;
                }));
    }

    void prove(const StoredFact& fact) { lookup_.prove(fact, model.evidence); }

    /// A member that is not known yet.
    template <class T>
    void set(std::optional<T>& member, const std::optional<T>& value, const StoredFact& line) {
        if (!member && value) {
            member = value;
            prove(line);
        }
    }

    void set_name(const StoredFact* line) {
        if (line != nullptr && !line->fact.model_name.empty()) {
            set(model.name, std::optional(line->fact.model_name), *line);
        }
    }

    /// Of the facts about the model, graph or stream of that number, the one nearest to the use's begin. Null: none.
    const StoredFact* nearest(About about, std::optional<std::uint64_t> number, const logs::Span& span = {}) const {
        if (!number) {
            return nullptr;
        }
        const logs::Places places =
            logs::places_inside(process_, lookup_.index().facts(process_, about, *number), span);
        return logs::nearest_fact(process_, places, candidate_.use.span.begin, [this, about](const StoredFact& fact) {
            return !is_of_other_device(about, fact) && !is_of_other_model(fact);
        });
    }

    /// Streams and the runtime's models are numbered by device. A line on a stream has its device already, where the
    /// stream is set up on several; else any thread may write it.
    bool is_of_other_device(About about, const StoredFact& fact) const {
        logs::DeviceFilter of_line;
        switch (about) {
            case About::set_up:
            case About::set_up_for_ge_model:
            case About::set_up_for_runtime_model:
            case About::model_of_stream: of_line = logs::device_by_line(fact.fact); break;
            case About::runtime_model:
            case About::execution_of_runtime_model:
                of_line = candidate_.device ? logs::device_of_model_line(process_, fact) : std::nullopt;
                break;
            default: break;
        }
        return candidate_.device && of_line && of_line != candidate_.device;
    }

    auto is_earlier() const {
        return [this](std::int64_t time, std::uint32_t place) { return time < process_.facts[place].time_us; };
    }

    /// Whether the id of the line means another model: a run of the process, or a model of that id, ended in between.
    bool is_of_other_model(const StoredFact& fact) const {
        const auto [begin, end] = std::minmax(fact.time_us, candidate_.use.span.begin);
        const auto run = std::upper_bound(process_.run_begins.begin(), process_.run_begins.end(), begin);
        return (run != process_.run_begins.end() && *run <= end) ||
               ends_between(About::end_of_runtime_model, fact.fact.model_id, begin, end) ||
               ends_between(About::end_of_ge_model, fact.fact.ge_model_id, begin, end);
    }

    /// After `begin`, not after `end`.
    bool ends_between(About about, const std::optional<std::uint64_t>& id, std::int64_t begin, std::int64_t end) const {
        const logs::Places ends = id ? lookup_.index().facts(process_, about, *id) : logs::Places();
        const auto next = std::upper_bound(ends.begin(), ends.end(), begin, is_earlier());
        if (next == ends.end() || process_.facts[*next].time_us > end) {
            return false;
        }
        if (about == About::end_of_ge_model || !logs::ends_model_elsewhere(process_, *next, candidate_.device)) {
            return true;
        }
        const std::vector<std::uint32_t>& here = ends_here(*id, ends);
        const auto its = std::upper_bound(here.begin(), here.end(), begin, is_earlier());
        return its != here.end() && process_.facts[*its].time_us <= end;
    }

    /// Of the ends of a runtime model, those that may be of the device. Cached, because each line on the model needs
    /// them, and both may be thousands.
    const std::vector<std::uint32_t>& ends_here(std::uint64_t id, logs::Places ends) const {
        const auto [known, is_new] = ends_here_.try_emplace(id);
        if (is_new) {
            std::copy_if(ends.begin(), ends.end(), std::back_inserter(known->second), [this](std::uint32_t place) {
                return !logs::ends_model_elsewhere(process_, place, candidate_.device);
            });
        }
        return known->second;
    }

    /// Of the time of the stream, the part of the load that contains the use: from GE's last set-up before it to the
    /// next. The full time where the stream is set up on several devices: which set-up belongs to which device is
    /// unsure.
    logs::Span load_of_stream() const {
        const logs::Span& window = candidate_.use.window.span;
        const logs::Places set_ups =
            logs::places_inside(process_, lookup_.index().facts(process_, About::set_up, lookup_.stream()), window);
        const auto next = std::upper_bound(set_ups.begin(), set_ups.end(), candidate_.use.span.begin, is_earlier());
        if (next == set_ups.begin() || process_.shared_streams.count(lookup_.stream()) != 0) {
            return window;
        }
        return {process_.facts[*(next - 1)].time_us,
                next != set_ups.end() ? process_.facts[*next].time_us : window.end};
    }

    void find_runtime_id() {
        for (const logs::ModelBinding& binding : candidate_.use.bindings) {
            model.runtime_id = binding.model_id;
            prove(*binding.bound_by);
            set_name(binding.bound_by);
        }
        // Of a task, lines made for it come first; the line of a failure may have been completed by that of its model.
        for (const FactKind kind : {FactKind::model_of_task, FactKind::fault_kernel}) {
            for (const StoredFact* fact : candidate_.use.facts) {
                if (fact->fact.kind == kind) {
                    set(model.runtime_id, fact->fact.model_id, *fact);
                }
            }
        }
    }

    /// GE's set-up of the stream: from 2023 on with a model id, since 2025 another line with the runtime's.
    void find_ids_of_stream() {
        const logs::Span span = span_of_set_up();
        if (const StoredFact* of_runtime = nearest(About::set_up_for_runtime_model, lookup_.stream(), span)) {
            set(model.runtime_id, of_runtime->fact.model_id, *of_runtime);
        }
        if (const StoredFact* of_ge = nearest(About::set_up_for_ge_model, lookup_.stream(), span)) {
            set(model.ge_id, of_ge->fact.ge_model_id, *of_ge);
        }
    }

    /// GE binds a stream right after it sets it up. A line that is far from the binding is of another load.
    logs::Span span_of_set_up() const {
        constexpr std::int64_t kSetUpUs = 10'000'000;
        logs::Span span = candidate_.use.window.span;
        if (!candidate_.use.bindings.empty()) {
            const std::int64_t bound_us = candidate_.use.bindings.front().bound_by->time_us;
            span.begin = std::max(span.begin, bound_us - kSetUpUs);
            span.end = std::min(span.end, bound_us + kSetUpUs);
        }
        return span;
    }

    /// Until 2022 the numbers before the kernel's name hold the model of GE, or the graph of a session.
    void find_ids_of_kernel(const OperatorAnswer* answer) {
        const std::optional<std::string_view> node =
            answer != nullptr && answer->name ? std::optional<std::string_view>(*answer->name) : std::nullopt;
        for (const StoredFact* fact : candidate_.use.facts) {
            if (fact->fact.kind == FactKind::kernel_of_task || fact->fact.kind == FactKind::fault_kernel) {
                set(model.ge_id, ge_model_of_kernel(fact->fact.kernel_name, node), *fact);
                set(model.graph_id, model.ge_id ? std::nullopt : graph_of_kernel(fact->fact.kernel_name, node), *fact);
            }
        }
    }

    /// Lines on an execution that hold both numbers lead from one to the other.
    void pair_ids() {
        if (model.ge_id.has_value() == model.runtime_id.has_value()) {
            return;
        }
        const StoredFact* pair = model.ge_id ? nearest(About::execution_of_ge_model, model.ge_id)
                                             : nearest(About::execution_of_runtime_model, model.runtime_id);
        if (pair != nullptr) {
            model.ge_id = pair->fact.ge_model_id;
            model.runtime_id = pair->fact.model_id;
            prove(*pair);
        }
    }

    const Candidate& candidate_;
    const Lookup& lookup_;
    const Process& process_;
    mutable std::map<std::uint64_t, std::vector<std::uint32_t>> ends_here_{};  ///< by model
};

/// Settles the runtime id between record and log, and remarks which of the two numbers the record's is.
void compare_ids(LocatedModel& model, const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    const std::optional<std::uint64_t>& id = lookup.query.model_id;
    if (!id || model.runtime_id == id) {
        return;
    }
    if (!model.runtime_id && model.ge_id != id && !lookup.index().binds_models(*candidate.process)) {
        model.runtime_id = id;
        return;
    }
    const char* remark = model.ge_id != id  ? (model.runtime_id ? "model_id_differs" : "stream_without_model")
                         : model.runtime_id ? "model_id_differs.ge"
                                            : "model_id_is_ge";
    lookup.remark(diagnostics, remark, {{"model", *id}, {"log_model", model.runtime_id.value_or(0)}});
}

}  // namespace

std::optional<LocatedModel> model_of_candidate(const Candidate& candidate, const Lookup& lookup,
                                               const OperatorAnswer* answer, Diagnostics& diagnostics) {
    ModelTrail trail(candidate, lookup);
    trail.find_ids(answer);
    if (!candidate.use.facts.empty() || !candidate.use.bindings.empty()) {
        compare_ids(trail.model, candidate, lookup, diagnostics);
    }
    trail.find_name();
    const LocatedModel& model = trail.model;
    const bool is_known = model.name || model.runtime_id || model.ge_id || model.graph_id;
    return is_known ? std::optional(std::move(trail.model)) : std::nullopt;
}

}  // namespace opdebug::locate_stage
