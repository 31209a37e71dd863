#include "logs/processes/repeated_lines.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/launch_lines.hpp"
#include "logs/processes/task_table.hpp"

namespace opdebug::logs {
namespace {

/// The two lines of an event were seen less than a millisecond apart (real log of 2023); a second leaves room for a
/// writer that waits for the disk.
constexpr std::uint64_t kWrittenTwiceUs = 1'000'000;

using Number = std::optional<std::uint64_t>;

/// What may really happen twice within a second. A stream is set up anew without a release where the log lost it.
bool may_repeat_soon(FactKind kind) noexcept {
    return is_launch(kind) || kind == FactKind::overflow_report || kind == FactKind::task_fault ||
           kind == FactKind::stream_open || kind == FactKind::stream_close;
}

/// Of a time that is not before the other; saved maps may have any, so the difference may be too.
bool is_soon_after(std::int64_t time_us, std::int64_t later_us) noexcept {
    return static_cast<std::uint64_t>(later_us) - static_cast<std::uint64_t>(time_us) <= kWrittenTwiceUs;
}

/// What a statement is about: a task or stream; without stream all that the thread says of models and graphs.
struct Subject {
    std::size_t has = 0;  ///< 1: a stream, 2: a task
    TaskKey key;          ///< of stream or thread, and task
};

/// The last statement on each subject, as long as it may be written twice: what is older than that is forgotten, for
/// all tasks of a log are many. Asked for and told in the order of time. Nearly all questions are those of launches,
/// about tasks of which nothing is known: with two maps of all subjects they were a third of finishing a map.
class LastStatements {
public:
    /// Where the last one may be too old there may be none.
    std::optional<std::size_t> find(const Subject& subject, std::int64_t time_us) {
        if (!begin_us_ || !is_soon_after(*begin_us_, time_us)) {
            recent_ = 1 - recent_;
            for (auto& table : tables_[recent_]) {
                table.clear();
            }
            begin_us_ = time_us;
        }
        const Last* known = tables_[recent_][subject.has].find(subject.key);
        if (known == nullptr || !known->place) {
            known = tables_[1 - recent_][subject.has].find(subject.key);
        }
        return known != nullptr ? known->place : std::nullopt;
    }
    void set(const Subject& subject, std::size_t place) { tables_[recent_][subject.has][subject.key].place = place; }
    void forget(const Subject& subject) {
        for (Tables& tables : tables_) {
            if (Last* const known = tables[subject.has].find(subject.key)) {
                known->place.reset();
            }
        }
    }

private:
    struct Last {
        std::optional<std::size_t> place;
    };
    using Tables = std::array<TaskTable<Last>, 4>;  ///< by Subject::has

    std::optional<std::int64_t> begin_us_;  ///< of the recent ones
    std::array<Tables, 2> tables_;          ///< of the recent ones and of those before
    std::size_t recent_ = 0;
};

/// Goes through the facts of a process in time order.
class RepeatedLines {
public:
    explicit RepeatedLines(const StoredFacts& facts) : facts_(facts) {}

    bool is_repeated(std::size_t place) {
        return is_equal_line(place) || is_told_again(facts_[place].fact) || is_written_twice(place);
    }

private:
    struct LineOrder {
        const StoredFacts& facts;
        auto parts(std::size_t place) const {
            const StoredFact& stored = facts[place];
            return std::tie(stored.fact.kind, stored.fact.task_id, stored.place.text);
        }
        bool operator()(std::size_t a, std::size_t b) const { return parts(a) < parts(b); }
    };

    /// Equal lines have equal times: those of others need not be kept. A time has a few lines, of a launch and of what
    /// follows it, which are gone through.
    bool is_equal_line(std::size_t place) {
        const std::int64_t time_us = facts_[place].time_us;
        if (few_lines_.empty() || facts_[few_lines_.front()].time_us != time_us) {
            few_lines_.assign(1, place);
            lines_.clear();
            return false;
        }
        if (few_lines_.size() == kFewLines) {
            if (lines_.empty()) {
                lines_.insert(few_lines_.begin(), few_lines_.end());
            }
            return !lines_.insert(place).second;
        }
        const bool is_equal = std::any_of(few_lines_.begin(), few_lines_.end(), [&](std::size_t other) {
            return order_.parts(other) == order_.parts(place);
        });
        if (!is_equal) {
            few_lines_.push_back(place);
        }
        return is_equal;
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
        if (!failures_.empty() && is_launch(fact.kind)) {
            failures_.erase(task);
        }
        return false;
    }

    static Subject subject_of(const StoredFact& stored) {
        const Fact& fact = stored.fact;
        const std::size_t has = (fact.stream_id ? 1U : 0U) | (fact.task_id ? 2U : 0U);
        const std::uint64_t stream_or_thread =
            fact.stream_id ? *fact.stream_id : static_cast<std::uint64_t>(stored.tid);
        return {has, {stream_or_thread, fact.task_id.value_or(0)}};
    }

    bool is_written_twice(std::size_t place) {
        const StoredFact& stored = facts_[place];
        const Subject subject = subject_of(stored);
        if (may_repeat_soon(stored.fact.kind)) {
            last_.forget(subject);  // nothing says the same as such a line: it only ends what another one began
            return false;
        }
        if (stored.fact.kind == FactKind::model_end) {
            end_of_model_ = place;
        }
        if (const std::optional<std::size_t> known = last_.find(subject, stored.time_us);
            known && is_soon_after(facts_[*known].time_us, stored.time_us) && !may_be_of_other_model(*known, place)) {
            const StoredFact& last = facts_[*known];
            if (last.tid == stored.tid && says_the_same(last.fact, stored.fact)) {
                return true;
            }
        }
        last_.set(subject, place);
        return false;
    }

    /// Models that are loaded one after the other have streams and tasks of equal numbers. The line that one is gone
    /// may itself be written twice.
    bool may_be_of_other_model(std::size_t earlier, std::size_t place) const {
        return end_of_model_ && earlier < *end_of_model_ && *end_of_model_ < place;
    }

    const StoredFacts& facts_;
    std::optional<std::size_t> end_of_model_;  ///< the last one
    static constexpr std::size_t kFewLines = 16;
    LineOrder order_{facts_};
    std::vector<std::size_t> few_lines_;              ///< of this time, each once
    std::set<std::size_t, LineOrder> lines_{order_};  ///< where they are not few
    using Failure = std::tuple<Number, Number, Number, std::string_view>;
    std::map<TaskKey, Failure> failures_;  ///< the last one of each task
    LastStatements last_;
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
