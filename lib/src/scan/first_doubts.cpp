#include "scan/first_doubts.hpp"

#include <string>

#include <fmt/format.h>

#include "scan/clock_skew.hpp"
#include "scan/place.hpp"
#include "scan/time_difference.hpp"

namespace opdebug::scan_stage {
namespace {

/// 2019-01-01 UTC. Overflow dumps appear in documents of 2020 (docs/format.md); a year is left for safety.
constexpr std::uint64_t kFirstDumps = 1'546'300'800'000'000;
constexpr std::uint64_t kTooLate = 4'102'444'800'000'000;  ///< 2100-01-01 UTC: no clock that is set right shows it

bool is_wild(std::uint64_t timestamp_us) {
    return timestamp_us < kFirstDumps || timestamp_us >= kTooLate;
}

/// The dumps that may be first for one reason: how many, and the first few in words.
struct Rivals {
    std::size_t count = 0;
    std::string names;

    void add(const ScanItem& item, const std::string& remark) {
        constexpr std::size_t kMostNames = 3;
        if (++count <= kMostNames) {
            names += fmt::format("{}{}{}", names.empty() ? "" : ", ", item.file,
                                 remark.empty() ? "" : fmt::format(" ({})", remark));
        } else if (count == kMostNames + 1) {
            names += " and others";
        }
    }
};

/// Compares the first overflow with the others, one by one.
class FirstJudge {
public:
    explicit FirstJudge(const std::vector<const ScanItem*>& overflowed)
        : first_(*overflowed.front()), place_(place_of(first_)), times_(step_times(overflowed)) {}

    void judge(const ScanItem& item) {
        if (first_credible_ == nullptr && item.timestamp_us && !is_wild(*item.timestamp_us)) {
            first_credible_ = &item;
        }
        const bool both_timed = first_.timestamp_us && item.timestamp_us;
        const std::int64_t later = both_timed ? time_difference(*item.timestamp_us, *first_.timestamp_us) : 0;
        if (item.path_ids.data_index == first_.path_ids.data_index) {
            judge_same_step(item, both_timed, later);
        } else if (!item.path_ids.data_index) {
            if (!both_timed || later <= kOneSecond) {
                without_step_.add(item, both_timed ? show_later(later) : "time not known");
            }
        } else if (both_timed && later < 0 && (later < -kOneSecond || place_of(item) == place_)) {
            later_step_.add(item, fmt::format("step {}, {}", *item.path_ids.data_index, show_later(later)));
        }
    }

    std::vector<Diagnostic> doubts() const {
        std::vector<Diagnostic> doubts;
        tell_of_wild_time(doubts);
        tell(doubts, other_clock_,
             "Other ranks, devices and processes have clocks that need not agree, and a dump's time is that of its "
             "writing");
        tell(doubts, same_time_, "Rank, device and time are the same, so they are listed by path");
        tell(doubts, without_time_, "Not all times of this step are known, so they are listed by path");
        tell(doubts, without_step_,
             "No folder tells their step, and dumps without a step are listed behind those with one");
        tell(doubts, later_step_,
             "The step decides here, but steps of different models, or before and after a restart, are different "
             "counts");
        return doubts;
    }

private:
    void judge_same_step(const ScanItem& item, bool both_timed, std::int64_t later) {
        if (!both_timed) {
            without_time_.add(item, "");
            return;
        }
        const Place place = place_of(item);
        if (place == place_) {
            if (later == 0) {
                same_time_.add(item, "");
            }
            return;
        }
        const std::string doubt = doubt_of(comparison_with(place), later);
        if (!doubt.empty()) {
            other_clock_.add(item, fmt::format("{}: {}", show_later(later), doubt));
        }
    }

    ClockComparison comparison_with(const Place& place) const {
        return compare_clocks(times_, place_, place, first_.path_ids.data_index);
    }

    void tell_of_wild_time(std::vector<Diagnostic>& doubts) const {
        if (!first_.timestamp_us || !is_wild(*first_.timestamp_us)) {
            return;
        }
        const char* when =
            *first_.timestamp_us < kFirstDumps ? "of before 2019, when there were no such dumps" : "of 2100 or later";
        const std::string otherwise =
            first_credible_ == nullptr
                ? ""
                : fmt::format("; the first of the dumps with a credible time is {}", first_credible_->file);
        doubts.push_back({Severity::warning, "first_uncertain",
                          fmt::format("{} is listed as the first overflow, but its time is {}: a clock or the name of "
                                      "the file is wrong{}",
                                      first_.file, when, otherwise)});
    }

    void tell(std::vector<Diagnostic>& doubts, const Rivals& rivals, const char* why) const {
        if (rivals.count != 0) {
            doubts.push_back(
                {Severity::warning, "first_uncertain",
                 fmt::format("{} is listed as the first overflow, but {} other overflow dump{} may be earlier: {}. {}",
                             first_.file, rivals.count, rivals.count == 1 ? "" : "s", rivals.names, why)});
        }
    }

    const ScanItem& first_;
    Place place_;
    PlaceTimes times_;
    const ScanItem* first_credible_ = nullptr;  ///< by the order of reports, without wild times
    Rivals other_clock_, same_time_, without_time_, without_step_, later_step_;
};

}  // namespace

std::vector<Diagnostic> doubts_about_first(const std::vector<const ScanItem*>& overflowed) {
    if (overflowed.empty()) {
        return {};
    }
    FirstJudge judge(overflowed);
    for (std::size_t i = 1; i < overflowed.size(); ++i) {
        judge.judge(*overflowed[i]);
    }
    return judge.doubts();
}

}  // namespace opdebug::scan_stage
