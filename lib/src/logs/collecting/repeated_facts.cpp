#include "logs/collecting/repeated_facts.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"
#include "logs/formats/unasked_format.hpp"

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
    if (last.time_us > next.time_us) {
        return false;  // another file, which covers an earlier time
    }
    if (next.number<&Fact::user_device_id>() && last.place.file != next.place.file) {
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
    return (last.kind == FactKind::capture_stream &&
            last.number<&Fact::model_id>() == next.number<&Fact::model_id>()) ||
           says_the_same(last, next);
}

}  // namespace

std::optional<RepeatedFacts::Subject> RepeatedFacts::subject_of(const FactView& fact, Need need) {
    const auto subject = [&](std::vector<std::optional<std::uint64_t>> ids) {
        return Subject{static_cast<int>(fact.kind), std::string(fact.format_id), std::move(ids)};
    };
    const std::optional<std::uint64_t> device_id = fact.device_id();
    const std::optional<std::uint64_t> own = fact.number<&Fact::user_device_id>();  // whose device is not known yet
    const std::optional<std::uint64_t> model_id = fact.number<&Fact::model_id>();
    const std::optional<std::uint64_t> ge_model_id = fact.number<&Fact::ge_model_id>();
    if (need == Need::by_address) {
        return subject(
            {device_id, own, fact.stream_id(), fact.number<&Fact::address1>(), fact.number<&Fact::address2>()});
    }
    if (need == Need::model_name) {
        return subject({device_id, own, model_id});
    }
    if (need == Need::node_name) {
        return Subject{static_cast<int>(fact.kind), std::string(fact.text(text_index(&Fact::operator_name))), {}};
    }
    switch (fact.kind) {
        case FactKind::ge_model: return subject({device_id, own, ge_model_id});
        case FactKind::runtime_model: return subject({device_id, own, model_id});
        case FactKind::graph_name: return subject({fact.number<&Fact::graph_id>()});
        case FactKind::visible_device: return subject({own, device_id});
        case FactKind::dump_folder: return subject({fact.number<&Fact::dump_folder>()});
        case FactKind::model_execute:
            // With both ids the line pairs them: a run of it ends when one id is paired anew.
            return subject({device_id, own, model_id ? model_id : ge_model_id, fact.stream_id()});
        case FactKind::capture_stream:
            return subject({device_id, own, fact.number<&Fact::origin_stream_id>(), fact.stream_id()});
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

void RepeatedFacts::add_to_run(PackedFacts& facts, const FactView& fact, Need need, Run& run) {
    const bool goes_on = continues(facts[run.last], fact, need);
    if (goes_on && run.first != run.last) {
        facts.replace(run.last, fact);
        return;
    }
    const auto next = static_cast<std::uint32_t>(facts.size());
    run = {goes_on ? run.first : next, next};
    facts.add(fact);
}

void RepeatedFacts::add(PackedFacts& facts, const FactView& fact, Need need) {
    const std::optional<std::uint64_t> stream_id = fact.stream_id(), task_id = fact.task_id();
    if (need == Need::own && is_of_one_task(fact.kind)) {  // most: nothing of what follows is looked at
        if (stream_id && task_id) {
            add_of_task(facts, fact, {*stream_id, *task_id});
        } else {
            facts.add(fact);
        }
        return;
    }
    end_runs(fact.kind);
    if (const std::optional<Subject> subject = subject_of(fact, need)) {
        const auto next = static_cast<std::uint32_t>(facts.size());
        const auto [run, is_new] = runs_.try_emplace(*subject, Run{next, next});
        if (is_new) {
            facts.add(fact);
        } else {
            add_to_run(facts, fact, need, run->second);
        }
    } else if (need == Need::own && stream_id && task_id) {
        add_of_task(facts, fact, {*stream_id, *task_id});
    } else {
        facts.add(fact);
    }
}

void RepeatedFacts::add_of_task(PackedFacts& facts, const FactView& fact, const TaskKey& task) {
    const auto next = static_cast<std::uint32_t>(facts.size());
    if (describes_a_task(fact.kind)) {
        OfTask& known = of_task_[task];
        // All runs of a task say the same: a line that says another thing ends them, its own thread's with them. So one
        // look is enough, however many threads there are.
        if (const Run* const any = known.any_run(); any != nullptr && !says_the_same(facts[any->last], fact)) {
            known.end_runs();
        }
        const auto [run, is_new] = known.run_of(fact.device_id() ? kAnyThread : fact.tid, Run{next, next});
        if (!is_new) {
            add_to_run(facts, fact, Need::own, *run);
            return;
        }
    } else if (is_kernel_launch(fact.kind)) {
        OfTask& known = of_task_[task];
        known.end_runs();
        known.set_launch(next);
    } else if (OfTask* const known = of_task_.find(task)) {
        if (const auto launch = known->launch(); launch && repeats(facts, *launch, fact)) {
            return;
        }
        known->end_runs();
    }
    facts.add(fact);
}

/// A submit line of the launch.
bool RepeatedFacts::repeats(const PackedFacts& facts, std::size_t launch, const FactView& fact) {
    const TaskIds ids = fact.task_ids();
    if (!submits_a_kernel(fact.kind, ids.task_type.value_or(kKernelOfAnyType)) ||
        fact.flag(flag_index(&Fact::of_model))) {
        return false;
    }
    const FactNumbers launched = facts.numbers(launch);
    if (launched.number<&Fact::user_device_id>() != fact.number<&Fact::user_device_id>()) {
        return false;  // whether they name one device is not known yet
    }
    const std::int64_t wait = fact.time_us - facts.time_us(launch);
    return wait >= 0 && wait <= kTogetherUs && may_be_one_launch(launched.task_ids(), ids);
}

}  // namespace opdebug::logs
