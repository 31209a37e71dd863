// Where the facts on tasks and on addresses of kernels are stated: what a saved map is searched by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "logs/facts/launch_lines.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// A line of a log, by the number of its file.
struct LineNumber {
    std::uint32_t file = 0;
    std::uint64_t line = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const LineNumber&, const LineNumber&) = default;
};

/// A task (stream, task), or an address and 0.
using LineKey = std::pair<std::uint64_t, std::uint64_t>;

struct KeyedLine {
    LineKey key;
    std::uint32_t process = 0;
    LineNumber line;
};

/// Collected while logs are indexed. The facts themselves are not kept.
class LinesOfTasks {
public:
    void add(const StoredFact& stored, std::uint32_t process);

    /// The last launch of a thread, whose submit line may be in another log.
    void add_open(const StoredFact& launch) { open_.push_back({launch.place.file, launch.place.line}); }

    /// Pairs of process and task. `processes`: what each number means.
    std::uint64_t count_tasks(const std::vector<std::uint32_t>& processes);

    std::vector<KeyedLine>& of_tasks() noexcept { return of_tasks_; }
    std::vector<KeyedLine>& of_addresses() noexcept { return of_addresses_; }
    const std::vector<LineNumber>& open() const noexcept { return open_; }

private:
    std::vector<KeyedLine> of_tasks_, of_addresses_;
    std::vector<LineNumber> open_;
};

inline void add_keyed_lines(const StoredFact& stored, KeyedLine keyed, std::vector<KeyedLine>& lines) {
    keyed.line = {stored.place.file, stored.place.line};
    lines.push_back(keyed);
    if (stored.submit) {
        keyed.line = {stored.submit->file, stored.submit->line};
        lines.push_back(keyed);
    }
}

inline void LinesOfTasks::add(const StoredFact& stored, std::uint32_t process) {
    const Fact& fact = stored.fact;
    if (fact.stream_id && fact.task_id) {
        add_keyed_lines(stored, {{*fact.stream_id, *fact.task_id}, process, {}}, of_tasks_);
    }
    if (is_kernel_launch(fact)) {
        for (const std::optional<std::uint64_t>& address : {fact.address1, fact.address2}) {
            if (address) {
                add_keyed_lines(stored, {{*address, 0}, process, {}}, of_addresses_);
            }
        }
    }
}

inline std::uint64_t LinesOfTasks::count_tasks(const std::vector<std::uint32_t>& processes) {
    std::vector<std::pair<LineKey, std::uint32_t>> tasks;
    tasks.reserve(of_tasks_.size());
    for (const KeyedLine& line : of_tasks_) {
        tasks.emplace_back(line.key, processes[line.process]);
    }
    std::sort(tasks.begin(), tasks.end());
    return static_cast<std::uint64_t>(std::unique(tasks.begin(), tasks.end()) - tasks.begin());
}

}  // namespace opdebug::logs
