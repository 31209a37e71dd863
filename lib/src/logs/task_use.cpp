#include "logs/task_use.hpp"

#include <algorithm>
#include <cstdlib>

namespace opdebug::logs {
namespace {

using Facts = std::vector<const StoredFact*>;

Facts facts_inside(const Process& process, TaskKey task, const Span& span) {
    Facts inside;
    const auto found = process.of_task.find(task);
    if (found != process.of_task.end()) {
        for (const std::size_t index : found->second) {
            if (span.contains(process.facts[index].time_us)) {
                inside.push_back(&process.facts[index]);
            }
        }
    }
    return inside;
}

/// A task of a model: everything said between the unbinding before and its own unbinding is about the same task.
void add_persistent_uses(const Process& process, TaskKey task, const StreamWindow& window,
                         const std::vector<ModelBinding>& bindings, std::vector<TaskUse>& uses) {
    std::int64_t begin = window.span.begin;
    for (const ModelBinding& binding : bindings) {
        TaskUse use;
        use.persistent = true;
        use.window = window;
        use.bindings = {binding};
        use.facts = facts_inside(process, task, {begin, binding.span.end});
        if (!use.facts.empty()) {
            use.span = {use.facts.front()->time_us, binding.span.end};
            uses.push_back(std::move(use));
        }
        begin = binding.span.end;
    }
}

bool starts_a_use(const StoredFact& fact, bool has_launches, const StoredFact* previous) {
    if (has_launches) {
        return fact.fact.kind == FactKind::kernel_of_task;
    }
    return previous == nullptr || fact.fact.operator_name != previous->fact.operator_name ||
           fact.fact.kind != previous->fact.kind;
}

/// The use whose begin is nearest to the time: GE's lines on a task stand just before or after its launch line, while
/// the same ids come back only after thousands of tasks.
TaskUse& nearest_use(std::vector<TaskUse>& uses, std::size_t first, std::int64_t time) {
    std::size_t best = first;
    for (std::size_t i = first; i < uses.size(); ++i) {
        if (std::llabs(uses[i].span.begin - time) < std::llabs(uses[best].span.begin - time)) {
            best = i;
        }
    }
    return uses[best];
}

/// A task of single execution: each launch of the ids is a use of its own. Without launch lines each change of the
/// operator is.
void add_single_uses(const Process& process, TaskKey task, const StreamWindow& window, std::vector<TaskUse>& uses) {
    const Facts facts = facts_inside(process, task, window.span);
    const bool has_launches = std::any_of(
        facts.begin(), facts.end(), [](const StoredFact* fact) { return fact->fact.kind == FactKind::kernel_of_task; });
    const std::size_t first = uses.size();
    const StoredFact* previous = nullptr;
    for (const StoredFact* fact : facts) {
        if (fact->fact.kind == FactKind::submit) {
            continue;
        }
        if (starts_a_use(*fact, has_launches, previous)) {
            if (uses.size() > first) {
                uses.back().span.end = fact->time_us;
            }
            TaskUse use;
            use.window = window;
            use.span = {fact->time_us, window.span.end};
            uses.push_back(std::move(use));
        }
        previous = fact;
    }
    if (uses.size() > first) {
        for (const StoredFact* fact : facts) {
            nearest_use(uses, first, fact->time_us).facts.push_back(fact);
        }
    }
}

}  // namespace

std::vector<TaskUse> uses_of_task(const Process& process, TaskKey task) {
    std::vector<TaskUse> uses;
    for (const StreamWindow& window : stream_windows(process, task.first)) {
        const std::vector<ModelBinding> bindings = model_bindings(process, task.first, window);
        if (bindings.empty()) {
            add_single_uses(process, task, window, uses);
        } else {
            add_persistent_uses(process, task, window, bindings, uses);
            // Once its last model is unbound, a stream may still execute single tasks.
            StreamWindow rest = window;
            rest.span.begin = bindings.back().span.end;
            add_single_uses(process, task, rest, uses);
        }
    }
    return uses;
}

}  // namespace opdebug::logs
