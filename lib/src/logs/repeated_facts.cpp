#include "logs/repeated_facts.hpp"

#include <algorithm>
#include <utility>

#include "logs/fact_view.hpp"

namespace opdebug::logs {
namespace {

/// Lines that name their device need no thread to tell it.
constexpr std::int64_t kAnyThread = -1;

bool describes_a_task(FactKind kind) noexcept {
    return kind == FactKind::operator_of_task || kind == FactKind::model_of_task ||
           kind == FactKind::end_of_graph_task || kind == FactKind::debug_task;
}

/// Whether the two say the same on the subject of a run; ids that count executions do not matter.
bool continues(const FactView& last, const FactView& next, Need need) {
    constexpr std::size_t kKernelName = text_index(&Fact::kernel_name);
    constexpr std::size_t kModelName = text_index(&Fact::model_name);
    constexpr std::size_t kModelId = number_index(&Fact::model_id);
    if (last.time_us > next.time_us) {
        return false;  // another file, which covers an earlier time
    }
    if (need == Need::by_address) {
        return last.text(kKernelName) == next.text(kKernelName);
    }
    if (need == Need::node_name) {
        return true;  // the name is the subject
    }
    if (need == Need::model_name) {
        return last.text(kModelName) == next.text(kModelName);
    }
    return (last.kind == FactKind::capture_stream && last.number(kModelId) == next.number(kModelId)) ||
           says_the_same(last, next);
}

}  // namespace

std::optional<RepeatedFacts::Subject> RepeatedFacts::subject_of(const Fact& fact, Need need) {
    const auto subject = [&](std::vector<std::optional<std::uint64_t>> ids) {
        return Subject{static_cast<int>(fact.kind), fact.format_id, std::move(ids)};
    };
    if (need == Need::by_address) {
        return subject({fact.device_id, fact.stream_id, fact.address1, fact.address2});
    }
    if (need == Need::model_name) {
        return subject({fact.device_id, fact.model_id});
    }
    if (need == Need::node_name) {
        return Subject{static_cast<int>(fact.kind), fact.operator_name, {}};
    }
    switch (fact.kind) {
        case FactKind::ge_model: return subject({fact.device_id, fact.ge_model_id});
        case FactKind::runtime_model: return subject({fact.device_id, fact.model_id});
        case FactKind::graph_name: return subject({fact.graph_id});
        case FactKind::model_execute:
            // With both ids the line pairs them: a run of it ends when one id is paired anew.
            return subject({fact.device_id, fact.model_id ? fact.model_id : fact.ge_model_id, fact.stream_id});
        case FactKind::capture_stream: return subject({fact.device_id, fact.origin_stream_id, fact.stream_id});
        default: return std::nullopt;
    }
}

/// A capture or a model ends: what is said of its ids afterwards is news.
void RepeatedFacts::end_runs(const Fact& fact) {
    if (fact.kind == FactKind::model_end || fact.kind == FactKind::capture_end) {
        runs_.clear();  // rare, and to begin a run anew costs two facts of each subject
    }
}

void RepeatedFacts::add(PackedFacts& facts, const StoredFact& stored, Need need) {
    end_runs(stored.fact);
    const std::size_t next = facts.size();
    const FactView view = view_of(stored);
    const auto add_to_run = [&](Run& run) {
        if (run.first != run.last && continues(facts[run.last], view, need)) {
            facts.replace(run.last, view);
            return;
        }
        const bool second = run.first == run.last && continues(facts[run.last], view, need);
        run = {second ? run.first : next, next};
        facts.add(view);
    };
    const Fact& fact = stored.fact;
    if (const std::optional<Subject> subject = subject_of(fact, need)) {
        const auto [run, is_new] = runs_.try_emplace(*subject, Run{next, next});
        if (is_new) {
            facts.add(view);
        } else {
            add_to_run(run->second);
        }
        return;
    }
    if (need != Need::own || !fact.stream_id || !fact.task_id) {
        facts.add(view);
        return;
    }
    const TaskKey task{*fact.stream_id, *fact.task_id};
    if (!describes_a_task(fact.kind)) {
        if (std::map<std::int64_t, Run>* const ended = task_runs_.find(task)) {
            ended->clear();
        }
        facts.add(view);
        return;
    }
    std::map<std::int64_t, Run>& runs = task_runs_[task];
    const std::int64_t thread = fact.device_id ? kAnyThread : stored.tid;
    // All runs of a task say the same: a line that says another thing ends them, its own thread's with them. So one
    // look is enough, however many threads there are.
    if (!runs.empty() && !says_the_same(facts[runs.begin()->second.last], view)) {
        runs.clear();
    }
    const auto [run, is_new] = runs.try_emplace(thread, Run{next, next});
    if (is_new) {
        facts.add(view);
    } else {
        add_to_run(run->second);
    }
}

}  // namespace opdebug::logs
