#include "locate/code_address.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "locate/candidates.hpp"
#include "locate/find_in_logs.hpp"
#include "locate/kernel_name.hpp"
#include "locate/operator_from_logs.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/stream_window.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::StoredFact;

/// Launches of kernels at one address on a device that may be one of those asked for.
class LaunchesAt {
public:
    LaunchesAt(const TaskMap::Contents& map, const logs::Process& process, std::uint64_t address,
               const DevicesOfLaunch& devices)
        : process_(process),
          devices_(devices),
          places_(map.index().facts(process, logs::About::kernel_at_address, address)) {}

    /// The last not after the time, give or take the clocks; of the run of the process that goes on then.
    std::optional<std::uint32_t> last_before(std::int64_t time_us) const {
        const auto next_run = std::upper_bound(process_.run_begins.begin(), process_.run_begins.end(), time_us);
        // Addresses are given anew in each run.
        const std::int64_t begin = next_run == process_.run_begins.begin() ? logs::kBeginOfTime : *(next_run - 1);
        const logs::Places inside = logs::places_inside(process_, places_, {begin, time_us + kClockSkewUs + 1});
        const auto last = std::find_if(inside.rbegin(), inside.rend(), [this](auto place) { return fits(place); });
        return last == inside.rend() ? std::nullopt : std::optional(*last);
    }

    bool fits(std::uint32_t place) const {
        const logs::DeviceFilter of_line = process_.facts[place].fact.device_id;
        return !devices_ || !of_line || std::find(devices_->begin(), devices_->end(), *of_line) != devices_->end();
    }

    logs::Places places() const noexcept { return places_; }

private:
    const logs::Process& process_;
    const DevicesOfLaunch& devices_;
    logs::Places places_;
};

}  // namespace

const StoredFact* launch_by_address(const TaskMap::Contents& map, const logs::Process& process, const TaskQuery& query,
                                    std::optional<std::int64_t> time_us, const DevicesOfLaunch& devices) {
    std::optional<std::uint32_t> found;  // a place: where the facts lie in memory says nothing of their order
    for (const std::uint64_t address : query.addresses) {
        const LaunchesAt launches(map, process, address, devices);
        if (time_us) {
            found = std::max(found, launches.last_before(*time_us));
            continue;
        }
        for (const std::uint32_t place : launches.places()) {
            if (!launches.fits(place)) {
                continue;
            }
            if (found && process.facts[*found].fact.kernel_name != process.facts[place].fact.kernel_name) {
                return nullptr;
            }
            found = std::max(found, std::optional(place));
        }
    }
    return found ? &process.facts[*found] : nullptr;
}

namespace {

DevicesOfLaunch devices_of(const Dump& dump, const logs::Process& process, std::optional<std::int64_t> time_us) {
    return dump.path_ids.device_id ? DevicesOfLaunch(logs::devices_seen_as(process, *dump.path_ids.device_id, time_us))
                                   : std::nullopt;
}

}  // namespace

void find_by_address(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                     const LocateOptions& options, Found& found) {
    std::set<std::uint32_t> processes;
    for (const std::uint64_t address : query.addresses) {
        const logs::Places having = map.index().processes(logs::About::kernel_at_address, address);
        processes.insert(having.begin(), having.end());
    }
    DistinctAnswers answers(found.operators);
    std::set<std::string_view> answered;  // kernels of which no process's lines tell more than their names
    for (const std::uint32_t number : processes) {
        const logs::Process& process = map.processes[number];
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        if (!times.empty() && times.front().unrelated) {
            continue;  // addresses are given anew in each run
        }
        const auto time = times.empty() ? std::nullopt : std::optional(times.front().time_us);
        const logs::StoredFact* launch = launch_by_address(map, process, query, time, devices_of(dump, process, time));
        if (launch == nullptr || answered.count(launch->fact.kernel_name) != 0) {
            continue;
        }
        if (found.operators.empty()) {
            found.diagnostics.push_back(remarks::diagnose(
                "found_by_address", {{"file", map.files[launch->place.file]}, {"line", launch->place.line}}));
        }
        const std::size_t remarks_before = found.diagnostics.size();
        answers.add(answer_from_kernel(*launch, process, map, found.diagnostics));
        if (possible_nodes(launch->fact.kernel_name).empty() && found.diagnostics.size() == remarks_before) {
            answered.insert(launch->fact.kernel_name);
        }
    }
}

void check_address(const TaskMatch& match, const TaskMap::Contents& map, const TaskQuery& query, Found& found) {
    OperatorAnswer& best = found.operators.front();
    const auto devices = match.device ? DevicesOfLaunch(std::vector{*match.device}) : std::nullopt;
    const logs::StoredFact* launch = launch_by_address(map, *match.process, query, match.time_us, devices);
    if (launch == nullptr || !best.kernel) {
        return;
    }
    if (launch->fact.kernel_name != *best.kernel) {
        found.diagnostics.push_back(remarks::diagnose("address_disagrees", {{"by_ids", *best.kernel},
                                                                            {"by_address", launch->fact.kernel_name},
                                                                            {"file", map.files[launch->place.file]},
                                                                            {"line", launch->place.line}}));
        return;
    }
    const Evidence line = evidence_of(*launch, map);
    if (std::none_of(best.evidence.begin(), best.evidence.end(),
                     [&line](const Evidence& known) { return known.file == line.file && known.line == line.line; })) {
        best.evidence.push_back(line);
    }
}

}  // namespace opdebug::locate_stage
