#include "logs/recording/lines_of_tasks.hpp"

#include <algorithm>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

void add_lines(const StoredFact& stored, KeyedLine keyed, std::vector<KeyedLine>& lines) {
    keyed.line = {stored.place.file, stored.place.line};
    lines.push_back(keyed);
    if (stored.submit) {
        keyed.line = {stored.submit->file, stored.submit->line};
        lines.push_back(keyed);
    }
}

}  // namespace

void LinesOfTasks::add(const StoredFact& stored, std::uint32_t process) {
    const Fact& fact = stored.fact;
    if (fact.stream_id && fact.task_id) {
        add_lines(stored, {{*fact.stream_id, *fact.task_id}, process, {}}, of_tasks_);
    }
    if (is_kernel_launch(fact)) {
        for (const std::optional<std::uint64_t>& address : {fact.address1, fact.address2}) {
            if (address) {
                add_lines(stored, {{*address, 0}, process, {}}, of_addresses_);
            }
        }
    }
}

std::uint64_t LinesOfTasks::count_tasks(const std::vector<std::uint32_t>& processes) {
    std::vector<std::pair<LineKey, std::uint32_t>> tasks;
    tasks.reserve(of_tasks_.size());
    for (const KeyedLine& line : of_tasks_) {
        tasks.emplace_back(line.key, processes[line.process]);
    }
    std::sort(tasks.begin(), tasks.end());
    return static_cast<std::uint64_t>(std::unique(tasks.begin(), tasks.end()) - tasks.begin());
}

}  // namespace opdebug::logs
