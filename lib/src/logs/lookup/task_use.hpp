// What one (stream, task) meant, and when: a task of a model keeps its meaning until the model is unbound, a task of
// single execution until the same ids are launched again.
#pragma once

#include <string>
#include <vector>

#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {

/// One meaning of a (stream, task) in one process.
struct TaskUse {
    Span span;                ///< from when to when the facts hold
    bool persistent = false;  ///< a task of a model: set up once, executed many times
    StreamWindow window;
    std::vector<ModelBinding> bindings;    ///< of the stream in this window that touch the span; none
                                           ///< where no line binds the stream
    std::vector<const StoredFact*> facts;  ///< operators, kernels and other statements on the task
};

/// Whether one name may be the other, cut or with an ending ("_mix_aic").
bool is_same_kernel(const std::string& a, const std::string& b);

/// The uses of a task on a device, in time order. `history`: of its stream on that device. `has_one_device`: the
/// process works on no other one; otherwise lines without a device may be of several. Pointers lead into `process`.
std::vector<TaskUse> uses_of_task(const Process& process, TaskKey task, DeviceFilter device,
                                  const StreamHistory& history, bool has_one_device = false);

}  // namespace opdebug::logs
