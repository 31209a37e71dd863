#include "locate/code_address.hpp"

#include <algorithm>

#include "locate/task_search.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/stream_window.hpp"

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

}  // namespace opdebug::locate_stage
