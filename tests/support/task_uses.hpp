// The uses of a task, with the history of its stream as the log shows it.
#pragma once

#include <vector>

#include "logs/lookup/task_use.hpp"

namespace opdebug::test {

inline std::vector<logs::TaskUse> uses_of_task(const logs::Process& process, logs::TaskKey task,
                                               logs::DeviceFilter device = {}) {
    return logs::uses_of_task(process, task, device, logs::history_of_stream(process, task.first, device));
}

}  // namespace opdebug::test
