// What became of a stream id in one process: its windows, and the models that it belonged to in each.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {

/// When a stream served a GE model, by GE's lines alone (the runtime's lines that bind streams may not be logged). From
/// its set-up for a model to the unloading of that model, or to the set-up for another one: models
/// can share streams, and which of them a later task is of is not known then.
struct GeLoad {
    Span span;
    std::uint64_t ge_model_id = 0;
    const StoredFact* unloaded_by = nullptr;  ///< null: something else ended it
};

/// One window of a stream with its bindings, in time order; where no line binds it, GE's lines on its models.
struct WindowHistory {
    StreamWindow window;
    std::vector<ModelBinding> bindings;
    std::vector<GeLoad> ge_loads{};
};

/// The windows of a stream id on a device, in time order; no two of them overlap. The window of an earlier stream
/// (StreamWindow::unlogged_since) is among them where a line binds it. The tasks' uses show whether lines on its tasks
/// exist.
using StreamHistory = std::vector<WindowHistory>;

StreamHistory history_of_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device = {});

}  // namespace opdebug::logs
