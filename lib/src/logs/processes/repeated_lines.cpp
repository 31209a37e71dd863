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
#include "logs/processes/open_facts.hpp"
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

/// Goes through the facts of a process in time order. Facts: PackedFacts or OpenFacts.
template <class Facts>
class RepeatedLines {
public:
    explicit RepeatedLines(const Facts& facts) : facts_(facts) {}

    bool is_repeated(std::size_t place) {
        const FactSubject said = facts_.subject(place);
        return is_equal_line(place) || is_told_again(place, said) || is_written_twice(place, said);
    }

private:
    struct LineOrder {
        const Facts& facts;
        bool is_line_before(std::size_t a, std::size_t b) const {
            const FactView of_a = facts[a];
            const FactView of_b = facts[b];
            const bool are_whole = of_a.place.text.form == nullptr && of_b.place.text.form == nullptr;
            return are_whole ? of_a.place.text.whole < of_b.place.text.whole
                             : whole_line(of_a, of_a.place) < whole_line(of_b, of_b.place);
        }
        bool is_same_line(std::size_t a, std::size_t b) const {
            const FactView of_a = facts[a];
            const FactView of_b = facts[b];
            return whole_line(of_a, of_a.place) == whole_line(of_b, of_b.place);
        }
        bool is_same(std::size_t a, std::size_t b) const {
            const FactSubject of_a = facts.subject(a);
            const FactSubject of_b = facts.subject(b);
            return of_a.kind == of_b.kind && of_a.task_id == of_b.task_id && is_same_line(a, b);
        }
        bool operator()(std::size_t a, std::size_t b) const {
            const FactSubject of_a = facts.subject(a);
            const FactSubject of_b = facts.subject(b);
            return std::tie(of_a.kind, of_a.task_id) != std::tie(of_b.kind, of_b.task_id)
                       ? std::tie(of_a.kind, of_a.task_id) < std::tie(of_b.kind, of_b.task_id)
                       : is_line_before(a, b);
        }
    };

    /// Equal lines have equal times: those of others need not be kept. A time has a few lines, of a launch and of what
    /// follows it, which are gone through: with a set for them this took 2 % of indexing.
    bool is_equal_line(std::size_t place) {
        const std::int64_t time_us = facts_.time_us(place);
        if (few_lines_.empty() || facts_.time_us(few_lines_.front()) != time_us) {
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
        const bool is_equal = std::any_of(few_lines_.begin(), few_lines_.end(),
                                          [&](std::size_t other) { return order_.is_same(other, place); });
        if (!is_equal) {
            few_lines_.push_back(place);
        }
        return is_equal;
    }

    bool is_told_again(std::size_t place, const FactSubject& said) {
        if (!said.stream_id || !said.task_id) {
            return false;
        }
        const TaskKey task{*said.stream_id, *said.task_id};
        if (said.kind == FactKind::fault_kernel) {
            const FactView fact = facts_[place];
            const Failure failure{fact.device_id(), fact.number(number_index(&Fact::user_device_id)),
                                  fact.number(number_index(&Fact::flip_num)),
                                  fact.text(text_index(&Fact::kernel_name))};
            const auto [last, is_new] = failures_.try_emplace(task, failure);
            return !is_new && std::exchange(last->second, failure) == failure;
        }
        if (!failures_.empty() && is_launch(said.kind)) {
            failures_.erase(task);
        }
        return false;
    }

    Subject subject_of(std::size_t place, const FactSubject& said) const {
        const std::size_t has = (said.stream_id ? 1U : 0U) | (said.task_id ? 2U : 0U);
        const std::uint64_t stream_or_thread =
            said.stream_id ? *said.stream_id : static_cast<std::uint64_t>(facts_[place].tid);
        return {has, {stream_or_thread, said.task_id.value_or(0)}};
    }

    bool is_written_twice(std::size_t place, const FactSubject& said) {
        const Subject subject = subject_of(place, said);
        if (may_repeat_soon(said.kind)) {
            last_.forget(subject);  // nothing says the same as such a line: it only ends what another one began
            return false;
        }
        if (said.kind == FactKind::model_end) {
            end_of_model_ = place;
        }
        const std::int64_t time_us = facts_.time_us(place);
        if (const std::optional<std::size_t> known = last_.find(subject, time_us);
            known && is_soon_after(facts_.time_us(*known), time_us) && !may_be_of_other_model(*known, place)) {
            const FactView last = facts_[*known];
            const FactView fact = facts_[place];
            if (last.tid == fact.tid && says_the_same(last, fact)) {
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

    const Facts& facts_;
    std::optional<std::size_t> end_of_model_;  ///< the last one
    static constexpr std::size_t kFewLines = 16;
    LineOrder order_{facts_};
    std::vector<std::size_t> few_lines_;              ///< of this time, each once
    std::set<std::size_t, LineOrder> lines_{order_};  ///< where they are not few
    using Failure = std::tuple<Number, Number, Number, std::string_view>;
    std::map<TaskKey, Failure> failures_;  ///< the last one of each task
    LastStatements last_;
};

template <class Facts>
std::vector<bool> find_repeated(const Facts& facts) {
    std::vector<bool> repeated;
    repeated.reserve(facts.size());
    RepeatedLines<Facts> lines(facts);
    for (std::size_t place = 0; place < facts.size(); ++place) {
        repeated.push_back(lines.is_repeated(place));
    }
    return repeated;
}

}  // namespace

void drop_repeated_lines(PackedFacts& facts) {
    facts.leave_out(find_repeated(facts));
}

void drop_repeated_lines(StoredFacts& facts) {
    const std::vector<bool> repeated = find_repeated(OpenFacts(facts));
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
