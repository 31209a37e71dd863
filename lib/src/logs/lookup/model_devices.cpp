#include "logs/lookup/model_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "logs/facts/task_map.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/stream_window.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::logs {
namespace {

/// The runtime frees the number of a model while it destroys the model; in between it may wait for the driver.
constexpr std::uint64_t kFreedSoonUs = 1'000'000;
/// As many models of one number are destroyed at once as machines have devices.
constexpr std::ptrdiff_t kMostEndsAtOnce = 16;

/// Of the run in which the line was written: threads and devices of another one are others. Null: there are not
/// several.
const StreamDevices* devices_at(const Process& process, std::int64_t time_us) {
    if (process.stream_devices.empty()) {  // nearly always
        return nullptr;
    }
    const auto of_run = process.stream_devices.find(run_of(process, time_us));
    return of_run != process.stream_devices.end() ? &of_run->second : nullptr;
}

DeviceFilter device_of_thread(const StreamDevices& devices, std::int64_t tid) {
    const auto known = devices.of_thread.find(tid);
    return known != devices.of_thread.end() ? DeviceFilter(known->second) : DeviceFilter();
}

/// The runtime takes ascending lists only: where the process works on all devices up to the one of that number, none
/// has another number there.
bool has_equal_numbers_until(const StreamDevices& of_run, std::uint64_t number) {
    return number < of_run.devices.size() && of_run.devices[number] == number;
}

/// The driver's number of a device that the line names by the process's own: by a line with both numbers, or where they
/// must be equal.
DeviceFilter device_by_own_number(const Process& process, const StreamDevices& of_run, const StoredFact& line) {
    const std::vector<std::uint64_t>& devices = of_run.devices;
    const DeviceFilter device = line.fact.device_id;
    if (!process.visible_devices.empty()) {
        return device && std::binary_search(devices.begin(), devices.end(), *device) ? device : DeviceFilter();
    }
    const DeviceFilter by_number = device && has_equal_numbers_until(of_run, *device) ? device : DeviceFilter();
    const DeviceFilter of_thread = device_of_thread(of_run, line.tid);
    if (by_number && of_thread && by_number != of_thread) {
        return {};
    }
    return by_number ? by_number : of_thread;
}

/// The devices of one run, by its set-ups of streams.
class SetUpsOfRun {
public:
    void take(const StoredFact& set_up, std::uint64_t device) {
        devices_.insert(device);
        const auto [known, is_new] = of_thread_.try_emplace(set_up.tid, device);
        if (!is_new && known->second != device) {
            known->second.reset();
        }
    }

    bool is_on_several() const noexcept { return devices_.size() > 1; }

    StreamDevices devices() const {
        StreamDevices found{{devices_.begin(), devices_.end()}, {}};
        for (const auto& [tid, device] : of_thread_) {
            if (device && tid >= 0) {
                found.of_thread.emplace(tid, *device);
            }
        }
        return found;
    }

private:
    std::set<std::uint64_t> devices_;
    std::map<std::int64_t, DeviceFilter> of_thread_;  ///< nothing: several
};

}  // namespace

void find_stream_devices(Process& process, const std::vector<std::uint32_t>& set_ups) {
    process.stream_devices.clear();
    std::map<std::size_t, SetUpsOfRun> runs;
    std::size_t told = 0;
    for (const std::uint32_t place : set_ups) {
        const StoredFact& set_up = process.facts[place];
        const DeviceFilter device = set_up.fact.device_id;
        told += set_up.fact.kind == FactKind::process_device ? 1U : 0U;
        if (device && device != kOfflineDevice) {
            runs[run_of(process, in_run_of_line(set_up.time_us))].take(set_up, *device);
        }
    }
    if (told >= kMostDevicesOfProcess) {  // others were not kept
        return;
    }
    for (const auto& [run, of_run] : runs) {
        if (of_run.is_on_several()) {
            process.stream_devices.emplace(run, of_run.devices());
        }
    }
}

DeviceFilter device_of_model_line(const Process& process, const StoredFact& line) {
    const bool is_by_own = is_by_own_number(line.fact);
    if (!is_by_own && line.fact.device_id) {
        return line.fact.device_id;
    }
    const StreamDevices* const of_run = devices_at(process, line.time_us);
    if (of_run == nullptr) {
        return {};
    }
    return is_by_own ? device_by_own_number(process, *of_run, line) : device_of_thread(*of_run, line.tid);
}

namespace {

DeviceFilter device_of_model_end(const Process& process, std::uint32_t place) {
    const StoredFact& gone = process.facts[place];
    if (gone.fact.device_id || !gone.fact.model_id) {
        return device_of_model_line(process, gone);
    }
    const Places ends = process.of_model_end.of(*gone.fact.model_id);
    const auto behind = std::upper_bound(ends.begin(), ends.end(), place);
    const auto last = behind + std::min(kMostEndsAtOnce, ends.end() - behind);
    const auto freed =
        std::find_if(behind, last, [&](std::uint32_t end) { return process.facts[end].tid == gone.tid; });
    const bool is_its = freed != last && distance_us(process.facts[*freed].time_us, gone.time_us) <= kFreedSoonUs;
    const DeviceFilter device = is_its ? device_by_line(process.facts[*freed].fact) : DeviceFilter();
    return device ? device : device_of_model_line(process, gone);
}

}  // namespace

bool ends_model_elsewhere(const Process& process, std::uint32_t place, DeviceFilter device) {
    const DeviceFilter of_end = device_of_model_end(process, place);
    return of_end && (of_end == kOfflineDevice || (device && of_end != device));
}

}  // namespace opdebug::logs
