#include "logs/lookup/stream_window.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace opdebug::logs {
namespace {

/// The first unloading of the model from a time on; null: there is none.
const StoredFact* unloading_after(const Process& process, std::uint64_t ge_model_id, std::int64_t time) {
    const Places ends = process.of_ge_model_end.of(ge_model_id);
    const auto end = std::lower_bound(
        ends.begin(), ends.end(), time,
        [&process](std::uint32_t place, std::int64_t begin) { return process.facts[place].time_us < begin; });
    return end != ends.end() ? &process.facts[*end] : nullptr;
}

/// Those of a stream inside one of its windows, in time order. A second load ends no other one: streams of several
/// devices may have one id, and models can share a stream.
std::vector<GeLoad> ge_loads(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                             DeviceFilter device) {
    std::vector<GeLoad> loads;
    std::map<std::uint64_t, std::size_t> last;  // of each model
    for (const StoredFact* fact : facts_inside(process, process.of_stream.of(stream_id), window.span, device)) {
        if (fact->fact.kind != FactKind::ge_model_stream || !fact->fact.ge_model_id) {
            continue;
        }
        const auto [known, is_new] = last.try_emplace(*fact->fact.ge_model_id, loads.size());
        if (!is_new && loads[known->second].span.contains(fact->time_us)) {
            continue;
        }
        known->second = loads.size();
        const StoredFact* const end = unloading_after(process, *fact->fact.ge_model_id, fact->time_us);
        const bool ends = end != nullptr && end->time_us < window.span.end;
        loads.push_back({{fact->time_us, ends ? end->time_us : window.span.end}, fact});
    }
    return loads;
}

/// GE sets a stream up next to its binding. Where one model is set up there, the binding ends at the latest when that
/// model is unloaded: the runtime's lines on the end may be lost.
void end_with_load(ModelBinding& binding, const std::vector<GeLoad>& loads) {
    constexpr std::uint64_t kSetUpUs = 10'000'000;
    const auto is_its = [&binding](const GeLoad& load) {
        return distance_us(load.span.begin, binding.span.begin) <= kSetUpUs && load.span.end > binding.span.begin;
    };
    const auto load = std::find_if(loads.begin(), loads.end(), is_its);
    if (load != loads.end() && std::count_if(load, loads.end(), is_its) == 1) {
        binding.span.end = std::min(binding.span.end, load->span.end);
    }
}

WindowHistory history_of_window(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                DeviceFilter device) {
    WindowHistory history;
    history.window = window;
    history.bindings = model_bindings(process, stream_id, window, device);
    std::vector<GeLoad> loads = ge_loads(process, stream_id, window, device);
    for (ModelBinding& binding : history.bindings) {
        end_with_load(binding, loads);
    }
    if (history.bindings.empty()) {
        history.ge_loads = std::move(loads);
    }
    return history;
}

}  // namespace

StreamHistory history_of_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device) {
    StreamHistory history;
    for (StreamWindow& window : stream_windows(process, stream_id, device)) {
        const Places of_stream = process.of_stream.of(stream_id);
        if (window.unlogged_since && !places_inside(process, of_stream, unlogged_window(window).span).empty()) {
            WindowHistory earlier = history_of_window(process, stream_id, unlogged_window(window), device);
            if (!earlier.bindings.empty() || !earlier.ge_loads.empty()) {
                history.push_back(std::move(earlier));
                window.unlogged_since.reset();
            }
        }
        history.push_back(history_of_window(process, stream_id, window, device));
    }
    return history;
}

}  // namespace opdebug::logs
