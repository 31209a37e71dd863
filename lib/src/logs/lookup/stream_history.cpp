#include "logs/lookup/stream_history.hpp"

#include <utility>

namespace opdebug::logs {
namespace {

WindowHistory history_of_window(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                DeviceFilter device) {
    WindowHistory history;
    history.window = window;
    history.bindings = model_bindings(process, stream_id, window, device);
    if (history.bindings.empty()) {
        history.ge_loads = ge_loads(process, stream_id, window, device);
    }
    return history;
}

}  // namespace

StreamHistory history_of_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device) {
    StreamHistory history;
    for (StreamWindow& window : stream_windows(process, stream_id, device)) {
        const Places of_stream = process.of_stream.of(stream_id);
        if (window.unlogged_since && !places_inside(process, of_stream, unlogged_window(window).span).empty()) {
            WindowHistory earlier = history_of_window(process, stream_id, unlogged_window(window), device);
            if (!earlier.bindings.empty() || !earlier.ge_loads.empty()) {
                history.push_back(std::move(earlier));
                window.unlogged_since.reset();
            }
        }
        history.push_back(history_of_window(process, stream_id, window, device));
    }
    return history;
}

}  // namespace opdebug::logs
