#include "logs/task_use.hpp"

#include <algorithm>
#include <string>

namespace opdebug::logs {
namespace {

using Facts = std::vector<const StoredFact*>;

Facts task_facts(const Process& process, TaskKey task, const Span& span, DeviceFilter device) {
    const auto found = process.of_task.find(task);
    return found == process.of_task.end() ? Facts() : facts_inside(process, found->second, span, device);
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

bool is_launch(const StoredFact& fact) {
    return fact.fact.kind == FactKind::kernel_of_task || fact.fact.kind == FactKind::unnamed_launch ||
           fact.fact.kind == FactKind::submit;
}

/// Each launch of the ids starts a use; where no launch is logged, each operator line with another name than before.
class UseStarts {
public:
    explicit UseStarts(bool has_launches) : has_launches_(has_launches) {}

    bool starts(const StoredFact& fact) {
        if (has_launches_) {
            return is_launch(fact);
        }
        const bool names_operator = fact.fact.kind == FactKind::operator_of_task;
        const bool starts = is_first_ || (names_operator && !operator_.empty() && fact.fact.operator_name != operator_);
        operator_ = names_operator ? fact.fact.operator_name : operator_;
        is_first_ = false;
        return starts;
    }

private:
    bool has_launches_;
    bool is_first_ = true;
    std::string operator_;
};

/// Of the uses from `first` on, the one whose begin is nearest to the time, the later of two equally near: GE's lines
/// on a task stand just before or after its launch line, while the same ids come back only after thousands of tasks.
TaskUse& nearest_use(std::vector<TaskUse>& uses, std::size_t first, std::int64_t time) {
    const auto begin = uses.begin() + static_cast<std::ptrdiff_t>(first);
    const auto later = std::upper_bound(begin, uses.end(), time,
                                        [](std::int64_t t, const TaskUse& use) { return t < use.span.begin; });
    if (later == begin) {
        return *later;
    }
    const auto earlier = later - 1;
    return later != uses.end() && later->span.begin - time <= time - earlier->span.begin ? *later : *earlier;
}

/// A task of single execution: each launch of the ids is a use of its own. Without launch lines each change of the
/// operator is.
void add_single_uses(const Process& process, TaskKey task, const StreamWindow& window, DeviceFilter device,
                     std::vector<TaskUse>& uses) {
    const Facts facts = task_facts(process, task, window.span, device);
    UseStarts starts(std::any_of(facts.begin(), facts.end(), [](const StoredFact* fact) { return is_launch(*fact); }));
    const std::size_t first = uses.size();
    for (const StoredFact* fact : facts) {
        if (!starts.starts(*fact)) {
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
            nearest_use(uses, first, fact->time_us).facts.push_back(fact);
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
