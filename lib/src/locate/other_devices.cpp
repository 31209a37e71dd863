#include "locate/other_devices.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "locate/dump_folder.hpp"
#include "locate/match_fit.hpp"
#include "locate/overflow_lines.hpp"
#include "locate/stream_state.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// A match whose device is not known may be the dump's.
bool is_of_another_device(const TaskMatch& match, const TaskMap::Contents& map, const Dump& dump) {
    const bool is_known = match.device || !map.index().own_devices(*match.process).empty();
    return is_known && device_fit_of(match, map, dump) == 0;
}

/// Whether all that the process says of devices is the dump's: its lines on the stream, else those on the process.
bool is_surely_of_device(const TaskMatch& place, const TaskMap::Contents& map, const Dump& dump) {
    const auto is_dumps = [&](logs::DeviceFilter device) {
        return logs::is_seen_as(*place.process, device, dump.path_ids.device_id, place.time_us);
    };
    const std::vector<std::uint64_t>& devices = map.index().own_devices(*place.process);
    return place.device ? is_dumps(place.device)
                        : !devices.empty() && std::all_of(devices.begin(), devices.end(), is_dumps);
}

/// Of an earlier run, perhaps: a process that names the task began when the log had ended.
bool may_be_of_earlier_run(const Process& process, const std::vector<TaskMatch>& matches) {
    return std::any_of(matches.begin(), matches.end(), [&process](const TaskMatch& match) {
        return match.process == &process || match.process->first_time_us > process.last_time_us;
    });
}

/// The line that shows the process's use of the stream at the time; null: none, or none that says more than the
/// matches do.
const logs::StoredFact* line_on_stream(const StreamState& state, int best_of_matches, const TaskMap::Contents& map,
                                       const Dump& dump, const TaskQuery& query) {
    if (const logs::StoredFact* report = overflow_report(state.place, query, map)) {
        return report;
    }
    if (state.is_closed || fit_of(state.place, map, query, dump) <= best_of_matches) {
        return nullptr;
    }
    const auto& bindings = state.place.use.bindings;
    return bindings.empty() ? state.place.use.window.opened_by : bindings.front().bound_by;
}

struct ProcessOfDevice {
    const Process* process = nullptr;
    const logs::StoredFact* line = nullptr;
};

/// Ranks of one container or host number devices alike, write into folders of one second and overflow together: the
/// device tells whose the dump is. Another container's device may have any number in the folder: there it takes this
/// very overflow, and one that neither reports it nor says that it writes into the folder.
bool is_rather_of(const ProcessOfDevice& of_device, const TaskMatch& match, const TaskMap::Contents& map,
                  const Dump& dump, const TaskQuery& query) {
    if (!is_of_another_device(match, map, dump)) {
        return false;
    }
    return of_device.process->root == match.process->root ||
           (of_device.line->fact.kind == logs::FactKind::overflow_report && !writes_into_folder(*match.process, dump) &&
            overflow_report(match, query, map) == nullptr);
}

/// The first one that takes a match out.
ProcessOfDevice process_of_device(const TaskSearch& search, const TaskMap::Contents& map, const Dump& dump,
                                  const TaskQuery& query, const LocateOptions& options) {
    const int best = best_fit_of(search.matches, map, query, dump);
    for (const StreamState& state : stream_states(map, dump, query, options)) {
        const Process& process = *state.place.process;
        const bool may_be_its_dump = state.place.time_us && is_surely_of_device(state.place, map, dump) &&
                                     !writes_into_other_folders(process, dump) && !was_over(process, search) &&
                                     !may_be_of_earlier_run(process, search.matches);
        const auto* line = may_be_its_dump ? line_on_stream(state, best, map, dump, query) : nullptr;
        const ProcessOfDevice of_device{&process, line};
        if (line != nullptr && std::any_of(search.matches.begin(), search.matches.end(), [&](const TaskMatch& match) {
                return is_rather_of(of_device, match, map, dump, query);
            })) {
            return of_device;
        }
    }
    return {};
}

Diagnostic told(const ProcessOfDevice& of_device, const Process& of_another, const TaskMap::Contents& map,
                const Dump& dump, const TaskQuery& query) {
    const logs::LogPlace& place = of_device.line->place;
    return {Severity::warning, "device_differs",
            fmt::format("the dump's folder says device {}, on which process {} has stream {} at that time ({}:{}), but "
                        "no line of it tells what task {} was then; what process {} and others say of such a task on "
                        "other devices is not taken. Give all logs of process {}; older files may have been rotated "
                        "away (ASCEND_HOST_LOG_FILE_NUM=1000 keeps more), or the log level was above INFO",
                        *dump.path_ids.device_id, of_device.process->pid, *query.stream_id, map.files[place.file],
                        place.line, *query.task_id, of_another.pid, of_device.process->pid)};
}

}  // namespace

void take_out_other_devices(TaskSearch& search, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                            const LocateOptions& options) {
    const auto is_another = [&](const TaskMatch& match) { return is_of_another_device(match, map, dump); };
    if (!dump.path_ids.device_id || std::none_of(search.matches.begin(), search.matches.end(), is_another)) {
        return;  // nearly always
    }
    const ProcessOfDevice of_device = process_of_device(search, map, dump, query, options);
    if (of_device.process == nullptr) {
        return;
    }
    const Process& first = *search.matches.front().process;
    search.matches.erase(
        std::remove_if(search.matches.begin(), search.matches.end(),
                       [&](const TaskMatch& match) { return is_rather_of(of_device, match, map, dump, query); }),
        search.matches.end());
    if (search.matches.empty()) {
        search.of_device = of_device.process;
        search.diagnostics.push_back(told(of_device, first, map, dump, query));
    }
}

}  // namespace opdebug::locate_stage
