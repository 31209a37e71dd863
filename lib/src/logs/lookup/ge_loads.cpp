#include "logs/lookup/ge_loads.hpp"

#include <algorithm>

namespace opdebug::logs {
namespace {

/// The first unloading of the model from a time on; null: there is none.
const StoredFact* unloading_behind(const Process& process, std::uint64_t ge_model_id, std::int64_t time) {
    const Places ends = process.of_ge_model_end.of(ge_model_id);
    const auto end = std::lower_bound(
        ends.begin(), ends.end(), time,
        [&process](std::uint32_t place, std::int64_t begin) { return process.facts[place].time_us < begin; });
    return end != ends.end() ? &process.facts[*end] : nullptr;
}

}  // namespace

std::vector<GeLoad> ge_loads(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                             DeviceFilter device) {
    std::vector<GeLoad> loads;
    for (const StoredFact* fact : facts_inside(process, process.of_stream.of(stream_id), window.span, device)) {
        if (fact->fact.kind != FactKind::ge_model_stream || !fact->fact.ge_model_id) {
            continue;
        }
        const std::uint64_t model = *fact->fact.ge_model_id;
        if (!loads.empty() && loads.back().span.contains(fact->time_us)) {
            if (loads.back().ge_model_id == model) {
                continue;
            }
            loads.back().span.end = fact->time_us;
            loads.back().unloaded_by = nullptr;
        }
        const StoredFact* const end = unloading_behind(process, model, fact->time_us);
        const bool ends = end != nullptr && end->time_us < window.span.end;
        loads.push_back({{fact->time_us, ends ? end->time_us : window.span.end}, model, ends ? end : nullptr});
    }
    return loads;
}

}  // namespace opdebug::logs
