// Launch lines that are printed before the task id is final, and the submit lines that have it; graph capture: tasks
// that are launched on one stream and recorded on another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// The captures of one process, by the times of their lines, which may be in another file than the tasks.
class Captures {
public:
    void begin(const Fact& fact, std::int64_t time) {
        if (!fact.origin_stream_id || !fact.stream_id) {
            return;
        }
        std::vector<Capture>& known = captures_[{*fact.origin_stream_id, *fact.stream_id}];
        const bool goes_on = std::any_of(known.begin(), known.end(), [&](const Capture& capture) {
            return capture.device == fact.device_id && capture.contains(time);
        });
        if (!goes_on) {
            known.push_back({time, std::numeric_limits<std::int64_t>::max(), fact.device_id});
        }
    }

    void end(const Fact& fact, std::int64_t time) {
        if (!fact.origin_stream_id || !fact.stream_id) {
            return;
        }
        for (Capture& capture : captures_[{*fact.origin_stream_id, *fact.stream_id}]) {
            capture.end = capture.contains(time) ? time : capture.end;
        }
    }

    /// Whether tasks launched on `origin` go to `stream` at that time. A device is compared where both lines name one.
    bool leads(std::uint64_t origin, std::uint64_t stream, DeviceFilter device, std::int64_t time) const {
        const auto found = captures_.find({origin, stream});
        return found != captures_.end() &&
               std::any_of(found->second.begin(), found->second.end(), [&](const Capture& capture) {
                   return capture.contains(time) && (!device || !capture.device || capture.device == device);
               });
    }

private:
    struct Capture {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        DeviceFilter device;
        bool contains(std::int64_t time) const noexcept { return begin <= time && time < end; }
    };
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Capture>>
        captures_;  ///< by origin and capture stream
};

/// The launches of one process. From 8.5 on a launch line is printed before the task id is final, on Ascend 950 without
/// any. The next kernel that the same thread submits on the same stream has the final one; a second launch before it
/// means that the first failed. One launch per thread is pending; the others are kept only as long as the process shows
/// no submit line at all (docs/internals/logs.md).
class Launches {
public:
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
    /// 0, which means "not yet", is marked as not confirmed. Where it logs them, the last launch of a thread
    /// counts, marked as well: its submit line may be lost with the end of the log. It goes to `open`.
    void finish(const Decided& decided, const Decided& open);

private:
    struct Pending {
        StoredFact launch;
        bool renumbered = false;
        bool needed = true;
    };
    void replace(Pending& pending, const Decided& decided);

    std::map<std::int64_t, Pending> pending_;  ///< by thread
    std::vector<StoredFact> unsubmitted_;
    std::set<FactKind> kinds_unsubmitted_;
    bool has_submit_lines_ = false;
};

}  // namespace opdebug::logs
