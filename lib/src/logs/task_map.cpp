#include "logs/facts/task_map.hpp"

namespace opdebug {
inline namespace v0 {

TaskMap::TaskMap(std::unique_ptr<const Contents> contents) : contents_(std::move(contents)) {}
TaskMap::~TaskMap() = default;

TaskMapSize size_of(const TaskMap& map) noexcept {
    TaskMapSize size;
    for (const logs::Process& process : map.contents().processes) {
        size.processes += process.without_host_lines && !process.states_anything ? 0U : 1U;
        size.tasks += process.of_task.size();
    }
    return size;
}

/// Any log line gives a process.
bool has_log_lines(const TaskMap& map) noexcept {
    return !map.contents().processes.empty();
}

}  // namespace v0
}  // namespace opdebug
