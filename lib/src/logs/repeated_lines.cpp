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
bool may_repeat_soon(FactKind kind) noexcept {
    return is_launch(kind) || kind == FactKind::overflow_report || kind == FactKind::task_fault ||
           kind == FactKind::stream_open || kind == FactKind::stream_close;
}

/// Goes through the facts of a process in time order. `FactAt` gives the fact of a place, whose texts stay.
template <class FactAt>
class RepeatedLines {
public:
    explicit RepeatedLines(FactAt fact_at) : fact_at_(std::move(fact_at)) {}

    bool is_repeated(std::size_t place) {
        const FactView fact = fact_at_(place);
        if (fact.time_us != time_us_) {  // equal lines have equal times: those of others need not be kept
            lines_.clear();
            time_us_ = fact.time_us;
        }
        if (!lines_.emplace(fact.kind, fact.task_id(), fact.place.text).second) {
            return true;
        }
        return is_told_again(fact) || is_written_twice(fact, place);
    }

private:
    bool is_told_again(const FactView& fact) {
        const Number stream_id = fact.stream_id();
        const Number task_id = fact.task_id();
        if (!stream_id || !task_id) {
            return false;
        }
        const TaskKey task{*stream_id, *task_id};
        if (fact.kind == FactKind::fault_kernel) {
            const Failure failure{fact.device_id(), fact.number(number_index(&Fact::flip_num)),
                                  fact.text(text_index(&Fact::kernel_name))};
            const auto [last, is_new] = failures_.try_emplace(task, failure);
            return !is_new && std::exchange(last->second, failure) == failure;
        }
        if (is_launch(fact.kind)) {
            failures_.erase(task);
        }
        return false;
    }

    bool is_written_twice(const FactView& fact, std::size_t place) {
        // What is said of a task or stream; without stream all that the thread says of models and graphs.
        const Number thread = fact.stream_id() ? Number() : static_cast<std::uint64_t>(fact.tid);
        const std::tuple<Number, Number, Number> subject{fact.stream_id(), fact.task_id(), thread};
        if (may_repeat_soon(fact.kind)) {
            last_.erase(subject);  // nothing says the same as such a line: it only ends what another one began
            return false;
        }
        const auto [known, is_new] = last_.try_emplace(subject, place);
        if (is_new) {
            return false;
        }
        const FactView last = fact_at_(known->second);
        const bool is_repeated =
            last.tid == fact.tid && fact.time_us - last.time_us <= kWrittenTwiceUs && says_the_same(last, fact);
        known->second = is_repeated ? known->second : place;
        return is_repeated;
    }

    FactAt fact_at_;
    std::int64_t time_us_ = 0;  ///< of `lines_`
    std::set<std::tuple<FactKind, Number, std::string_view>> lines_;
    using Failure = std::tuple<Number, Number, std::string_view>;
    std::map<TaskKey, Failure> failures_;  ///< the last one of each task
    std::map<std::tuple<Number, Number, Number>, std::size_t> last_;
};

template <class FactAt>
std::vector<bool> find_repeated(std::size_t count, FactAt fact_at) {
    std::vector<bool> repeated;
    repeated.reserve(count);
    RepeatedLines<FactAt> lines(std::move(fact_at));
    for (std::size_t place = 0; place < count; ++place) {
        repeated.push_back(lines.is_repeated(place));
    }
    return repeated;
}

}  // namespace

void drop_repeated_lines(PackedFacts& facts) {
    facts.leave_out(find_repeated(facts.size(), [&facts](std::size_t place) { return facts[place]; }));
}

void drop_repeated_lines(StoredFacts& facts) {
    const std::vector<bool> repeated =
        find_repeated(facts.size(), [&facts](std::size_t place) { return view_of(facts[place]); });
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
