#include "locate/stream_state.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "locate/clock_offset.hpp"
#include "locate/model_from_logs.hpp"
#include "locate/model_of_path.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::ModelBinding;
using logs::Process;
using logs::StreamWindow;

bool has_model_line(const TaskMap::Contents& map, const TaskMatch& place, std::uint64_t stream,
                    const StreamWindow& window) {
    const Process& process = *place.process;
    const logs::Places set_up = map.index().facts(process, logs::About::set_up, stream);
    const logs::Places inside = logs::places_inside(process, set_up, window.span);
    return std::any_of(inside.begin(), inside.end(), [&](std::uint32_t line) {
        const logs::Fact& fact = process.facts[line].fact;
        const bool is_its = !place.device || !fact.device_id || fact.device_id == place.device;
        // Of a rotated log the first set-up may be of a later model.
        const bool is_before = !place.time_us || process.facts[line].time_us <= *place.time_us + kClockDifferenceUs;
        return is_before && is_its && !fact.task_id && fact.device_id != logs::kOfflineDevice;
    });
}

/// By its bindings, or what GE says where there is none.
bool lost_its_model(const logs::WindowHistory& history, std::int64_t time_us) {
    const std::vector<ModelBinding>& bindings = history.bindings;
    const auto& loads = history.ge_loads;
    return bindings.empty() ? !loads.empty() && loads.back().unloaded_by != nullptr && loads.back().span.end <= time_us
                            : bindings.back().unbound_by != nullptr && bindings.back().span.end <= time_us;
}

/// One window of the stream, at a time inside it; without a time, at any.
void look_into(const TaskMap::Contents& map, const logs::WindowHistory& history, std::uint64_t stream,
               StreamState& state) {
    TaskMatch& place = state.place;
    const StreamWindow& window = history.window;
    const std::vector<ModelBinding>& bindings = history.bindings;
    place.use.window = window;
    place.use.span = window.span;
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
    state.names_model =
        !state.is_closed && is_sure && (!place.use.bindings.empty() || has_model_line(map, place, stream, window));
}

StreamState state_at(const TaskMap::Contents& map, const Process& process, std::uint64_t stream,
                     logs::DeviceFilter device, const LocalTime* local) {
    const auto time_us = local != nullptr ? std::optional(local->time_us) : std::nullopt;
    StreamState state;
    state.place.process = &process;
    state.place.device = device;
    state.place.time_us = time_us;
    state.place.fit.is_zone_inferred = local != nullptr && local->is_inferred;
    const auto windows = map.index().history(process, stream, device);
    if (!time_us) {
        if (windows->size() == 1) {
            look_into(map, windows->front(), stream, state);
        }
        return state;
    }
    const auto next = std::upper_bound(
        windows->begin(), windows->end(), *time_us,
        [](std::int64_t time, const logs::WindowHistory& later) { return time < later.window.span.end; });
    state.is_closed = std::any_of(std::make_reverse_iterator(next), windows->rend(),
                                  [](const auto& earlier) { return earlier.window.closed_by != nullptr; });
    if (next != windows->end() && next->window.span.contains(*time_us)) {
        look_into(map, *next, stream, state);
    }
    return state;
}

bool mentions(const Process& process, const TaskQuery& query) {
    return !process.of_task.of({*query.stream_id, *query.task_id}).empty() ||
           !process.of_stream.of(*query.stream_id).empty();
}

/// Whether the lines on the stream, or else those on the process, are of the dump's device.
int fit_of_device(const TaskMatch& place, const TaskMap::Contents& map, const Dump& dump) {
    const auto is_dumps = [&](logs::DeviceFilter device) {
        return logs::is_seen_as(*place.process, device, dump.path_ids.device_id, time_in_run(place));
    };
    if (place.device) {
        return is_dumps(place.device) ? 2 : 0;
    }
    const std::vector<std::uint64_t>& devices = map.index().own_devices(*place.process);
    return std::any_of(devices.begin(), devices.end(), is_dumps) ? 1 : 0;
}

/// How well a state fits the record and the dump's folder; the device's own host process comes first.
int fit(const StreamState& state, const std::vector<DeviceFact>& device, const TaskMap::Contents& map, const Dump& dump,
        const TaskQuery& query) {
    const bool is_host = std::any_of(device.begin(), device.end(), [&state](const DeviceFact& fact) {
        return fact.process->host_pid && fact.process->host_pid == state.place.process->pid;
    });
    const auto& bindings = state.place.use.bindings;
    const bool is_model = query.model_id && !bindings.empty() && bindings.front().model_id == *query.model_id;
    return (is_host ? 8 : 0) + (is_model ? 4 : 0) + fit_of_device(state.place, map, dump);
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

}  // namespace

std::vector<StreamState> stream_states(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                                       const LocateOptions& options) {
    std::vector<StreamState> states;
    for (const std::uint32_t number : map.index().processes(logs::About::stream, *query.stream_id)) {
        const Process& process = map.processes[number];
        if (process.on_device || !mentions(process, query)) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        const bool is_comparable = !times.empty() && !times.front().unrelated;
        const LocalTime* const time = is_comparable ? &times.front() : nullptr;
        for (const logs::DeviceFilter device : devices_to_search(process, {*query.stream_id, *query.task_id}, dump)) {
            states.push_back(state_at(map, process, *query.stream_id, device, time));
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
                                            const std::vector<DeviceFact>& device, const Dump& dump,
                                            const TaskQuery& query, const TaskMap::Contents& map,
                                            std::vector<Diagnostic>& diagnostics) {
    int best = 0;
    for (const StreamState& state : states) {
        best = state.names_model ? std::max(best, fit(state, device, map, dump, query)) : best;
    }
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> remarks;
    for (const StreamState& state : states) {
        if (!state.names_model || fit(state, device, map, dump, query) < best) {
            continue;
        }
        std::vector<Diagnostic> of_this;
        std::optional<LocatedModel> further = model_of_match(state.place, query, nullptr, map, of_this);
        drop_contradicted(dump, query, further);
        if (model && further && !is_same_model(*model, *further)) {
            diagnostics.push_back(remarks::diagnose(
                "model_ambiguous",
                {{"stream", *query.stream_id}, {"one", described(*model)}, {"other", described(*further)}}));
            return std::nullopt;
        }
        if (further && !model) {
            model = std::move(further);
            remarks = std::move(of_this);
        }
    }
    std::move(remarks.begin(), remarks.end(), std::back_inserter(diagnostics));
    return model;
}

}  // namespace opdebug::locate_stage
