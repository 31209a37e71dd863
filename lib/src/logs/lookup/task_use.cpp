#include "logs/lookup/task_use.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

using Facts = std::vector<const StoredFact*>;
/// Some of the facts on a task, in time order.
using FactsOfTask = std::span<const StoredFact* const>;

bool is_before(const StoredFact* fact, std::int64_t time) noexcept {
    return fact->time_us < time;
}

FactsOfTask facts_inside(FactsOfTask facts, const Span& span) {
    const auto begin = std::lower_bound(facts.begin(), facts.end(), span.begin, is_before);
    return {begin, std::lower_bound(begin, facts.end(), span.end, is_before)};
}

Facts facts_of_task(const Process& process, TaskKey task, DeviceFilter device) {
    Facts facts = facts_inside(process, process.of_task.of(task), Span(), device);
    facts.erase(std::remove_if(facts.begin(), facts.end(),
                               [](const StoredFact* fact) { return fact->fact.device_id == kOfflineDevice; }),
                facts.end());
    return facts;
}

/// A trace follows its launch by microseconds, with a slow disk by milliseconds.
constexpr std::int64_t kTraceUs = 50'000;

bool is_execution_trace(const Fact& fact) {
    return fact.kind == FactKind::operator_of_task && fact.format_id.starts_with("ge.kernel_trace");
}

}  // namespace

bool is_same_kernel(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() || a.compare(0, b.size(), b) == 0 || b.compare(0, a.size(), a) == 0;
}

namespace {

/// Where the uses of a task begin in its facts, which come in time order:
///  * with each launch. The submit line of a kernel counts where no launch of the ids is near. A launch whose id nobody
///    confirmed counts only where no other launch is known: its id may be that of another task;
///  * with an operator of another name than before, unless a launch is near. One FFTS+ task holds many operators with
///    different contexts and threads. Names in the list of dumps begin none: it names producers of inputs, too;
///  * with the failure of another kernel, or after another number of wraps: the launch line was lost.
class UseStarts {
public:
    explicit UseStarts(FactsOfTask facts) {
        for (const StoredFact* fact : facts) {
            if (is_kernel_launch(fact->fact)) {
                launches_.push_back(fact);
            } else if (submits_a_kernel(fact->fact)) {
                submits_.push_back(fact);
            }
            has_launches_ = has_launches_ || is_launch(fact->fact);
            has_confirmed_ = has_confirmed_ || (is_launch(fact->fact) && !fact->fact.task_id_unconfirmed);
        }
    }

    bool has_launches() const noexcept { return has_launches_; }

    bool starts(const StoredFact& stored) {
        const Fact& fact = stored.fact;
        bool starts = !has_launches_ && !in_use_;
        if (is_launch(fact)) {
            starts = !(has_confirmed_ && fact.task_id_unconfirmed) && !repeats_a_launch(stored);
        } else if (fact.kind == FactKind::operator_of_task) {
            starts = is_other_operator(stored) || is_of_other_model(stored) || starts;
        } else if (is_no_operator(fact.kind)) {
            starts = is_of_other_model(stored) || starts;
        } else if (fact.kind == FactKind::fault_kernel || fact.kind == FactKind::task_fault) {
            starts = is_other_fault(fact) || starts;
        }
        if (starts) {
            begin(stored);
        }
        in_use_ = in_use_ || starts;
        return starts;
    }

private:
    using Context = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;
    struct Operator {
        std::int64_t time = 0;
        std::string name;
    };

    /// The end of a graph or the task that collects overflows: of another model than an operator with the ids.
    static bool is_no_operator(FactKind kind) noexcept {
        return kind == FactKind::end_of_graph_task || kind == FactKind::model_of_stream || kind == FactKind::debug_task;
    }
    bool is_of_other_model(const StoredFact& stored) const {
        return in_use_ && first_ != nullptr && is_no_operator(first_->fact.kind) != is_no_operator(stored.fact.kind) &&
               stored.time_us - first_->time_us > kTraceUs;
    }

    static bool is_near(const Facts& facts, std::int64_t time, std::int64_t within_us) {
        const auto next = std::lower_bound(facts.begin(), facts.end(), time - within_us, is_before);
        return next != facts.end() && (*next)->time_us <= time + within_us;
    }
    bool is_near_launch(std::int64_t time) const { return is_near(launches_, time, kTogetherUs); }

    /// Each format reports a submission once: the same one again, later, is of a launch whose line is lost.
    bool is_sent_again(const StoredFact& stored) {
        const auto [known, is_new] = sent_us_.try_emplace(stored.fact.format_id, stored.time_us);
        const bool is_again = !is_new && in_use_ && stored.time_us - known->second > kTraceUs;
        known->second = stored.time_us;
        return is_again;
    }

    /// Submit lines of a kernel that was launched, and others of a kernel whose launch line is missing. Up to three
    /// formats report the same submission.
    bool repeats_a_launch(const StoredFact& stored) {
        if (!submits_a_kernel(stored.fact) || is_sent_again(stored)) {
            return false;
        }
        auto near = std::lower_bound(launches_.begin(), launches_.end(), stored.time_us - kTogetherUs, is_before);
        for (; near != launches_.end() && (*near)->time_us <= stored.time_us + kTogetherUs; ++near) {
            // A launch that has its submit line already is sent by another one only within moments.
            const bool is_sent =
                (*near)->submit && distance_us((*near)->time_us, stored.time_us) > std::uint64_t{kSentTogetherUs};
            if (!is_sent && may_be_one_launch((*near)->fact, stored.fact)) {
                return true;
            }
        }
        return submit_ != nullptr && stored.time_us - submit_->time_us <= kTogetherUs &&
               may_be_one_launch(submit_->fact, stored.fact) && submit_formats_.insert(stored.fact.format_id).second;
    }

    /// The trace of an execution follows its launch by microseconds: one without was that of a launch whose lines are
    /// lost, and does not name the next one.
    bool is_trace_alone(const StoredFact& stored) const {
        return is_execution_trace(stored.fact) && !is_near(launches_, stored.time_us, kTraceUs) &&
               !is_near(submits_, stored.time_us, kTraceUs) &&
               !(last_trace_us_ && stored.time_us - *last_trace_us_ <= kTraceUs);
    }

    bool is_other_operator(const StoredFact& stored) {
        const bool is_alone = is_trace_alone(stored);
        if (is_execution_trace(stored.fact)) {
            last_trace_us_ = stored.time_us;
        }
        const Context context{stored.fact.context_id, stored.fact.thread_id};
        const auto [known, is_new] = operators_.try_emplace(context, Operator{stored.time_us, ""});
        const bool differs = !is_new && known->second.name != stored.fact.operator_name;
        known->second = {stored.time_us, stored.fact.operator_name};
        return is_alone || (differs && !is_near_launch(stored.time_us));
    }

    bool is_other_fault(const Fact& fault) const {
        const bool other_flip = flip_num_ && fault.flip_num && *flip_num_ != *fault.flip_num;
        return other_flip ||
               (fault.kind == FactKind::fault_kernel && (!in_use_ || !is_same_kernel(kernel_, fault.kernel_name)));
    }

    void begin(const StoredFact& stored) {
        const Fact& fact = stored.fact;
        first_ = &stored;
        // An AICPU kernel is launched by the name of its entry and fails by its own.
        const bool is_aicpu = fact.task_type == std::uint64_t{1};
        kernel_ = is_aicpu ? std::string() : fact.kernel_name;
        if (is_kernel_launch(fact)) {
            sent_us_.clear();
        }
        flip_num_ = fact.flip_num;
        submit_ = submits_a_kernel(fact) ? &stored : nullptr;
        submit_formats_ = {fact.format_id};
        // The operator's line may come just before its launch.
        for (auto known = operators_.begin(); known != operators_.end();) {
            const bool is_old = known->second.time < stored.time_us - kTogetherUs ||
                                (fact.kind == FactKind::operator_of_task && known->second.time < stored.time_us);
            known = is_old ? operators_.erase(known) : std::next(known);
        }
    }

    Facts launches_;
    Facts submits_;
    bool has_launches_ = false;
    bool has_confirmed_ = false;
    bool in_use_ = false;
    // of the use that goes on
    const StoredFact* first_ = nullptr;
    std::map<Context, Operator> operators_;
    std::string kernel_;
    std::optional<std::uint64_t> flip_num_;
    const StoredFact* submit_ = nullptr;  ///< that began it
    std::optional<std::int64_t> last_trace_us_;
    std::set<std::string_view> submit_formats_;
    std::map<std::string_view, std::int64_t> sent_us_;  ///< when each format reported a submission last
};

/// Failures and overflows are reported after the launch.
bool is_aftermath(const Fact& fact) noexcept {
    return fact.kind == FactKind::fault_kernel || fact.kind == FactKind::task_fault ||
           fact.kind == FactKind::overflow_report;
}

/// Of the uses from `first` on, the one that a line at that time belongs to. Lines next to a launch may come just
/// before or after it, while the same ids come back only after thousands of tasks. Their use is the one with the
/// nearest begin, the later of two equally near. Other lines belong to the use that goes on.
TaskUse& use_of_line(std::vector<TaskUse>& uses, std::size_t first, std::int64_t time, bool near_launch) {
    const auto begin = uses.begin() + static_cast<std::ptrdiff_t>(first);
    const auto later = std::upper_bound(begin, uses.end(), time,
                                        [](std::int64_t t, const TaskUse& use) { return t < use.span.begin; });
    if (later == begin) {
        return *later;
    }
    const auto earlier = later - 1;
    const bool is_nearer = later != uses.end() && later->span.begin - time <= time - earlier->span.begin &&
                           later->span.begin - time <= kTogetherUs;
    return near_launch && is_nearer ? *later : *earlier;
}

/// A task of single execution: each launch of the ids is a use of its own. Some lines show that the task is one of a
/// model though no line binds its stream: since 8.5 the run log holds bindings.
void add_single_uses(FactsOfTask facts, const StreamWindow& window, std::vector<TaskUse>& uses) {
    UseStarts starts(facts);
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
            const bool near_launch = starts.has_launches() && !is_aftermath(fact->fact);
            TaskUse& use = use_of_line(uses, first, fact->time_us, near_launch);
            use.facts.push_back(fact);
            use.persistent = use.persistent || fact->fact.of_model;
        }
    }
}

bool names_operator_or_kernel(FactsOfTask facts) {
    return std::any_of(facts.begin(), facts.end(),
                       [](const StoredFact* fact) { return names_what_runs(fact->fact.kind); });
}

/// Lines on a model's tasks before its binding come just before.
constexpr std::int64_t kJustBeforeUs = 1'000'000;

/// A task of a model: all lines from its binding, or just before, to its unbinding are about the same task. So are
/// lines long before, since the unbinding before, where nothing names the task later.
void add_persistent_uses(FactsOfTask facts, const WindowHistory& history, std::vector<TaskUse>& uses) {
    std::int64_t begin = history.window.span.begin;
    for (const ModelBinding& binding : history.bindings) {
        const std::int64_t bound = std::max(binding.span.begin, kBeginOfTime + kJustBeforeUs) - kJustBeforeUs;
        const FactsOfTask before = facts_inside(facts, {begin, bound});
        FactsOfTask inside = facts_inside(facts, {std::max(begin, bound), binding.span.end});
        if (names_operator_or_kernel(before) && names_operator_or_kernel(inside)) {
            StreamWindow unbound = history.window;  // in which tasks are of single execution
            unbound.span = {begin, binding.span.begin};
            unbound.closed_by = nullptr;
            add_single_uses(before, unbound, uses);
        } else {
            inside = facts_inside(facts, {begin, binding.span.end});
        }
        if (!inside.empty()) {
            TaskUse use;
            use.persistent = true;
            use.window = history.window;
            use.bindings = {binding};
            use.facts.assign(inside.begin(), inside.end());
            use.span = {use.facts.front()->time_us, binding.span.end};
            uses.push_back(std::move(use));
        }
        begin = binding.span.end;
    }
}

void put_in_order(std::vector<TaskUse>& uses, std::size_t first) {
    std::stable_sort(uses.begin() + static_cast<std::ptrdiff_t>(first), uses.end(),
                     [](const TaskUse& a, const TaskUse& b) { return a.span.begin < b.span.begin; });
}

/// Lines since GE set the stream up for a model count until the model is unloaded. Later lines are about other tasks,
/// even for the same model. A thread loads one model after the other.
void add_uses_of_loads(FactsOfTask facts, const StreamWindow& window, const std::vector<GeLoad>& loads,
                       std::vector<TaskUse>& uses) {
    std::map<const GeLoad*, Facts> facts_of;
    std::map<std::int64_t, const GeLoad*> of_thread;
    const GeLoad* last = nullptr;
    auto next = loads.begin();
    for (const StoredFact* fact : facts) {
        for (; next != loads.end() && next->span.begin <= fact->time_us; ++next) {
            of_thread[next->set_up_by->tid] = last = &*next;
        }
        const auto own = of_thread.find(fact->tid);
        const GeLoad* const load = own != of_thread.end() ? own->second : last;
        facts_of[load != nullptr && load->span.contains(fact->time_us) ? load : nullptr].push_back(fact);
    }
    const std::size_t first = uses.size();
    for (const auto& [load, lines] : facts_of) {
        std::size_t added = uses.size();
        add_single_uses(lines, window, uses);
        for (; load != nullptr && added < uses.size(); ++added) {
            uses[added].span.end = std::min(uses[added].span.end, load->span.end);
        }
    }
    put_in_order(uses, first);
}

/// Lines of other threads may come a little after the release of their stream.
constexpr std::int64_t kLateLineUs = 5'000;

/// The runtime sends a task of its own while it sets a stream up. It logs the end of this task after the set-up (real
/// log of 2023-07), so this task alone is no sign of an earlier stream.
bool is_about_stream(FactsOfTask facts) {
    return std::any_of(facts.begin(), facts.end(), [](const StoredFact* fact) {
        return fact->fact.kind != FactKind::submit || submits_a_kernel(fact->fact);
    });
}

/// Lines between two windows of a stream are about one whose set-up is lost: absence of a line proves nothing.
void add_uses_of_unlogged_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device,
                                 FactsOfTask facts, const Span& between, std::vector<TaskUse>& uses) {
    const FactsOfTask later = facts_inside(facts, {between.begin + kLateLineUs, between.end});
    const auto names_nothing_new = [](const StoredFact* fact) { return is_aftermath(fact->fact); };
    if (later.empty() || !is_about_stream(later) || std::all_of(later.begin(), later.end(), names_nothing_new)) {
        return;
    }
    WindowHistory history;
    history.window.span = {between.begin, between.end};
    history.bindings = model_bindings(process, stream_id, history.window, device);
    if (history.bindings.empty()) {
        add_single_uses(later, history.window, uses);
        return;
    }
    add_persistent_uses(later, history, uses);
    add_single_uses(facts_inside(later, {history.bindings.back().span.end, between.end}), history.window, uses);
}

/// Adds the uses that these lines on the task make.
void add_uses(const Process& process, std::uint64_t stream_id, DeviceFilter device, const StreamHistory& history,
              FactsOfTask all, std::vector<TaskUse>& uses) {
    // A stream may have been set up thousands of times: only windows with facts on the task are looked at.
    for (FactsOfTask rest = all; !rest.empty();) {
        const auto next = std::upper_bound(
            history.begin(), history.end(), rest.front()->time_us,
            [](std::int64_t time, const WindowHistory& later) { return time < later.window.span.end; });
        if (next != history.begin()) {
            const std::int64_t end =
                next == history.end() ? kEndOfTime : next->window.unlogged_since.value_or(next->window.span.begin);
            const Span between{(next - 1)->window.span.end, end};
            add_uses_of_unlogged_stream(process, stream_id, device, facts_inside(rest, between), between, uses);
        }
        if (next == history.end()) {
            break;
        }
        const StreamWindow& window = next->window;
        if (window.unlogged_since) {
            const StreamWindow earlier = unlogged_window(window);
            const FactsOfTask facts = facts_inside(rest, earlier.span);
            if (is_about_stream(facts)) {
                add_single_uses(facts, earlier, uses);
            }
        }
        const FactsOfTask facts = facts_inside(rest, window.span);
        StreamWindow unbound = window;
        if (!next->bindings.empty()) {
            add_persistent_uses(facts, *next, uses);
            unbound.span.begin = next->bindings.back().span.end;  // unbound, a stream may still execute single tasks
        }
        add_uses_of_loads(facts_inside(facts, unbound.span), unbound, next->ge_loads, uses);
        rest = facts_inside(rest, {window.span.end, kEndOfTime});
    }
}

/// Of lines without a device, those of each thread that names what the task runs, with those of threads that do not.
/// Threads may work on several devices: lines of one end no use of another.
std::vector<Facts> by_threads(const Facts& facts) {
    std::set<std::int64_t> threads;
    for (const StoredFact* fact : facts) {
        if (names_what_runs(fact->fact.kind)) {
            threads.insert(fact->tid);
        }
    }
    if (threads.size() < 2) {
        return {facts};
    }
    std::vector<Facts> parts;
    for (const std::int64_t thread : threads) {
        std::copy_if(facts.begin(), facts.end(), std::back_inserter(parts.emplace_back()),
                     [&](const StoredFact* fact) { return fact->tid == thread || !threads.contains(fact->tid); });
    }
    return parts;
}

}  // namespace

std::vector<TaskUse> uses_of_task(const Process& process, TaskKey task, DeviceFilter device,
                                  const StreamHistory& history, bool has_one_device) {
    std::vector<TaskUse> uses;
    const Facts all = facts_of_task(process, task, device);
    for (const Facts& part : device || has_one_device ? std::vector<Facts>{all} : by_threads(all)) {
        add_uses(process, task.first, device, history, part, uses);
    }
    put_in_order(uses, 0);
    return uses;
}

}  // namespace opdebug::logs
