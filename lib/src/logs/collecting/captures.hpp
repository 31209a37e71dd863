// Graph capture: tasks that are launched on one stream and recorded on another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// The captures of one process, by the times of their lines: they may stand in another file than the
/// tasks.
class Captures {
public:
    void begin(const Fact& fact, std::int64_t time) {
        if (!fact.origin_stream_id || !fact.stream_id) {
            return;
        }
        std::vector<Capture>& known = captures_[{*fact.origin_stream_id, *fact.stream_id}];
        const bool goes_on = std::any_of(known.begin(), known.end(), [&](const Capture& capture) {
            return capture.device == fact.device_id && capture.contains(time);
        });
        if (!goes_on) {
            known.push_back({time, std::numeric_limits<std::int64_t>::max(), fact.device_id});
        }
    }

    void end(const Fact& fact, std::int64_t time) {
        if (!fact.origin_stream_id || !fact.stream_id) {
            return;
        }
        for (Capture& capture : captures_[{*fact.origin_stream_id, *fact.stream_id}]) {
            capture.end = capture.contains(time) ? time : capture.end;
        }
    }

    /// Whether tasks launched on `origin` go to `stream` at that time. A device is compared where both lines name one.
    bool leads(std::uint64_t origin, std::uint64_t stream, DeviceFilter device, std::int64_t time) const {
        const auto found = captures_.find({origin, stream});
        return found != captures_.end() &&
               std::any_of(found->second.begin(), found->second.end(), [&](const Capture& capture) {
                   return capture.contains(time) && (!device || !capture.device || capture.device == device);
               });
    }

private:
    struct Capture {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        DeviceFilter device;
        bool contains(std::int64_t time) const noexcept { return begin <= time && time < end; }
    };
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Capture>>
        captures_;  ///< by origin and capture stream
};

}  // namespace opdebug::logs
