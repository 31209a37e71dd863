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
                set_ups_[stored.tid].push_back(&stored);
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
            const auto later = std::upper_bound(
                windows.begin(), windows.end(), time_us,
                [](std::int64_t time, const StreamWindow& window) { return time < window.span.begin; });
            if (later != windows.begin() && (later - 1)->span.contains(time_us)) {
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
        const auto of_thread = set_ups_.find(stored.tid);
        if (of_thread == set_ups_.end()) {
            return std::nullopt;
        }
        const auto later = std::upper_bound(of_thread->second.begin(), of_thread->second.end(), stored.time_us,
                                            [](std::int64_t time, const StoredFact* a) { return time < a->time_us; });
        const DeviceFilter device =
            later == of_thread->second.begin() ? DeviceFilter() : (*(later - 1))->fact.device_id;
        return device && std::find(open.begin(), open.end(), *device) != open.end() ? device : DeviceFilter();
    }

private:
    std::map<std::int64_t, std::vector<const StoredFact*>> set_ups_;  ///< by thread, then by time
    std::map<std::uint64_t, std::vector<StreamWindow>> windows_;
};

}  // namespace

std::vector<std::uint64_t> possible_devices(const Process& process, const std::vector<const StoredFact*>& facts) {
    const auto unclear =
        std::find_if(facts.begin(), facts.end(), [](const StoredFact* stored) { return !stored->fact.device_id; });
    const auto index = unclear == facts.end() ? process.of_stream.end()
                                              : process.of_stream.find((*unclear)->fact.stream_id.value_or(0));
    if (index == process.of_stream.end()) {
        return {};
    }
    const SharedStreamId stream(process, index->first, index->second);
    for (const StoredFact* stored : facts) {
        if (stream.is_shared() && !stored->fact.device_id) {
            std::vector<std::uint64_t> open = stream.open_at(stored->time_us);
            if (open.size() > 1) {
                return open;
            }
        }
    }
    return {};
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
