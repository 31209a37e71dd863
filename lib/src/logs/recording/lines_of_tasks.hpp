// Where the facts on tasks and on addresses of kernels are stated: what a saved map is searched by.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

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

    /// Pairs of process and task. `processes`: what each number stands for.
    std::uint64_t count_tasks(const std::vector<std::uint32_t>& processes);

    std::vector<KeyedLine>& of_tasks() noexcept { return of_tasks_; }
    std::vector<KeyedLine>& of_addresses() noexcept { return of_addresses_; }
    const std::vector<LineNumber>& open() const noexcept { return open_; }

private:
    std::vector<KeyedLine> of_tasks_, of_addresses_;
    std::vector<LineNumber> open_;
};

}  // namespace opdebug::logs
