#include "locate/device_lines.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::StoredFact;

/// A device writes the table of a model at once, and may name several operators for one task in it.
constexpr std::int64_t kOneTableUs = 1'000'000;

using Context = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

Context context_of(const StoredFact& fact) {
    return {fact.fact.context_id, fact.fact.thread_id};
}

bool names_operator(const StoredFact& fact) {
    return fact.fact.kind == logs::FactKind::operator_of_task;
}

}  // namespace

void drop_lines_of_past_models(const TaskMatch& match, std::uint64_t stream_id, const TaskMap::Contents& map,
                               std::vector<const StoredFact*>& device) {
    if (!match.time_us || device.empty()) {
        return;
    }
    std::set<std::string_view> past, at_the_time;
    const auto history = map.index().history(*match.process, stream_id, match.device);
    for (const logs::WindowHistory& window : *history) {
        for (const logs::ModelBinding& binding : window.bindings) {
            auto& names = binding.span.contains(*match.time_us) ? at_the_time : past;
            names.insert(binding.bound_by->fact.model_name);
        }
    }
    device.erase(std::remove_if(device.begin(), device.end(),
                                [&](const StoredFact* fact) {
                                    const std::string_view name = fact->fact.model_name;
                                    return !name.empty() && past.contains(name) && !at_the_time.contains(name);
                                }),
                 device.end());
}

std::vector<const StoredFact*> lines_that_hold(std::vector<const StoredFact*> device,
                                               std::optional<std::int64_t> time_us) {
    if (device.empty()) {
        return device;
    }
    std::map<Context, std::int64_t> last;
    for (const StoredFact* fact : device) {
        if (time_us && names_operator(*fact) && fact->time_us <= *time_us + kOneTableUs) {
            const auto [known, is_new] = last.try_emplace(context_of(*fact), fact->time_us);
            known->second = is_new ? known->second : std::max(known->second, fact->time_us);
        }
    }
    // What is named in time stays with all its lines, which are proof.
    const auto is_in_time = [&](const StoredFact& fact) {
        const auto known = last.find(context_of(fact));
        return known == last.end() ||
               (fact.time_us <= *time_us + kOneTableUs && fact.time_us >= known->second - kOneTableUs);
    };
    const auto is_named_in_time = [&](const StoredFact* fact) {
        return !names_operator(*fact) || std::any_of(device.begin(), device.end(), [&](const StoredFact* other) {
            return names_operator(*other) && other->fact.operator_name == fact->fact.operator_name &&
                   is_in_time(*other);
        });
    };
    std::vector<const StoredFact*> holding;
    std::copy_if(device.begin(), device.end(), std::back_inserter(holding), is_named_in_time);
    return holding;
}

}  // namespace opdebug::locate_stage
