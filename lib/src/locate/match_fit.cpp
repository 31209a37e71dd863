#include "locate/match_fit.hpp"

#include <algorithm>

#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr int kOfModel = 2;
constexpr int kOfDevice = 1;

}  // namespace

int fit_of(const TaskMatch& match, const TaskQuery& query, const Dump& dump) {
    const std::vector<logs::ModelBinding>& bindings = match.use.bindings;
    const bool is_of_model =
        query.model_id && std::any_of(bindings.begin(), bindings.end(), [&query](const logs::ModelBinding& binding) {
            return binding.model_id == *query.model_id;
        });
    return (is_of_model ? kOfModel : 0) + (match.device && match.device == dump.path_ids.device_id ? kOfDevice : 0);
}

int most_fit_in(const logs::Process& process, const TaskMap::Contents& map, const TaskQuery& query, const Dump& dump) {
    const std::vector<std::uint64_t>& devices = map.index().devices(process);
    const bool names_device =
        dump.path_ids.device_id && std::binary_search(devices.begin(), devices.end(), *dump.path_ids.device_id);
    return (query.model_id && map.index().may_bind_streams(process) ? kOfModel : 0) + (names_device ? kOfDevice : 0);
}

int best_fit_of(const std::vector<TaskMatch>& matches, const TaskQuery& query, const Dump& dump) {
    int best = 0;
    for (const TaskMatch& match : matches) {
        best = std::max(best, fit_of(match, query, dump));
    }
    return best;
}

void keep_best_matches(std::vector<TaskMatch>& matches, const TaskQuery& query, const Dump& dump) {
    const int best = best_fit_of(matches, query, dump);
    matches.erase(std::remove_if(matches.begin(), matches.end(),
                                 [&](const TaskMatch& match) { return fit_of(match, query, dump) < best; }),
                  matches.end());
}

}  // namespace opdebug::locate_stage
