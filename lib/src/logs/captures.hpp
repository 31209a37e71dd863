// Graph capture: tasks that are launched on one stream and recorded on another.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "logs/task_map.hpp"

namespace opdebug::logs {

/// The captures of one process that are going on.
class Captures {
public:
    void begin(const Fact& fact) {
        if (fact.origin_stream_id && fact.stream_id) {
            active_[{*fact.origin_stream_id, *fact.stream_id}].insert(fact.device_id);
        }
    }

    void end(const Fact& fact) {
        if (fact.origin_stream_id && fact.stream_id) {
            active_.erase({*fact.origin_stream_id, *fact.stream_id});
        }
    }

    /// Whether tasks launched on `origin` go to `stream` now. A device is compared where both lines name one.
    bool leads(std::uint64_t origin, std::uint64_t stream, DeviceFilter device) const {
        const auto found = active_.find({origin, stream});
        return found != active_.end() &&
               (!device || found->second.count(device) != 0 || found->second.count(std::nullopt) != 0);
    }

private:
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<DeviceFilter>> active_;  ///< origin and capture stream
};

}  // namespace opdebug::logs
