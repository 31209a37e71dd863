#include "logs/lookup/stream_history.hpp"

namespace opdebug::logs {

StreamHistory history_of_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device) {
    StreamHistory history;
    for (const StreamWindow& window : stream_windows(process, stream_id, device)) {
        WindowHistory& added = history.emplace_back();
        added.window = window;
        added.bindings = model_bindings(process, stream_id, window, device);
        if (added.bindings.empty()) {
            added.ge_loads = ge_loads(process, stream_id, window, device);
        }
    }
    return history;
}

}  // namespace opdebug::logs
