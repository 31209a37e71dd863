#include "logs/repeated_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "logs/same_statement.hpp"

namespace opdebug::logs {
namespace {

/// The two lines of an event were seen less than a millisecond apart (real log of 2023); a second leaves room for a
/// writer that waits for the disk.
constexpr std::int64_t kWrittenTwiceUs = 1'000'000;

using Number = std::optional<std::uint64_t>;

/// What may really happen twice within a second. A stream is set up anew without a release where the log lost it.
bool may_repeat_soon(const Fact& fact) noexcept {
    return is_launch(fact) || fact.kind == FactKind::overflow_report || fact.kind == FactKind::task_fault ||
           fact.kind == FactKind::stream_open || fact.kind == FactKind::stream_close;
}

/// Goes through the facts of a process in time order.
class RepeatedLines {
public:
    bool is_repeated(const StoredFact& stored) {
        if (stored.time_us != time_us_) {  // equal lines have equal times: those of others need not be kept
            lines_.clear();
            time_us_ = stored.time_us;
        }
        if (!lines_.emplace(stored.fact.kind, stored.fact.task_id, stored.place.text).second) {
            return true;
        }
        return is_told_again(stored.fact) || is_written_twice(stored);
    }

private:
    bool is_told_again(const Fact& fact) {
        if (!fact.stream_id || !fact.task_id) {
            return false;
        }
        const TaskKey task{*fact.stream_id, *fact.task_id};
        if (fact.kind == FactKind::fault_kernel) {
            const Failure failure{fact.device_id, fact.flip_num, fact.kernel_name};
            const auto [last, is_new] = failures_.try_emplace(task, failure);
            return !is_new && std::exchange(last->second, failure) == failure;
        }
        if (is_launch(fact)) {
            failures_.erase(task);
        }
        return false;
    }

    bool is_written_twice(const StoredFact& stored) {
        // What is said of a task or stream; without stream all that the thread says of models and graphs.
        const Fact& fact = stored.fact;
        const Number thread = fact.stream_id ? Number() : static_cast<std::uint64_t>(stored.tid);
        const std::tuple<Number, Number, Number> subject{fact.stream_id, fact.task_id, thread};
        if (may_repeat_soon(fact)) {
            last_.erase(subject);  // nothing says the same as such a line: it only ends what another one began
            return false;
        }
        const StoredFact*& last = last_[subject];
        const bool is_repeated = last != nullptr && last->tid == stored.tid &&
                                 stored.time_us - last->time_us <= kWrittenTwiceUs && says_the_same(last->fact, fact);
        last = is_repeated ? last : &stored;
        return is_repeated;
    }

    std::int64_t time_us_ = 0;  ///< of `lines_`
    std::set<std::tuple<FactKind, Number, std::string_view>> lines_;
    using Failure = std::tuple<Number, Number, std::string_view>;
    std::map<TaskKey, Failure> failures_;  ///< the last one of each task
    std::map<std::tuple<Number, Number, Number>, const StoredFact*> last_;
};

}  // namespace

void drop_repeated_lines(StoredFacts& facts) {
    std::vector<bool> repeated;
    repeated.reserve(facts.size());
    RepeatedLines lines;
    for (const StoredFact& fact : facts) {
        repeated.push_back(lines.is_repeated(fact));
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
