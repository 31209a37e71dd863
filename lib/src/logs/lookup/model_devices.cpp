#include "logs/lookup/model_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "logs/facts/device_numbers.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {
namespace {

/// The runtime frees the number of a model while it destroys the model; in between it may wait for the driver.
constexpr std::uint64_t kFreedSoonUs = 1'000'000;
/// As many models of one number are destroyed at once as machines have devices.
constexpr std::ptrdiff_t kMostEndsAtOnce = 16;

DeviceFilter device_of_thread(const Process& process, std::int64_t tid) {
    const auto known = process.device_of_thread.find(tid);
    return known != process.device_of_thread.end() ? DeviceFilter(known->second) : DeviceFilter();
}

/// The driver's number of a device that the line names by the process's own. Without a line that tells both they are
/// taken for equal, which is no more than likely.
DeviceFilter device_by_own_number(const Process& process, const StoredFact& line) {
    const std::vector<std::uint64_t>& devices = process.stream_devices;
    const bool is_one = line.fact.device_id && std::binary_search(devices.begin(), devices.end(), *line.fact.device_id);
    const DeviceFilter by_number = is_one ? line.fact.device_id : DeviceFilter();
    if (!process.visible_devices.empty()) {
        return by_number;
    }
    const DeviceFilter of_thread = device_of_thread(process, line.tid);
    if (by_number && of_thread && by_number != of_thread) {
        return {};
    }
    return by_number ? by_number : of_thread;
}

}  // namespace

void find_devices_of_threads(Process& process, const std::vector<std::uint32_t>& set_ups) {
    process.stream_devices.clear();
    process.device_of_thread.clear();
    std::set<std::uint64_t> devices;
    std::map<std::int64_t, DeviceFilter> of_thread;  // nothing: several
    std::size_t told = 0;
    for (const std::uint32_t place : set_ups) {
        const StoredFact& set_up = process.facts[place];
        const DeviceFilter device = set_up.fact.device_id;
        told += set_up.fact.kind == FactKind::process_device ? 1U : 0U;
        if (!device || device == kOfflineDevice) {
            continue;
        }
        devices.insert(*device);
        const auto [known, is_new] = of_thread.try_emplace(set_up.tid, device);
        if (!is_new && known->second != device) {
            known->second.reset();
        }
    }
    if (devices.size() < 2 || told >= kMostDevicesOfProcess) {  // beyond that further ones were not kept
        return;
    }
    process.stream_devices.assign(devices.begin(), devices.end());
    for (const auto& [tid, device] : of_thread) {
        if (device && tid >= 0) {
            process.device_of_thread.emplace(tid, *device);
        }
    }
}

DeviceFilter device_of_model_line(const Process& process, const StoredFact& line) {
    if (is_by_own_number(line.fact)) {
        return device_by_own_number(process, line);
    }
    return line.fact.device_id ? line.fact.device_id : device_of_thread(process, line.tid);
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
