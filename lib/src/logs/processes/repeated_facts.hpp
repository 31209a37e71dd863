// Lines that state the same again and again: of each run of them the first and the last are enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/formats/wanted.hpp"

namespace opdebug::logs {

/// Keeps the facts of one process short. What a run of equal lines states holds from its first to its last line, so
/// those between add nothing:
///  * lines that name the operator or the model of a task (device logs print them for each execution), of one thread. A
///    run ends with any other line on the same task;
///  * lines that name models and graphs, pair their ids, or report captures (printed for each execution). A run ends
///    with another content for the same ids, and where a model of that id ends;
///  * launches that are kept for their address only, bindings for the model's name only, and lines on tasks for the
///    name of a node only;
///  * submit lines, of which up to three follow a launch: they add nothing new, unless the task is one of a
///    model.
/// Not shortened are failures and overflows (their times count), and set-up, release and binding of a kept stream.
/// Launches are not shortened either: the next one of the same ids begins another use, 65535 tasks later. So the facts
/// of one task grow by one for each reuse of its ids, and all else by the number of streams and models.
class RepeatedFacts {
public:
    /// Adds the fact, or replaces the last one of its run.
    void add(StoredFacts& facts, const StoredFact& stored, Need need);

    /// Gives the memory back: nothing is added any more.
    void end_all_runs() noexcept {
        runs_.clear();
        of_task_.clear();
    }

private:
    /// What a run is about: "the model 3 in lines of this format", "the task 5 on stream 2".
    using Subject = std::tuple<int, std::string, std::vector<std::optional<std::uint64_t>>>;
    /// Indices of facts.
    struct Run {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    /// What was kept of a task.
    struct OfTask {
        std::optional<std::uint32_t> launch;  ///< the last one
        std::map<std::int64_t, Run> runs;     ///< by the thread, which may show the device of the line
    };

    static std::optional<Subject> subject_of(const StoredFact& stored, Need need);
    static void add_to_run(StoredFacts& facts, const StoredFact& stored, Need need, Run& run);
    void add_of_task(StoredFacts& facts, const StoredFact& stored, const TaskKey& task);
    static bool repeats(const StoredFact& launch, const StoredFact& stored);

    std::map<Subject, Run> runs_;
    std::map<TaskKey, OfTask> of_task_;
};

/// Drops from facts in time order, keeping the first of each:
///  * lines that were read twice: the same file under two paths, or copied into two folders;
///  * lines that were written twice: GE repeats an event of the run log in the debug log, with another level text and
///    a little later. Equal statements of one thread within a second are one. In between no model may end, and no line
///    may state another thing about the same task or stream. Launches, overflows and set-ups of streams do repeat: of
///    them only equal lines are dropped;
///  * failures that are reported again later (GetError repeats the sentence), until the ids are launched again.
void drop_repeated_lines(StoredFacts& facts);

}  // namespace opdebug::logs
