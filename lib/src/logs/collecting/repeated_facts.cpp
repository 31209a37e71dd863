#include "logs/collecting/repeated_facts.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"
#include "logs/packing/fact_view.hpp"

namespace opdebug::logs {
namespace {

/// Lines that name their device need no thread to tell it.
constexpr std::int64_t kAnyThread = -1;

bool describes_a_task(FactKind kind) noexcept {
    return kind == FactKind::operator_of_task || kind == FactKind::dumped_with_task ||
           kind == FactKind::model_of_task || kind == FactKind::end_of_graph_task || kind == FactKind::debug_task;
}

/// Whether the two say the same on the subject of a run; ids that count executions do not matter.
bool continues(const FactView& last, const FactView& next, Need need) {
    constexpr std::size_t kKernelName = text_index(&Fact::kernel_name);
    constexpr std::size_t kModelName = text_index(&Fact::model_name);
    constexpr std::size_t kModelId = number_index(&Fact::model_id);
    constexpr std::size_t kOwnNumber = number_index(&Fact::user_device_id);
    if (last.time_us > next.time_us) {
        return false;  // another file, which covers an earlier time
    }
    if (next.number(kOwnNumber) && last.place.file != next.place.file) {
        return false;  // perhaps another run, in which the number is another device's
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
        case FactKind::visible_device: return subject({fact.user_device_id, fact.device_id});
        case FactKind::dump_folder: return subject({fact.dump_folder});
        case FactKind::model_execute:
            // With both ids the line pairs them: a run of it ends when one id is paired anew.
            return subject({fact.device_id, own, fact.model_id ? fact.model_id : fact.ge_model_id, fact.stream_id});
        case FactKind::capture_stream: return subject({fact.device_id, own, fact.origin_stream_id, fact.stream_id});
        default: return std::nullopt;
    }
}

/// A capture or a model ends: what is said of its ids afterwards is news.
void RepeatedFacts::end_runs(const Fact& fact) {
    if (fact.kind == FactKind::model_end || fact.kind == FactKind::capture_end) {
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

void RepeatedFacts::add_to_run(PackedFacts& facts, const StoredFact& stored, Need need, Run& run) {
    const FactView view = view_of(stored);
    const bool goes_on = continues(facts[run.last], view, need);
    if (goes_on && run.first != run.last) {
        facts.replace(run.last, view);
        return;
    }
    const auto next = static_cast<std::uint32_t>(facts.size());
    run = {goes_on ? run.first : next, next};
    facts.add(view);
}

void RepeatedFacts::add(PackedFacts& facts, const StoredFact& stored, Need need) {
    const Fact& fact = stored.fact;
    end_runs(fact);
    if (const std::optional<Subject> subject = subject_of(fact, need)) {
        const auto next = static_cast<std::uint32_t>(facts.size());
        const auto [run, is_new] = runs_.try_emplace(*subject, Run{next, next});
        if (is_new) {
            facts.add(view_of(stored));
        } else {
            add_to_run(facts, stored, need, run->second);
        }
    } else if (need == Need::own && fact.stream_id && fact.task_id) {
        add_of_task(facts, stored, {*fact.stream_id, *fact.task_id});
    } else {
        facts.add(view_of(stored));
    }
}

void RepeatedFacts::add_of_task(PackedFacts& facts, const StoredFact& stored, const TaskKey& task) {
    const FactKind kind = stored.fact.kind;
    const auto next = static_cast<std::uint32_t>(facts.size());
    if (describes_a_task(kind)) {
        OfTask& known = of_task_[task];
        // All runs of a task say the same: a line that says another thing ends them, its own thread's with them. So one
        // look is enough, however many threads there are.
        if (const Run* const any = known.any_run();
            any != nullptr && !says_the_same(facts[any->last], view_of(stored))) {
            known.end_runs();
        }
        const auto [run, is_new] = known.run_of(stored.fact.device_id ? kAnyThread : stored.tid, Run{next, next});
        if (!is_new) {
            add_to_run(facts, stored, Need::own, *run);
            return;
        }
    } else if (is_kernel_launch(kind)) {
        OfTask& known = of_task_[task];
        known.end_runs();
        known.set_launch(next);
    } else if (OfTask* const known = of_task_.find(task)) {
        if (const auto launch = known->launch(); launch && repeats(facts, *launch, stored)) {
            return;
        }
        known->end_runs();
    }
    facts.add(view_of(stored));
}

/// A submit line of the launch.
bool RepeatedFacts::repeats(const PackedFacts& facts, std::size_t launch, const StoredFact& stored) {
    if (!submits_a_kernel(stored.fact) || stored.fact.of_model) {
        return false;
    }
    const FactView launched = facts[launch];
    if (launched.number(number_index(&Fact::user_device_id)) != stored.fact.user_device_id) {
        return false;  // whether they name one device is not known yet
    }
    TaskIds ids;
    ids.task_type = launched.number(number_index(&Fact::task_type));
    ids.device_id = launched.device_id();
    ids.task_sn = launched.number(number_index(&Fact::task_sn));
    const std::int64_t wait = stored.time_us - launched.time_us;
    return wait >= 0 && wait <= kTogetherUs && may_be_one_launch(ids, stored.fact);
}

}  // namespace opdebug::logs
