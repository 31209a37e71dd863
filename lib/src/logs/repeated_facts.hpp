// Lines that say the same again and again: of each run of them the first and the last are enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "logs/packed_facts.hpp"
#include "logs/task_map.hpp"
#include "logs/task_table.hpp"
#include "logs/wanted.hpp"

namespace opdebug::logs {

/// Keeps the facts of one process short. What a run of equal lines states holds from its first to its last line, so
/// those between add nothing:
///  * lines that name the operator or the model of a task (device logs print them for each execution), of one thread. A
///    run ends with any other line on the same task;
///  * lines that name models and graphs, pair their ids, or tell of captures (printed for each execution). A run ends
///    with another content for the same ids, and where a model of that id ends;
///  * launches that are kept for their address only, bindings for the model's name only, and lines on tasks for the
///    name of a node only.
/// What is not shortened: launches (the next one of the same ids begins another use, 65535 tasks later), failures and
/// overflows (their times count), set-up, release and binding of a kept stream. So the facts of one task grow by one
/// for each reuse of its ids, and all else by the number of streams and models.
class RepeatedFacts {
public:
    /// Adds the fact, or puts it in the place of the last one of its run.
    void add(PackedFacts& facts, const StoredFact& stored, Need need);

    /// Gives the memory back: nothing is added any more.
    void end_all_runs() noexcept {
        runs_.clear();
        task_runs_.clear();
    }

private:
    /// What a run is about: "the model 3 in lines of this format", "the task 5 on stream 2".
    using Subject = std::tuple<int, std::string, std::vector<std::optional<std::uint64_t>>>;
    struct Run {
        std::size_t first = 0;
        std::size_t last = 0;
    };

    static std::optional<Subject> subject_of(const Fact& fact, Need need);
    void end_runs(const Fact& fact);

    std::map<Subject, Run> runs_;
    TaskTable<std::map<std::int64_t, Run>> task_runs_;  ///< by thread, which may tell the device of the line
};

}  // namespace opdebug::logs
