// Lines that say the same again and again: of each run of them the first and the last are enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/processes/task_table.hpp"

namespace opdebug::logs {

/// Keeps the facts of one process short. What a run of equal lines states holds from its first to its last line, so
/// those between add nothing:
///  * lines that name the operator or the model of a task (device logs print them for each execution), of one thread. A
///    run ends with any other line on the same task;
///  * lines that name models and graphs, pair their ids, or tell of captures (printed for each execution). A run ends
///    with another content for the same ids, and where a model of that id ends;
///  * launches that are kept for their address only, bindings for the model's name only, and lines on tasks for the
///    name of a node only;
///  * submit lines, of which up to three follow a launch: they tell nothing new, unless that the task is one of a
///    model.
/// What is not shortened: launches (the next one of the same ids begins another use, 65535 tasks later), failures and
/// overflows (their times count), set-up, release and binding of a kept stream. So the facts of one task grow by one
/// for each reuse of its ids, and all else by the number of streams and models.
class RepeatedFacts {
public:
    /// Adds the fact, or puts it in the place of the last one of its run.
    void add(StoredFacts& facts, const StoredFact& stored, Need need);

    /// Gives the memory back: nothing is added any more.
    void end_all_runs() noexcept {
        runs_.clear();
        of_task_.clear();  // some 40 bytes for each task
    }

private:
    /// What a run is about: "the model 3 in lines of this format", "the task 5 on stream 2".
    using Subject = std::tuple<int, std::string, std::vector<std::optional<std::uint64_t>>>;
    /// Places among the facts.
    struct Run {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    /// What was kept of a task. Small, for there is one for each: with a map for the runs of all threads, and with what
    /// was launched in a table of its own, it took 200 bytes and two looks for each line.
    class OfTask {
    public:
        std::optional<std::size_t> launch() const noexcept {
            return launch_ != kNone ? std::optional<std::size_t>(launch_) : std::nullopt;
        }
        void set_launch(std::size_t place) noexcept { launch_ = static_cast<std::uint32_t>(place); }

        /// A run, no matter which; null where there is none.
        const Run* any_run() const noexcept { return first_.last != kNone ? &first_ : nullptr; }
        /// Of the thread, which may tell the device of the line: the known one, or this and true.
        std::pair<Run*, bool> run_of(std::int64_t thread, const Run& begun);
        void end_runs() noexcept {
            first_ = {kNone, kNone};
            further_.reset();
        }

    private:
        static constexpr std::uint32_t kNone = UINT32_MAX;
        std::uint32_t launch_ = kNone;  ///< the last one
        Run first_{kNone, kNone};
        std::int64_t thread_ = 0;  ///< of the first run
        std::unique_ptr<std::map<std::int64_t, Run>> further_;
    };

    static std::optional<Subject> subject_of(const Fact& fact, Need need);
    void end_runs(FactKind kind);
    static void add_to_run(StoredFacts& facts, const StoredFact& stored, Need need, Run& run);
    void add_of_task(StoredFacts& facts, const StoredFact& stored, const TaskKey& task);
    static bool repeats(const StoredFact& launch, const StoredFact& stored);

    std::map<Subject, Run> runs_;
    TaskTable<OfTask> of_task_;
};

}  // namespace opdebug::logs
