// Launch lines that are printed before the task id is final, and the submit lines that have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "logs/collecting/captures.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// The launches of one process. From 8.5 on a launch line is printed before the task id is final, on Ascend 950 without
/// any: the next kernel that the same thread submits on the same stream has the final one, and a second launch before
/// it means that the first failed. One launch per thread is pending; the others are kept only as long as the process
/// shows no submit line at all (docs/internals/logs.md).
class Launches {
public:
    /// Takes what is decided, where it lies: moved into a list, its texts went and had to be got for the next launch.
    using Decided = std::function<void(const StoredFact&)>;

    /// A launch line. What is decided by it goes to `decided`. Launches whose own ids are not `needed` do not wait for
    /// the end of a log without submit lines, but the first of each kind.
    void launch(StoredFact&& launch, bool needed, const Decided& decided);

    /// A submit line of a kernel: the pending launch of its thread, if they belong together, is decided. Else the line
    /// itself is: it repeats an earlier submit line, or the launch line is missing (AICPU kernels of 2023 have none).
    void submit(const StoredFact& submit, const Captures& captures, const Decided& decided);

    /// The pending launch of the thread got another id; a submit line may follow, and if none does the id is final.
    void renumber(StoredFact&& renumbering, const Captures& captures);

    /// The end of the logs. Where the process logs no submit lines (level, loss), each launch counts with its own id;
    /// 0, which stands for "not yet", is marked as not confirmed. Where it logs them, the last launch of a thread
    /// counts, marked as well: its submit line may be lost with the end of the log. It goes to `open`.
    void finish(const Decided& decided, const Decided& open);

private:
    /// It stays when its launch is decided, of kMostKept threads: the next one is moved into the same memory, which
    /// otherwise took longer to give back and to get than the launch to read.
    struct Pending {
        StoredFact launch;
        FurtherLine submit_memory;  ///< of the launch before
        bool is_open = false;       ///< else there is none
        bool renumbered = false;
        bool needed = true;
    };
    void replace(Pending& pending, const Decided& decided);
    Pending* find_open(std::int64_t thread);
    void close(std::int64_t thread, Pending& pending);

    static constexpr std::size_t kMostKept = 1024;  ///< more than a job has threads that launch

    std::map<std::int64_t, Pending> pending_;  ///< by thread
    std::vector<StoredFact> unsubmitted_;
    std::set<FactKind> kinds_unsubmitted_;
    bool has_submit_lines_ = false;
};

}  // namespace opdebug::logs
