#include "logs/task_use.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "logs/same_statement.hpp"

namespace opdebug::logs {
namespace {

using Facts = std::vector<const StoredFact*>;

Facts task_facts(const Process& process, TaskKey task, const Span& span, DeviceFilter device) {
    const auto found = process.of_task.find(task);
    Facts facts = found == process.of_task.end() ? Facts() : facts_inside(process, found->second, span, device);
    facts.erase(std::remove_if(facts.begin(), facts.end(),
                               [](const StoredFact* fact) { return fact->fact.device_id == kOfflineDevice; }),
                facts.end());
    return facts;
}

/// A task of a model: everything said between the unbinding before and its own unbinding is about the same task.
void add_persistent_uses(const Process& process, TaskKey task, const StreamWindow& window,
                         const std::vector<ModelBinding>& bindings, DeviceFilter device, std::vector<TaskUse>& uses) {
    std::int64_t begin = window.span.begin;
    for (const ModelBinding& binding : bindings) {
        TaskUse use;
        use.persistent = true;
        use.window = window;
        use.bindings = {binding};
        use.facts = task_facts(process, task, {begin, binding.span.end}, device);
        if (!use.facts.empty()) {
            use.span = {use.facts.front()->time_us, binding.span.end};
            uses.push_back(std::move(use));
        }
        begin = binding.span.end;
    }
}

/// Each launch of the ids starts a use; where no launch is logged, each operator line with another name than before.
/// One FFTS+ task holds many operators, told apart by context and thread. A launch whose id nobody confirmed starts
/// uses only where no other launch is known: its id may be that of another task.
class UseStarts {
public:
    explicit UseStarts(const Facts& facts)
        : has_launches_(has(facts, [](const Fact& fact) { return is_launch(fact); })),
          has_confirmed_(has(facts, [](const Fact& fact) { return is_launch(fact) && !fact.task_id_unconfirmed; })) {}

    bool has_launches() const noexcept { return has_launches_; }

    bool starts(const Fact& fact) {
        if (has_launches_) {
            return is_launch(fact) && !(has_confirmed_ && fact.task_id_unconfirmed);
        }
        bool starts = std::exchange(is_first_, false);
        if (fact.kind == FactKind::operator_of_task) {
            const auto [known, is_new] = operators_.try_emplace({fact.context_id, fact.thread_id}, fact.operator_name);
            if (!is_new && known->second != fact.operator_name) {
                operators_ = {{known->first, fact.operator_name}};
                starts = true;
            }
        }
        return starts;
    }

private:
    template <class Condition>
    static bool has(const Facts& facts, Condition condition) {
        return std::any_of(facts.begin(), facts.end(), [&](const StoredFact* fact) { return condition(fact->fact); });
    }

    using Context = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;
    bool has_launches_;
    bool has_confirmed_;
    bool is_first_ = true;
    std::map<Context, std::string> operators_;
};

/// Failures and overflows are told after the launch.
bool is_aftermath(const Fact& fact) noexcept {
    return fact.kind == FactKind::fault_kernel || fact.kind == FactKind::task_fault ||
           fact.kind == FactKind::overflow_report;
}

/// Of the uses from `first` on, the one that a line at that time belongs to. Lines beside a launch may stand just
/// before or after it, while the same ids come back only after thousands of tasks: theirs is the use whose begin is
/// nearest, the later of two equally near. Others belong to the use that goes on.
TaskUse& use_of_line(std::vector<TaskUse>& uses, std::size_t first, std::int64_t time, bool beside_launch) {
    const auto begin = uses.begin() + static_cast<std::ptrdiff_t>(first);
    const auto later = std::upper_bound(begin, uses.end(), time,
                                        [](std::int64_t t, const TaskUse& use) { return t < use.span.begin; });
    if (later == begin) {
        return *later;
    }
    const auto earlier = later - 1;
    const bool is_nearer = later != uses.end() && later->span.begin - time <= time - earlier->span.begin;
    return beside_launch && is_nearer ? *later : *earlier;
}

/// A task of single execution: each launch of the ids is a use of its own. Without launch lines each change of the
/// operator is.
void add_single_uses(const Process& process, TaskKey task, const StreamWindow& window, DeviceFilter device,
                     std::vector<TaskUse>& uses) {
    const Facts facts = task_facts(process, task, window.span, device);
    UseStarts starts(facts);
    const std::size_t first = uses.size();
    for (const StoredFact* fact : facts) {
        if (!starts.starts(fact->fact)) {
            continue;
        }
        if (uses.size() > first) {
            uses.back().span.end = fact->time_us;
        }
        TaskUse use;
        use.window = window;
        use.span = {fact->time_us, window.span.end};
        uses.push_back(std::move(use));
    }
    if (uses.size() > first) {
        for (const StoredFact* fact : facts) {
            const bool beside_launch = starts.has_launches() && !is_aftermath(fact->fact);
            use_of_line(uses, first, fact->time_us, beside_launch).facts.push_back(fact);
        }
    }
}

}  // namespace

std::vector<TaskUse> uses_of_task(const Process& process, TaskKey task, DeviceFilter device) {
    std::vector<TaskUse> uses;
    for (const StreamWindow& window : stream_windows(process, task.first, device)) {
        const std::vector<ModelBinding> bindings = model_bindings(process, task.first, window, device);
        StreamWindow rest = window;
        if (!bindings.empty()) {
            add_persistent_uses(process, task, window, bindings, device, uses);
            rest.span.begin = bindings.back().span.end;  // unbound, a stream may still execute single tasks
        }
        add_single_uses(process, task, rest, device, uses);
    }
    return uses;
}

}  // namespace opdebug::logs
