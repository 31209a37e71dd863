#include "logs/processes/repeated_facts.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

/// Lines that name their device need no thread to show it.
constexpr std::int64_t kAnyThread = -1;

bool describes_a_task(FactKind kind) noexcept {
    return kind == FactKind::operator_of_task || kind == FactKind::dumped_with_task ||
           kind == FactKind::model_of_task || kind == FactKind::end_of_graph_task || kind == FactKind::debug_task;
}

/// Whether the two state the same about the subject of a run; ids that count executions do not matter.
bool continues(const StoredFact& last, const StoredFact& next, Need need) {
    if (last.time_us > next.time_us) {
        return false;  // another file, which covers an earlier time
    }
    if (next.fact.user_device_id && last.place.file != next.place.file) {
        return false;  // possibly another run, in which the number is another device's
    }
    if (need == Need::by_address) {
        return last.fact.kernel_name == next.fact.kernel_name;
    }
    if (need == Need::model_name) {
        return last.fact.model_name == next.fact.model_name;
    }
    return (last.fact.kind == FactKind::capture_stream && last.fact.model_id == next.fact.model_id) ||
           states_the_same(last.fact, next.fact);
}

}  // namespace

std::optional<RepeatedFacts::Subject> RepeatedFacts::subject_of(const StoredFact& stored, Need need) {
    const Fact& fact = stored.fact;
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
    switch (fact.kind) {
        case FactKind::ge_model: return subject({fact.device_id, own, fact.ge_model_id});
        case FactKind::runtime_model: return subject({fact.device_id, own, fact.model_id});
        case FactKind::graph_name: return subject({fact.graph_id});
        case FactKind::visible_device: return subject({own, fact.device_id});
        case FactKind::failure:
            return subject({fact.device_id, own, fact.process_id, fact.chip_id, fact.fault_code,
                            static_cast<std::uint64_t>(stored.tid), stored.place.file});
        case FactKind::stated_error: return Subject{static_cast<int>(fact.kind), fact.reason, {fact.process_id}};
        case FactKind::stated_overflow: return Subject{static_cast<int>(fact.kind), fact.operator_name, {}};
        case FactKind::dump_folder: return subject({fact.dump_folder});
        case FactKind::process_rank: return subject({fact.rank, fact.rank_count});
        case FactKind::model_execute:
            // With both ids the line pairs them: a run of it ends when one id is paired again.
            return subject({fact.device_id, own, fact.model_id ? fact.model_id : fact.ge_model_id, fact.stream_id});
        case FactKind::capture_stream: return subject({fact.device_id, own, fact.origin_stream_id, fact.stream_id});
        default: return std::nullopt;
    }
}

void RepeatedFacts::add_to_run(StoredFacts& facts, const StoredFact& stored, Need need, Run& run) {
    const bool goes_on = continues(facts[run.last], stored, need);
    if (goes_on && run.first != run.last) {
        facts[run.last] = stored;
        return;
    }
    const auto next = static_cast<std::uint32_t>(facts.size());
    run = {goes_on ? run.first : next, next};
    facts.push_back(StoredFact(stored));
}

void RepeatedFacts::add(StoredFacts& facts, const StoredFact& stored, Need need) {
    const Fact& fact = stored.fact;
    const bool has_task = fact.stream_id && fact.task_id;
    if (fact.kind == FactKind::model_end || fact.kind == FactKind::capture_end) {
        runs_.clear();  // later lines on the ids are news; rare, so the other runs may begin again
    }
    if (const std::optional<Subject> subject = subject_of(stored, need)) {
        const auto next = static_cast<std::uint32_t>(facts.size());
        const auto [run, is_new] = runs_.try_emplace(*subject, Run{next, next});
        if (is_new) {
            facts.push_back(StoredFact(stored));
        } else {
            add_to_run(facts, stored, need, run->second);
        }
    } else if (need == Need::own && has_task) {
        add_of_task(facts, stored, {*fact.stream_id, *fact.task_id});
    } else {
        facts.push_back(StoredFact(stored));
    }
}

void RepeatedFacts::add_of_task(StoredFacts& facts, const StoredFact& stored, const TaskKey& task) {
    const auto next = static_cast<std::uint32_t>(facts.size());
    const Fact& fact = stored.fact;
    if (describes_a_task(fact.kind)) {
        OfTask& known = of_task_[task];
        // All runs of a task state the same: a line that states another thing ends them, its own thread's with them. So
        // one look is enough, however many threads there are.
        if (!known.runs.empty() && !states_the_same(facts[known.runs.begin()->second.last].fact, fact)) {
            known.runs.clear();
        }
        const auto [run, is_new] = known.runs.try_emplace(fact.device_id ? kAnyThread : stored.tid, Run{next, next});
        if (!is_new) {
            add_to_run(facts, stored, Need::own, run->second);
            return;
        }
    } else if (is_kernel_launch(fact)) {
        of_task_[task] = {next, {}};
    } else if (const auto known = of_task_.find(task); known != of_task_.end()) {
        if (known->second.launch && repeats(facts[*known->second.launch], stored)) {
            return;
        }
        known->second.runs.clear();
    }
    facts.push_back(StoredFact(stored));
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

namespace {

/// The two lines of an event were seen less than a millisecond apart (real log of 2023); a second leaves room for a
/// writer that waits for the disk.
constexpr std::uint64_t kWrittenTwiceUs = 1'000'000;

using Number = std::optional<std::uint64_t>;

/// What may really happen twice within a second. A stream is set up again without a release where the log lost it.
bool may_repeat_soon(const Fact& fact) noexcept {
    const FactKind kind = fact.kind;
    return is_launch(fact) || kind == FactKind::overflow_report || kind == FactKind::task_fault ||
           kind == FactKind::stream_open || kind == FactKind::stream_close;
}

/// What a statement is about: a task or stream; without stream all statements of the thread on models and graphs.
using Subject = std::tuple<Number, Number, std::int64_t>;

/// Goes through the facts of a process in time order.
class RepeatedLines {
public:
    explicit RepeatedLines(const StoredFacts& facts) : facts_(facts) {}

    bool is_repeated(std::size_t place) {
        return is_equal_line(facts_[place]) || is_told_again(facts_[place].fact) || is_written_twice(place);
    }

private:
    /// Equal lines have equal times: those of others need not be kept.
    bool is_equal_line(const StoredFact& stored) {
        if (std::exchange(time_of_lines_, stored.time_us) != stored.time_us) {
            lines_.clear();
        }
        return !lines_.emplace(stored.fact.kind, stored.fact.task_id, stored.place.text).second;
    }

    bool is_told_again(const Fact& fact) {
        if (!fact.stream_id || !fact.task_id) {
            return false;
        }
        const TaskKey task{*fact.stream_id, *fact.task_id};
        if (fact.kind == FactKind::fault_kernel) {
            const Failure failure{fact.device_id, fact.user_device_id, fact.flip_num, fact.kernel_name};
            const auto [last, is_new] = failures_.try_emplace(task, failure);
            return !is_new && std::exchange(last->second, failure) == failure;
        }
        if (!failures_.empty() && is_launch(fact)) {
            failures_.erase(task);
        }
        return false;
    }

    bool is_written_twice(std::size_t place) {
        const StoredFact& stored = facts_[place];
        const Fact& fact = stored.fact;
        const Subject subject{fact.stream_id, fact.task_id, fact.stream_id ? 0 : stored.tid};
        if (may_repeat_soon(fact)) {
            last_.erase(subject);  // no line states the same as such a line: it only ends what another one began
            return false;
        }
        if (fact.kind == FactKind::model_end) {
            end_of_model_ = place;
        }
        const auto [last, is_new] = last_.try_emplace(subject, place);
        const StoredFact& known = facts_[last->second];
        if (!is_new && distance_us(known.time_us, stored.time_us) <= kWrittenTwiceUs &&
            !may_be_of_other_model(last->second, place) && known.tid == stored.tid &&
            states_the_same(known.fact, fact)) {
            return true;
        }
        last->second = place;
        return false;
    }

    /// Models that are loaded one after the other have streams and tasks of equal numbers. The line that one is gone
    /// may itself be written twice.
    bool may_be_of_other_model(std::size_t earlier, std::size_t place) const {
        return end_of_model_ && earlier < *end_of_model_ && *end_of_model_ < place;
    }

    const StoredFacts& facts_;
    std::optional<std::size_t> end_of_model_;  ///< the last one
    std::int64_t time_of_lines_ = 0;
    std::set<std::tuple<FactKind, Number, std::string_view>> lines_;  ///< of this time, each once
    using Failure = std::tuple<Number, Number, Number, std::string_view>;
    std::map<TaskKey, Failure> failures_;  ///< the last one of each task
    std::map<Subject, std::size_t> last_;  ///< the last statement on each
};

}  // namespace

void drop_repeated_lines(StoredFacts& facts) {
    std::vector<bool> repeated;
    repeated.reserve(facts.size());
    RepeatedLines lines(facts);
    for (std::size_t place = 0; place < facts.size(); ++place) {
        repeated.push_back(lines.is_repeated(place));
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (!repeated[i]) {
            if (kept != i) {
                facts[kept] = std::move(facts[i]);
            }
            ++kept;
        }
    }
    facts.erase(facts.begin() + static_cast<std::ptrdiff_t>(kept), facts.end());
}

}  // namespace opdebug::logs
