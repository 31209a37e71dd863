#include "logs/lookup/devices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {
namespace {

using VisibleDevices = std::span<const VisibleDevice>;

struct ByRun {
    bool operator()(const VisibleDevice& a, std::size_t run) const noexcept { return a.run < run; }
    bool operator()(std::size_t run, const VisibleDevice& a) const noexcept { return run < a.run; }
};

/// Of a run without such lines, the last run before it that has them, else the first one after it: the begin of a run
/// is inferred, and its own lines may be missing. No line states that its numbers are the driver's.
VisibleDevices visible_in_run(const Process& process, std::size_t run) {
    const auto& all = process.visible_devices;
    const auto next_run = std::upper_bound(all.begin(), all.end(), run, ByRun());
    const auto last = next_run != all.begin() ? std::prev(next_run) : next_run;
    if (last == all.end()) {
        return {};
    }
    const auto [begin, end] = std::equal_range(all.begin(), all.end(), last->run, ByRun());
    return {begin, end};
}

/// The devices of one run, or of all of them.
VisibleDevices visible_devices_of(const Process& process, std::optional<std::int64_t> time_us) {
    return time_us ? visible_in_run(process, run_of(process, *time_us)) : VisibleDevices(process.visible_devices);
}

void add_devices_of_run(VisibleDevices of_run, std::uint64_t user_number, std::vector<std::uint64_t>& devices) {
    bool is_listed = false, may_be_equal = true;
    for (const VisibleDevice& visible : of_run) {
        if (visible.user_number == user_number) {
            devices.push_back(visible.device);
            is_listed = true;
        }
        // The runtime takes ascending lists only: after a device with a lower number than the driver's none is equal.
        may_be_equal = may_be_equal && (visible.user_number > user_number || visible.user_number == visible.device);
    }
    if (!is_listed && may_be_equal) {
        devices.push_back(user_number);
    }
}

/// By the last line until then, else by the first one after. Without such a line the numbers are equal.
std::uint64_t driver_number(const Process& process, std::uint64_t user_number, std::int64_t time_us) {
    const VisibleDevice* found = nullptr;
    for (const VisibleDevice& visible : visible_devices_of(process, time_us)) {
        const bool is_later = process.facts[visible.place].time_us > time_us;
        if (visible.user_number == user_number && (found == nullptr || !is_later)) {
            found = &visible;
        }
    }
    return found != nullptr ? found->device : user_number;
}

/// A device that the last line on the number in the same run has is not added again.
void add_visible_device(Process& process, std::uint32_t place) {
    const StoredFact& stored = process.facts[place];
    const VisibleDevice added{*stored.fact.user_device_id, *stored.fact.device_id, place,
                              run_of(process, in_run_of_line(stored.time_us))};
    std::vector<VisibleDevice>& known = process.visible_devices;
    const auto last = std::find_if(known.rbegin(), known.rend(), [&added](const VisibleDevice& other) {
        return other.user_number == added.user_number && other.run == added.run;
    });
    const bool is_known = last != known.rend() && last->device == added.device;
    if (!is_known && known.size() < kMostDevicesOfProcess) {
        known.push_back(added);
    }
}

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
        StreamDevices found;
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

std::size_t run_of(const Process& process, std::int64_t time_us) {
    const auto next = std::upper_bound(process.run_begins.begin(), process.run_begins.end(), time_us);
    return static_cast<std::size_t>(next - process.run_begins.begin());
}

std::vector<std::uint64_t> devices_seen_as(const Process& process, std::uint64_t user_number,
                                           std::optional<std::int64_t> time_us) {
    std::vector<std::uint64_t> devices;
    if (time_us || process.visible_devices.empty()) {
        add_devices_of_run(visible_devices_of(process, time_us), user_number, devices);
    }
    for (VisibleDevices rest = time_us ? VisibleDevices() : process.visible_devices; !rest.empty();) {
        const auto end = std::upper_bound(rest.begin(), rest.end(), rest.front().run, ByRun());
        add_devices_of_run({rest.begin(), end}, user_number, devices);
        rest = {end, rest.end()};
    }
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    return devices;
}

bool is_seen_as(const Process& process, DeviceFilter device, DeviceFilter user_number,
                std::optional<std::int64_t> time_us) {
    if (!device || !user_number) {
        return false;
    }
    if (process.visible_devices.empty()) {  // nearly always, and requested each match
        return device == user_number;
    }
    const std::vector<std::uint64_t> devices = devices_seen_as(process, *user_number, time_us);
    return std::find(devices.begin(), devices.end(), *device) != devices.end();
}

const StoredFact* renumbering_of(const Process& process, DeviceFilter device, DeviceFilter user_number,
                                 std::optional<std::int64_t> time_us) {
    const VisibleDevices lines = visible_devices_of(process, time_us);
    const auto renumbered = std::find_if(lines.begin(), lines.end(), [&](const VisibleDevice& visible) {
        return visible.device == device && visible.user_number == user_number;
    });
    return renumbered == lines.end() || device == user_number ? nullptr : &process.facts[renumbered->place];
}

void find_visible_devices(Process& process) {
    process.run_begins.clear();
    process.visible_devices.clear();
    std::vector<std::uint32_t> lines;
    for (std::uint32_t place = 0; place < process.facts.size(); ++place) {
        const StoredFact& stored = process.facts[place];
        if (stored.fact.kind == FactKind::run_begin) {
            process.run_begins.push_back(stored.time_us);
        } else if (stored.fact.kind == FactKind::visible_device && is_complete(stored.fact)) {
            lines.push_back(place);
        }
    }
    for (const std::uint32_t place : lines) {  // when all begins are known
        add_visible_device(process, place);
    }
}

void set_driver_numbers(Process& process) {
    if (process.visible_devices.empty()) {
        return;
    }
    for (StoredFact& stored : process.facts) {
        if (is_by_own_number(stored.fact)) {
            stored.fact.device_id = driver_number(process, *stored.fact.user_device_id, stored.time_us);
        }
    }
}

void find_stream_devices(Process& process, const std::vector<std::uint32_t>& set_ups) {
    process.stream_devices.clear();
    std::map<std::size_t, SetUpsOfRun> runs;
    std::size_t stated = 0;
    for (const std::uint32_t place : set_ups) {
        const StoredFact& set_up = process.facts[place];
        const DeviceFilter device = set_up.fact.device_id;
        stated += set_up.fact.kind == FactKind::process_device ? 1U : 0U;
        if (device && device != kOfflineDevice) {
            runs[run_of(process, in_run_of_line(set_up.time_us))].take(set_up, *device);
        }
    }
    if (stated >= kMostDevicesOfProcess) {  // others were not kept
        return;
    }
    for (const auto& [run, of_run] : runs) {
        if (of_run.is_on_several()) {
            process.stream_devices.emplace(run, of_run.devices());
        }
    }
}

DeviceFilter device_of_model_line(const Process& process, const StoredFact& line) {
    if (line.fact.device_id && (!is_by_own_number(line.fact) || !process.visible_devices.empty())) {
        return line.fact.device_id;
    }
    const StreamDevices* const of_run = devices_at(process, line.time_us);
    return of_run == nullptr ? DeviceFilter() : device_of_thread(*of_run, line.tid);
}

namespace {

DeviceFilter device_of_model_end(const Process& process, std::uint32_t place) {
    const StoredFact& gone = process.facts[place];
    if (gone.fact.device_id || !gone.fact.model_id) {
        return device_of_model_line(process, gone);
    }
    const Places ends = process.of_model_end.of(*gone.fact.model_id);
    const auto next_end = std::upper_bound(ends.begin(), ends.end(), place);
    const auto last = next_end + std::min(kMostEndsAtOnce, ends.end() - next_end);
    const auto freed =
        std::find_if(next_end, last, [&](std::uint32_t end) { return process.facts[end].tid == gone.tid; });
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
