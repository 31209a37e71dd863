// When a stream served a GE model, by GE's lines alone: the runtime's lines that bind streams may not be logged.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {

/// From GE's set-up of a stream for a model to the unloading of that model, or to the set-up for another one: models
/// can share streams, and which of them a later task is of is not known then.
struct GeLoad {
    Span span;
    std::uint64_t ge_model_id = 0;
    const StoredFact* unloaded_by = nullptr;  ///< null: something else ended it
};

/// Those of a stream inside one of its windows, in time order.
std::vector<GeLoad> ge_loads(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                             DeviceFilter device);

}  // namespace opdebug::logs
