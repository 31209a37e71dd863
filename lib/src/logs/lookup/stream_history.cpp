#include "logs/lookup/stream_history.hpp"

namespace opdebug::logs {

StreamHistory history_of_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device) {
    StreamHistory history;
    for (const StreamWindow& window : stream_windows(process, stream_id, device)) {
        history.push_back({window, model_bindings(process, stream_id, window, device)});
    }
    return history;
}

}  // namespace opdebug::logs
