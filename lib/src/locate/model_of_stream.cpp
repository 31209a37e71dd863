// The model without a line of the host on the task: by the device's table, by its stream, and by folders above the
// dump.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "locate/kernel_name.hpp"
#include "locate/models.hpp"
#include "logs/lookup/devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::ModelBinding;
using logs::Process;
using logs::StoredFact;

bool has_model_line(const Lookup& lookup, const TaskMatch& place) {
    const Process& process = *place.process;
    const logs::Places set_up = lookup.index().facts(process, logs::About::set_up, lookup.stream());
    const logs::Places inside = logs::places_inside(process, set_up, place.use.window.span);
    return std::any_of(inside.begin(), inside.end(), [&](std::uint32_t line) {
        const logs::Fact& fact = process.facts[line].fact;
        const bool is_its = !place.device || !fact.device_id || fact.device_id == place.device;
        // Of a rotated log the first set-up may be of a later model.
        const bool is_before = !place.time_us || process.facts[line].time_us <= *place.time_us + kClockDifferenceUs;
        return is_before && is_its && !fact.task_id && fact.device_id != logs::kOfflineDevice;
    });
}

/// By its bindings; without them, by GE's lines.
bool lost_its_model(const logs::WindowHistory& history, std::int64_t time_us) {
    const std::vector<ModelBinding>& bindings = history.bindings;
    const auto& loads = history.ge_loads;
    return bindings.empty() ? !loads.empty() && loads.back().unloaded_by != nullptr && loads.back().span.end <= time_us
                            : bindings.back().unbound_by != nullptr && bindings.back().span.end <= time_us;
}

/// One window of the stream, at a time inside it; without a time, at any.
void look_into(const Lookup& lookup, const logs::WindowHistory& history, StreamState& state) {
    TaskMatch& place = state.place;
    const std::vector<ModelBinding>& bindings = history.bindings;
    place.use.window = history.window;
    place.use.span = history.window.span;
    for (const ModelBinding& binding : bindings) {
        if (!place.time_us || binding.span.contains(*place.time_us)) {
            place.use.bindings = {binding};
            place.use.span = binding.span;
            place.use.persistent = true;
        }
    }
    for (const logs::GeLoad& load : history.ge_loads) {
        place.use.span = place.time_us && load.span.contains(*place.time_us) ? load.span : place.use.span;
    }
    const bool is_sure = place.time_us || bindings.size() == 1;
    state.is_closed = place.time_us && place.use.bindings.empty() && lost_its_model(history, *place.time_us);
    state.names_model = !state.is_closed && is_sure && (!place.use.bindings.empty() || has_model_line(lookup, place));
}

StreamState state_at(const Lookup& lookup, const Process& process, logs::DeviceFilter device,
                     std::optional<std::int64_t> time_us) {
    StreamState state;
    state.place.process = &process;
    state.place.device = device;
    state.place.time_us = time_us;
    const auto windows = lookup.index().history(process, lookup.stream(), device);
    const auto its = std::find_if(windows->begin(), windows->end(), [&time_us](const logs::WindowHistory& window) {
        return !time_us || *time_us < window.window.span.end;
    });
    state.is_closed = time_us && std::any_of(windows->begin(), its, [](const logs::WindowHistory& earlier) {
                          return earlier.window.closed_by != nullptr;
                      });
    if (its != windows->end() && (time_us ? its->window.span.contains(*time_us) : windows->size() == 1)) {
        look_into(lookup, *its, state);
    }
    return state;
}

bool is_same_model(const LocatedModel& a, const LocatedModel& b) {
    return a.name == b.name && a.runtime_id == b.runtime_id && a.ge_id == b.ge_id;
}

LocalizedText described(const LocatedModel& model) {
    std::vector<LocalizedText> ids;
    if (model.runtime_id) {
        ids.push_back(remarks::phrase("runtime_model", {{"model", *model.runtime_id}}));
    }
    if (model.ge_id) {
        ids.push_back(remarks::phrase("ge_model", {{"model", *model.ge_id}}));
    }
    const std::string name = model.name ? fmt::format(" \"{}\"", *model.name) : std::string();
    return remarks::joined({remarks::joined(ids, {", ", "，"}), {name, name}}, {});
}

/// Whether the lines on the stream, or else those on the process, are of the dump's device.
int points_of_device(const TaskMatch& place, const Lookup& lookup) {
    const auto is_of_dump = [&](logs::DeviceFilter device) {
        return logs::is_seen_as(*place.process, device, lookup.dump.path_ids.device_id, time_in_run(place));
    };
    if (place.device) {
        return is_of_dump(place.device) ? 2 : 0;
    }
    const std::vector<std::uint64_t>& devices = lookup.index().own_devices(*place.process);
    return std::any_of(devices.begin(), devices.end(), is_of_dump) ? 1 : 0;
}

/// The line that binds the stream, and the lines on its model. GE's line names the model that is being loaded, so it is
/// of the model to which the stream is bound then. Without a binding it may be of an earlier or later model, because
/// streams are reused.
void add_lines_of_stream(const TaskMatch& match, const Lookup& lookup, DeviceLines& lines) {
    if (match.use.bindings.size() != 1) {
        return;
    }
    const Process& process = *match.process;
    const ModelBinding& binding = match.use.bindings.front();
    lines.push_back(binding.bound_by);
    for (const logs::Places known : {lookup.index().facts(process, logs::About::runtime_model, binding.model_id),
                                     lookup.index().facts(process, logs::About::model_of_stream, lookup.stream())}) {
        for (const std::uint32_t place : logs::places_inside(process, known, binding.span)) {
            lines.push_back(&process.facts[place]);
        }
    }
}

}  // namespace

std::vector<StreamState> stream_states(const Lookup& lookup) {
    std::vector<StreamState> states;
    for (const std::uint32_t number : lookup.index().processes(logs::About::stream, lookup.stream())) {
        const Process& process = lookup.map.processes[number];
        const bool is_mentioned =
            !process.of_task.of(lookup.key()).empty() || !process.of_stream.of(lookup.stream()).empty();
        if (process.on_device || !is_mentioned) {
            continue;
        }
        const std::optional<std::int64_t> time_us = time_in(process, lookup);
        for (const logs::DeviceFilter device : devices_to_search(process, lookup)) {
            states.push_back(state_at(lookup, process, device, time_us));
        }
    }
    return states;
}

bool is_denied(const DeviceFact& said, const std::vector<StreamState>& states) {
    bool is_closed = false;
    for (const StreamState& state : states) {
        if (fits(said, state.place)) {
            if (!state.is_closed) {
                return false;
            }
            is_closed = true;
        }
    }
    return is_closed;
}

std::optional<LocatedModel> model_of_stream(const std::vector<StreamState>& states,
                                            const std::vector<DeviceFact>& device, const Lookup& lookup,
                                            std::vector<Diagnostic>& diagnostics) {
    const auto fit = [&](const StreamState& state) {
        const bool is_of_device_log = std::any_of(device.begin(), device.end(), [&state](const DeviceFact& fact) {
            return fact.process->host_pid && fact.process->host_pid == state.place.process->pid;
        });
        const auto& bindings = state.place.use.bindings;
        const bool is_of_record = !bindings.empty() && bindings.front().model_id == lookup.query.model_id;
        return !state.names_model
                   ? -1
                   : (is_of_device_log ? 8 : 0) + (is_of_record ? 4 : 0) + points_of_device(state.place, lookup);
    };
    int best = 0;
    for (const StreamState& state : states) {
        best = std::max(best, fit(state));
    }
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> said;
    for (const StreamState& state : states) {
        if (fit(state) < best) {
            continue;
        }
        std::vector<Diagnostic> of_this;
        std::optional<LocatedModel> further = model_of_match(state.place, lookup, nullptr, of_this);
        drop_contradicted(lookup, further);
        if (model && further && !is_same_model(*model, *further)) {
            diagnostics.push_back(remarks::diagnose(
                "model_ambiguous",
                {{"stream", lookup.stream()}, {"one", described(*model)}, {"other", described(*further)}}));
            return std::nullopt;
        }
        if (further && !model) {
            model = std::move(further);
            said = std::move(of_this);
        }
    }
    std::move(said.begin(), said.end(), std::back_inserter(diagnostics));
    return model;
}

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
        for (const logs::LogPlace& earlier : said->completed_by) {
            model->evidence.push_back(lookup.evidence(*said, earlier));
        }
        model->evidence.push_back(lookup.evidence(*said));
        return;
    }
}

void remark_named_elsewhere(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const logs::Places processes = lookup.index().processes(logs::About::named_model, *lookup.query.model_id);
    if (processes.empty()) {
        return;
    }
    const Process& process = lookup.map.processes[processes.front()];
    const logs::Places lines = lookup.index().facts(process, logs::About::named_model, *lookup.query.model_id);
    const StoredFact& fact = process.facts[lines.front()];
    diagnostics.push_back(remarks::diagnose("model_named_elsewhere", {{"pid", process.pid},
                                                                      {"model", *lookup.query.model_id},
                                                                      {"name", fact.fact.model_name},
                                                                      {"line", lookup.at(fact)},
                                                                      {"stream", lookup.stream()}}));
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
        text += fmt::format("{} carries model id {}, not the record's {}: read as GE's id (inferred)",
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

void drop_contradicted(const Lookup& lookup, std::optional<LocatedModel>& model) {
    if (model && model->name && names_other_model(lookup.dump, model)) {
        model.reset();
    }
    const std::optional<std::uint64_t>& number = lookup.dump.path_ids.model_id;
    const std::optional<std::uint64_t>& of_record = lookup.query.model_id;
    if (model && number && of_record && number != of_record && model->ge_id && model->ge_id != number) {
        model->ge_id.reset();
        model->graph_id.reset();
    }
}

void remark_model_folder(const TaskMatch* match, const OperatorAnswer* answer, const DeviceLines& device,
                         const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    DeviceLines lines;
    if (match != nullptr) {
        add_lines_of_stream(*match, lookup, lines);
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
        diagnostics.push_back(remarks::diagnose(
            "model_differs", {{"folder", folder}, {"line", lookup.at(named)}, {"name", other->fact.model_name}}));
    }
}

}  // namespace opdebug::locate_stage
