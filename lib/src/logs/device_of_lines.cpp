#include "logs/device_of_lines.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "logs/stream_window.hpp"

namespace opdebug::logs {
namespace {

using Index = std::vector<std::size_t>;

/// One stream id on several devices.
class SharedStreamId {
public:
    SharedStreamId(const Process& process, std::uint64_t stream_id, const Index& facts) {
        for (const std::size_t place : facts) {
            const StoredFact& stored = process.facts[place];
            if (stored.fact.kind == FactKind::stream_open && stored.fact.device_id) {
                set_ups_.push_back(&stored);
                if (stored.fact.device_id != kOfflineDevice) {
                    windows_[*stored.fact.device_id] = {};
                }
            }
        }
        if (is_shared()) {
            for (auto& [device, windows] : windows_) {
                windows = stream_windows(process, stream_id, device);
            }
        }
    }

    bool is_shared() const noexcept { return windows_.size() > 1; }

    std::vector<std::uint64_t> open_at(std::int64_t time_us) const {
        std::vector<std::uint64_t> open;
        for (const auto& [device, windows] : windows_) {
            if (std::any_of(windows.begin(), windows.end(),
                            [time_us](const StreamWindow& window) { return window.span.contains(time_us); })) {
                open.push_back(device);
            }
        }
        return open;
    }

    DeviceFilter device_of(const StoredFact& stored) const {
        const std::vector<std::uint64_t> open = open_at(stored.time_us);
        if (open.size() == 1) {
            return open.front();
        }
        DeviceFilter device;
        for (const StoredFact* set_up : set_ups_) {
            if (set_up->tid == stored.tid && set_up->time_us <= stored.time_us) {
                device = set_up->fact.device_id;
            }
        }
        return device && std::find(open.begin(), open.end(), *device) != open.end() ? device : DeviceFilter();
    }

private:
    std::vector<const StoredFact*> set_ups_;  ///< by time
    std::map<std::uint64_t, std::vector<StreamWindow>> windows_;
};

}  // namespace

std::vector<std::uint64_t> devices_with_stream(const Process& process, std::uint64_t stream_id, std::int64_t time_us) {
    const auto index = process.of_stream.find(stream_id);
    if (index == process.of_stream.end()) {
        return {};
    }
    const SharedStreamId stream(process, stream_id, index->second);
    return stream.is_shared() ? stream.open_at(time_us) : std::vector<std::uint64_t>();
}

void infer_devices(Process& process) {
    std::vector<std::pair<std::size_t, std::uint64_t>> inferred;
    for (const auto& [stream_id, facts] : process.of_stream) {
        const SharedStreamId stream(process, stream_id, facts);
        if (!stream.is_shared()) {
            continue;
        }
        const auto infer = [&](const Index& index) {
            for (const std::size_t place : index) {
                const StoredFact& stored = process.facts[place];
                const DeviceFilter device = stored.fact.device_id ? DeviceFilter() : stream.device_of(stored);
                if (device) {
                    inferred.emplace_back(place, *device);
                }
            }
        };
        infer(facts);
        for (auto task = process.of_task.lower_bound({stream_id, 0});
             task != process.of_task.end() && task->first.first == stream_id; ++task) {
            infer(task->second);
        }
    }
    for (const auto& [place, device] : inferred) {
        process.facts[place].fact.device_id = device;
    }
}

}  // namespace opdebug::logs
