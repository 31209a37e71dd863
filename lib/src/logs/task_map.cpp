#include "logs/facts/task_map.hpp"

#include "logs/processes/packed_map.hpp"

namespace opdebug {
inline namespace v0 {

TaskMap::TaskMap(std::unique_ptr<const Contents> contents) : inside_(std::make_unique<Inside>(std::move(contents))) {}
TaskMap::TaskMap(std::unique_ptr<Packed> packed) : inside_(std::make_unique<Inside>(std::move(packed))) {}
TaskMap::~TaskMap() = default;

const TaskMap::Contents& TaskMap::contents() const {
    return inside_->contents();
}

namespace {

std::uint64_t told_of(const std::vector<logs::Process>& processes) noexcept {
    std::uint64_t count = 0;
    for (const logs::Process& process : processes) {
        count += process.without_host_lines && !process.states_anything ? 0U : 1U;
    }
    return count;
}

TaskMapSize size_of(const TaskMap::Packed& map) noexcept {
    TaskMapSize size{told_of(map.contents.processes), 0};
    for (const std::uint64_t tasks : map.tasks) {
        size.tasks += tasks;
    }
    return size;
}

TaskMapSize size_of(const TaskMap::Contents& map) noexcept {
    TaskMapSize size{told_of(map.processes), 0};
    for (const logs::Process& process : map.processes) {
        size.tasks += process.of_task.size();
    }
    return size;
}

}  // namespace

TaskMapSize size_of(const TaskMap& map) noexcept {
    return map.inside().as_it_is([](const auto& form) { return size_of(form); });
}

/// Any log line gives a process.
bool has_log_lines(const TaskMap& map) noexcept {
    struct Use {
        bool operator()(const TaskMap::Packed& form) const { return !form.contents.processes.empty(); }
        bool operator()(const TaskMap::Contents& form) const { return !form.processes.empty(); }
    };
    return map.inside().as_it_is(Use());
}

}  // namespace v0
}  // namespace opdebug
