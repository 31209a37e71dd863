#include "logs/collecting/repeated_facts.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

/// Lines that name their device need no thread to tell it.
constexpr std::int64_t kAnyThread = -1;

bool describes_a_task(FactKind kind) noexcept {
    return kind == FactKind::operator_of_task || kind == FactKind::dumped_with_task ||
           kind == FactKind::model_of_task || kind == FactKind::end_of_graph_task || kind == FactKind::debug_task;
}

/// Whether the two say the same on the subject of a run; ids that count executions do not matter.
bool continues(const StoredFact& last, const StoredFact& next, Need need) {
    if (last.time_us > next.time_us) {
        return false;  // another file, which covers an earlier time
    }
    if (next.fact.user_device_id && last.place.file != next.place.file) {
        return false;  // perhaps another run, in which the number is another device's
    }
    if (need == Need::by_address) {
        return last.fact.kernel_name == next.fact.kernel_name;
    }
    if (need == Need::node_name) {
        return true;  // the name is the subject
    }
    if (need == Need::model_name) {
        return last.fact.model_name == next.fact.model_name;
    }
    return (last.fact.kind == FactKind::capture_stream && last.fact.model_id == next.fact.model_id) ||
           says_the_same(last.fact, next.fact);
}

/// Moved in: where the copy of a fact gets no memory, the list frees the place that it was made for twice.
void add_fact(StoredFacts& facts, StoredFact stored) {
    facts.push_back(std::move(stored));
}

}  // namespace

std::optional<RepeatedFacts::Subject> RepeatedFacts::subject_of(const Fact& fact, Need need) {
    const auto subject = [&](std::vector<std::optional<std::uint64_t>> ids) {
        return Subject{static_cast<int>(fact.kind), fact.format_id, std::move(ids)};
    };
    const std::optional<std::uint64_t>& own = fact.user_device_id;  // whose device is not known yet
    if (need == Need::by_address) {
        return subject({fact.device_id, own, fact.stream_id, fact.address1, fact.address2});
    }
    if (need == Need::model_name) {
        return subject({fact.device_id, own, fact.model_id});
    }
    if (need == Need::node_name) {
        return Subject{static_cast<int>(fact.kind), fact.operator_name, {}};
    }
    switch (fact.kind) {
        case FactKind::ge_model: return subject({fact.device_id, own, fact.ge_model_id});
        case FactKind::runtime_model: return subject({fact.device_id, own, fact.model_id});
        case FactKind::graph_name: return subject({fact.graph_id});
        case FactKind::visible_device: return subject({own, fact.device_id});
        case FactKind::dump_folder: return subject({fact.dump_folder});
        case FactKind::model_execute:
            // With both ids the line pairs them: a run of it ends when one id is paired anew.
            return subject({fact.device_id, own, fact.model_id ? fact.model_id : fact.ge_model_id, fact.stream_id});
        case FactKind::capture_stream: return subject({fact.device_id, own, fact.origin_stream_id, fact.stream_id});
        default: return std::nullopt;
    }
}

/// A capture or a model ends: what is said of its ids afterwards is news.
void RepeatedFacts::end_runs(FactKind kind) {
    if (kind == FactKind::model_end || kind == FactKind::capture_end) {
        runs_.clear();  // rare, and to begin a run anew costs two facts of each subject
    }
}

std::pair<RepeatedFacts::Run*, bool> RepeatedFacts::OfTask::run_of(std::int64_t thread, const Run& begun) {
    if (any_run() == nullptr) {
        first_ = begun;
        thread_ = thread;
        return {&first_, true};
    }
    if (thread_ == thread) {
        return {&first_, false};
    }
    if (further_ == nullptr) {
        further_ = std::make_unique<std::map<std::int64_t, Run>>();
    }
    const auto [run, is_new] = further_->try_emplace(thread, begun);
    return {&run->second, is_new};
}

void RepeatedFacts::add_to_run(StoredFacts& facts, const StoredFact& stored, Need need, Run& run) {
    const bool goes_on = continues(facts[run.last], stored, need);
    if (goes_on && run.first != run.last) {
        facts[run.last] = stored;
        return;
    }
    const auto next = static_cast<std::uint32_t>(facts.size());
    run = {goes_on ? run.first : next, next};
    add_fact(facts, stored);
}

void RepeatedFacts::add(StoredFacts& facts, const StoredFact& stored, Need need) {
    const Fact& fact = stored.fact;
    const bool has_task = fact.stream_id && fact.task_id;
    end_runs(fact.kind);
    if (const std::optional<Subject> subject = subject_of(fact, need)) {
        const auto next = static_cast<std::uint32_t>(facts.size());
        const auto [run, is_new] = runs_.try_emplace(*subject, Run{next, next});
        if (is_new) {
            add_fact(facts, stored);
        } else {
            add_to_run(facts, stored, need, run->second);
        }
    } else if (need == Need::own && has_task) {
        add_of_task(facts, stored, {*fact.stream_id, *fact.task_id});
    } else {
        add_fact(facts, stored);
    }
}

void RepeatedFacts::add_of_task(StoredFacts& facts, const StoredFact& stored, const TaskKey& task) {
    const auto next = static_cast<std::uint32_t>(facts.size());
    const Fact& fact = stored.fact;
    if (describes_a_task(fact.kind)) {
        OfTask& known = of_task_[task];
        // All runs of a task say the same: a line that says another thing ends them, its own thread's with them. So one
        // look is enough, however many threads there are.
        if (const Run* const any = known.any_run(); any != nullptr && !says_the_same(facts[any->last].fact, fact)) {
            known.end_runs();
        }
        const auto [run, is_new] = known.run_of(fact.device_id ? kAnyThread : stored.tid, Run{next, next});
        if (!is_new) {
            add_to_run(facts, stored, Need::own, *run);
            return;
        }
    } else if (is_kernel_launch(fact.kind)) {
        OfTask& known = of_task_[task];
        known.end_runs();
        known.set_launch(next);
    } else if (OfTask* const known = of_task_.find(task)) {
        if (const auto launch = known->launch(); launch && repeats(facts[*launch], stored)) {
            return;
        }
        known->end_runs();
    }
    add_fact(facts, stored);
}

/// A submit line of the launch.
bool RepeatedFacts::repeats(const StoredFact& launch, const StoredFact& stored) {
    const Fact& fact = stored.fact;
    if (!submits_a_kernel(fact) || fact.of_model) {
        return false;
    }
    if (launch.fact.user_device_id != fact.user_device_id) {
        return false;  // whether they name one device is not known yet
    }
    const std::int64_t wait = stored.time_us - launch.time_us;
    // A later submit line belongs to another launch, whose own line is not in the log.
    const std::int64_t longest = launch.submit ? kSentTogetherUs : kTogetherUs;
    return wait >= 0 && wait <= longest && may_be_one_launch(launch.fact, fact);
}

}  // namespace opdebug::logs
