#include "locate/model_from_logs.hpp"

#include <algorithm>
#include <iterator>

#include "locate/kernel_name.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/model_devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::About;
using logs::Fact;
using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// Collects the model step by step, each step with the line that proves it.
class ModelTrail {
public:
    ModelTrail(const TaskMatch& match, const TaskMap::Contents& map)
        : match_(match),
          map_(map),
          process_(*match.process),
          facts_(map, *match.process, match.device, match.use.span.begin) {}

    void find_ids(const TaskQuery& query, const OperatorAnswer* answer) {
        find_runtime_id();
        if (!is_executed_singly(query)) {
            find_ids_of_stream(query);
        }
        find_ge_id_of_task();
        find_ids_of_kernel(answer);
        pair_ids();
    }

    void find_name(const TaskQuery& query) {
        if (model.runtime_id) {
            if (const StoredFact* fact = facts_.nearest(About::runtime_model, *model.runtime_id)) {
                set_name(fact->fact.model_name, *fact);
            }
        }
        if (model.ge_id) {
            find_graph_and_name();
        }
        if (!is_executed_singly(query)) {
            find_name_of_stream(*query.stream_id);
        }
        find_name_of_file();
        find_graph_name();
    }

    LocatedModel model;

private:
    /// What is said of the stream as a whole is then of a model that has it at another time.
    bool is_executed_singly(const TaskQuery& query) const {
        if (!match_.use.bindings.empty()) {
            return false;
        }
        return query.is_without_model ||
               std::any_of(match_.use.facts.begin(), match_.use.facts.end(), [](const StoredFact* fact) {
                   return fact->fact.kind == FactKind::operator_of_task &&
                          statement_of(fact->fact) == Statement::execution_trace;
               });
    }

    void prove(const StoredFact& fact) {
        if (fact.completed_by) {
            prove(fact, *fact.completed_by);
        }
        prove(fact, fact.place);
    }

    /// Several steps may rest on one line, which is copied once.
    void prove(const StoredFact& fact, const logs::LogPlace& place) {
        const auto same = [&](const Evidence& e) {
            return e.line.value_or(0) == place.line && e.file == map_.files[place.file];
        };
        if (std::none_of(model.evidence.begin(), model.evidence.end(), same)) {
            model.evidence.push_back(evidence_of(fact, place, map_));
        }
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
        // Of a task, lines made for it come first; the line of a failure may have been completed by that of its model.
        for (const FactKind kind : {FactKind::model_of_task, FactKind::fault_kernel}) {
            for (const StoredFact* fact : match_.use.facts) {
                if (!model.runtime_id && fact->fact.kind == kind && fact->fact.model_id) {
                    model.runtime_id = fact->fact.model_id;
                    prove(*fact);
                }
            }
        }
    }

    /// GE's set-up of the stream: from 2023 on with a model id, since 2025 a further line with the runtime's; before,
    /// the model file that the same thread was loading.
    void find_ids_of_stream(const TaskQuery& query) {
        const std::uint64_t stream = *query.stream_id;
        const logs::Span span = span_of_set_up();
        const StoredFact* of_runtime =
            model.runtime_id ? nullptr : facts_.nearest(About::set_up_for_runtime_model, stream, span);
        if (of_runtime != nullptr) {
            model.runtime_id = of_runtime->fact.model_id;
            prove(*of_runtime);
        }
        if (const StoredFact* set_up = facts_.nearest(About::set_up_for_ge_model, stream, span)) {
            model.ge_id = set_up->fact.ge_model_id;
            prove(*set_up);
        } else if (const StoredFact* without_id = facts_.nearest(About::set_up, stream, span)) {
            find_ge_id_by_load(*without_id);
        }
    }

    /// GE binds a stream right after it sets it up. A line that is far from the binding is of another load.
    logs::Span span_of_set_up() const {
        constexpr std::int64_t kSetUpUs = 10'000'000;
        logs::Span span = match_.use.window.span;
        if (!match_.use.bindings.empty()) {
            const std::int64_t bound_us = match_.use.bindings.front().bound_by->time_us;
            span.begin = std::max(span.begin, bound_us - kSetUpUs);
            span.end = std::min(span.end, bound_us + kSetUpUs);
        }
        return span;
    }

    /// The thread's next end of a load, and its load that was begun last before the set-up and did not end before.
    void find_ge_id_by_load(const StoredFact& set_up) {
        const auto thread = static_cast<std::uint64_t>(set_up.tid);
        const logs::Places ends = map_.index().facts(process_, About::load_end, thread);
        const logs::Places begins = map_.index().facts(process_, About::load_begin, thread);
        const auto end = std::lower_bound(
            ends.begin(), ends.end(), set_up.time_us,
            [this](std::uint32_t place, std::int64_t time) { return process_.facts[place].time_us < time; });
        if (end == ends.end()) {
            return;
        }
        const auto later = std::upper_bound(
            begins.begin(), std::lower_bound(begins.begin(), begins.end(), *end), set_up.time_us,
            [this](std::int64_t time, std::uint32_t place) { return time < process_.facts[place].time_us; });
        const bool is_begun = later != begins.begin() && (end == ends.begin() || *(end - 1) < *(later - 1));
        const StoredFact& loaded = process_.facts[*end];
        if (is_begun && loaded.fact.ge_model_id) {
            model.ge_id = loaded.fact.ge_model_id;
            prove(set_up);
            prove(loaded);
        }
    }

    /// A line on the task itself with GE's number: launches of dynamic graphs, completed by what the thread executes.
    void find_ge_id_of_task() {
        for (const StoredFact* fact : match_.use.facts) {
            if (!model.ge_id && fact->fact.ge_model_id) {
                model.ge_id = fact->fact.ge_model_id;
                prove(*fact);
            }
        }
    }

    /// Until 2022 the numbers in front of the kernel's name hold the model of GE, or the graph of a session.
    void find_ids_of_kernel(const OperatorAnswer* answer) {
        const std::optional<std::string_view> node =
            answer != nullptr && answer->name ? std::optional<std::string_view>(*answer->name) : std::nullopt;
        for (const StoredFact* fact : match_.use.facts) {
            if (fact->fact.kind != FactKind::kernel_of_task && fact->fact.kind != FactKind::fault_kernel) {
                continue;
            }
            const auto ge_id = ge_model_of_kernel(fact->fact.kernel_name, node);
            const auto graph = graph_of_kernel(fact->fact.kernel_name, node);
            if (!model.ge_id && ge_id) {
                model.ge_id = ge_id;
                prove(*fact);
            }
            if (!model.graph_id && graph && !model.ge_id) {
                model.graph_id = graph;
                prove(*fact);
            }
        }
    }

    /// Lines on an execution that hold both numbers lead from one to the other.
    void pair_ids() {
        if (model.ge_id.has_value() == model.runtime_id.has_value()) {
            return;
        }
        const StoredFact* pair = model.ge_id ? facts_.nearest(About::execution_of_ge_model, *model.ge_id)
                                             : facts_.nearest(About::execution_of_runtime_model, *model.runtime_id);
        if (pair != nullptr) {
            model.ge_id = pair->fact.ge_model_id;
            model.runtime_id = pair->fact.model_id;
            prove(*pair);
        }
    }

    void find_graph_and_name() {
        if (const StoredFact* fact = facts_.nearest(About::ge_model_with_graph, *model.ge_id)) {
            model.graph_id = fact->fact.graph_id;
            prove(*fact);
        }
        if (const StoredFact* fact = facts_.nearest(About::ge_model_with_name, *model.ge_id)) {
            set_name(fact->fact.model_name, *fact);
        }
    }

    /// Such a line has no id of its model: it is of the load that set the stream up last before it.
    void find_name_of_stream(std::uint64_t stream) {
        const StoredFact* fact =
            facts_.nearest(About::model_of_stream, stream, facts_.load_of_stream(stream, match_.use.window.span));
        if (fact != nullptr) {
            set_name(fact->fact.model_name, *fact);
        }
    }

    /// "../model/resnet50.om" → "resnet50".
    void find_name_of_file() {
        const StoredFact* fact = model.ge_id ? facts_.nearest(About::load_end_of_model, *model.ge_id) : nullptr;
        if (fact != nullptr) {
            const std::string_view name = file_name_of(fact->fact.model_file);
            set_name(std::string(name.substr(0, name.rfind('.'))), *fact);
        }
    }

    void find_graph_name() {
        if (!model.graph_id) {
            return;
        }
        if (const StoredFact* fact = facts_.nearest(About::graph, *model.graph_id)) {
            set_name(fact->fact.model_name, *fact);
        }
    }

    const TaskMatch& match_;
    const TaskMap::Contents& map_;
    const Process& process_;
    ModelFacts facts_;
};

void remark_other_number(const LocatedModel& model, const TaskQuery& query, std::vector<Diagnostic>& diagnostics) {
    const bool is_ge = model.ge_id == query.model_id;
    diagnostics.push_back(remarks::diagnose(
        is_ge ? "model_id_differs.ge" : "model_id_differs",
        {{"model", *query.model_id}, {"stream", *query.stream_id}, {"log_model", *model.runtime_id}}));
}

/// Settles the runtime id between record and log, and says which of the two numbers the record's is.
void compare_ids(LocatedModel& model, const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                 std::vector<Diagnostic>& diagnostics) {
    if (!query.model_id || model.runtime_id == query.model_id) {
        return;
    }
    if (model.runtime_id) {
        remark_other_number(model, query, diagnostics);
    } else if (model.ge_id == query.model_id) {
        diagnostics.push_back(
            remarks::diagnose("model_id_is_ge", {{"model", *query.model_id}, {"stream", *query.stream_id}}));
    } else if (map.index().binds_models(*match.process)) {
        diagnostics.push_back(
            remarks::diagnose("stream_without_model", {{"model", *query.model_id}, {"stream", *query.stream_id}}));
    } else {
        model.runtime_id = query.model_id;
    }
}

}  // namespace

std::optional<LocatedModel> model_of_match(const TaskMatch& match, const TaskQuery& query, const OperatorAnswer* answer,
                                           const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    ModelTrail trail(match, map);
    trail.find_ids(query, answer);
    compare_ids(trail.model, match, query, map, diagnostics);
    trail.find_name(query);
    LocatedModel model = std::move(trail.model);
    if (!model.name && !model.runtime_id && !model.ge_id && !model.graph_id) {
        return std::nullopt;
    }
    return model;
}

void add_model_of_device(const std::vector<const StoredFact*>& device, const OperatorAnswer* answer,
                         const TaskQuery& query, const TaskMap::Contents& map, std::optional<LocatedModel>& model) {
    for (const StoredFact* said : device) {
        const Fact& fact = said->fact;
        const bool is_its = fact.kind == FactKind::operator_of_task && answer != nullptr && answer->name &&
                            *answer->name == fact.operator_name;
        const bool is_other = model && model->ge_id && fact.ge_model_id && model->ge_id != fact.ge_model_id;
        const bool is_runtimes = fact.ge_model_id == query.model_id || (model && fact.ge_model_id == model->runtime_id);
        const bool adds_id = fact.ge_model_id && !is_runtimes && (!model || !model->ge_id);
        const bool adds_name = !fact.model_name.empty() && (!model || !model->name);
        if (!is_its || is_other || (!adds_id && !adds_name)) {
            continue;
        }
        if (!model) {
            model.emplace();
        }
        model->ge_id = adds_id ? fact.ge_model_id : model->ge_id;
        model->name = adds_name ? std::optional(fact.model_name) : model->name;
        if (said->completed_by) {
            model->evidence.push_back(evidence_of(*said, *said->completed_by, map));
        }
        model->evidence.push_back(evidence_of(*said, map));
        return;
    }
}

void remark_named_elsewhere(const TaskMap::Contents& map, const TaskQuery& query,
                            std::vector<Diagnostic>& diagnostics) {
    const logs::Places processes = map.index().processes(About::named_model, *query.model_id);
    if (processes.empty()) {
        return;
    }
    const Process& process = map.processes[processes.front()];
    const logs::Places lines = map.index().facts(process, About::named_model, *query.model_id);
    const StoredFact& fact = process.facts[lines.front()];
    diagnostics.push_back(remarks::diagnose("model_named_elsewhere", {{"pid", process.pid},
                                                                      {"model", *query.model_id},
                                                                      {"name", fact.fact.model_name},
                                                                      {"file", map.files[fact.place.file]},
                                                                      {"line", fact.place.line},
                                                                      {"stream", *query.stream_id}}));
}

using logs::About;
using logs::Span;
using logs::StoredFact;

namespace {

struct IsEarlier {
    const logs::Process& process;
    bool operator()(std::int64_t time_us, std::uint32_t place) const { return time_us < process.facts[place].time_us; }
};

}  // namespace

const StoredFact* ModelFacts::nearest(About about, std::uint64_t number, const Span& span) const {
    const logs::Places places = logs::places_inside(process_, index_.facts(process_, about, number), span);
    return logs::nearest_fact(process_, places, time_us_, [this, about](const StoredFact& fact) {
        return !is_of_other_device(about, fact) && !is_of_other_model(fact);
    });
}

Span ModelFacts::load_of_stream(std::uint64_t stream_id, Span of_stream) const {
    const logs::Places set_ups =
        logs::places_inside(process_, index_.facts(process_, About::set_up, stream_id), of_stream);
    const auto next = std::upper_bound(
        set_ups.begin(), set_ups.end(), time_us_,
        [this](std::int64_t time, std::uint32_t place) { return time < process_.facts[place].time_us; });
    if (next == set_ups.begin() || process_.shared_streams.count(stream_id) != 0) {
        return of_stream;
    }
    return {process_.facts[*(next - 1)].time_us, next != set_ups.end() ? process_.facts[*next].time_us : of_stream.end};
}

/// Streams and the runtime's models are numbered by device. A line on a stream has its device already, where the stream
/// is set up on several; else any thread may write it.
bool ModelFacts::is_of_other_device(About about, const StoredFact& fact) const {
    switch (about) {
        case About::set_up:
        case About::set_up_for_ge_model:
        case About::set_up_for_runtime_model:
        case About::model_of_stream: {
            const logs::DeviceFilter of_line = logs::device_by_line(fact.fact);
            return device_ && of_line && of_line != device_;
        }
        case About::runtime_model:
        case About::execution_of_runtime_model: {
            const logs::DeviceFilter of_line = device_ ? logs::device_of_model_line(process_, fact) : device_;
            return of_line && of_line != device_;
        }
        default: return false;
    }
}

bool ModelFacts::is_of_other_model(const StoredFact& fact) const {
    // Behind the earlier of the two times, up to the later one.
    const std::int64_t begin = std::min(fact.time_us, time_us_);
    const std::int64_t end = std::max(fact.time_us, time_us_);
    const auto run = std::upper_bound(process_.run_begins.begin(), process_.run_begins.end(), begin);
    const bool is_of_other_run = run != process_.run_begins.end() && *run <= end;
    return is_of_other_run || ends_between(About::end_of_runtime_model, fact.fact.model_id, {begin, end}) ||
           ends_between(About::end_of_ge_model, fact.fact.ge_model_id, {begin, end});
}

bool ModelFacts::ends_between(About end, const std::optional<std::uint64_t>& model, const Span& span) const {
    if (!model) {
        return false;
    }
    const logs::Places ends = index_.facts(process_, end, *model);
    const auto behind = std::upper_bound(ends.begin(), ends.end(), span.begin, IsEarlier{process_});
    if (behind == ends.end() || process_.facts[*behind].time_us > span.end) {
        return false;
    }
    if (end == About::end_of_ge_model || !logs::ends_model_elsewhere(process_, *behind, device_)) {
        return true;
    }
    const std::vector<std::uint32_t>& here = ends_here(*model, ends);
    const auto its = std::upper_bound(here.begin(), here.end(), span.begin, IsEarlier{process_});
    return its != here.end() && process_.facts[*its].time_us <= span.end;
}

const std::vector<std::uint32_t>& ModelFacts::ends_here(std::uint64_t model, logs::Places ends) const {
    const auto [known, is_new] = ends_here_.try_emplace(model);
    if (is_new) {
        std::copy_if(ends.begin(), ends.end(), std::back_inserter(known->second),
                     [this](std::uint32_t place) { return !logs::ends_model_elsewhere(process_, place, device_); });
    }
    return known->second;
}

}  // namespace opdebug::locate_stage
