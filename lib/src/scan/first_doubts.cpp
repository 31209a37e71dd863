#include "scan/first_doubts.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "scan/clock.hpp"
#include "tree/dump_name.hpp"
#include "tree/number.hpp"

namespace opdebug::scan_stage {

std::string show_dump(const std::string& host, const ScanItem& item) {
    return host.empty() ? item.file : host + ":" + item.file;
}

void Rivals::add(const std::string& dump, const std::string& remark) {
    if (count < kMostNames) {
        names +=
            fmt::format("{}{}{}", names.empty() ? "" : ", ", dump, remark.empty() ? "" : fmt::format(" ({})", remark));
        ++count;
    } else {
        add_nameless(1);
    }
}

void Rivals::add(const std::string& host, const ScanItem& item, const std::string& remark) {
    if (count < kMostNames) {
        add(show_dump(host, item), remark);
    } else {
        add_nameless(1);
    }
}

void Rivals::add_nameless(std::size_t further) {
    if (further != 0 && count <= kMostNames) {
        names += " and others";
    }
    count += further;
}

namespace {

bool both_have_times(const ScanItem& a, const ScanItem& b) {
    return a.timestamp_us && b.timestamp_us;
}

/// By its name, or by a number that mapping.csv explains. Any other file was given itself: an operator's dump, notes.
bool is_called_overflow_dump(const ScanItem& item) {
    const std::string_view file = file_name_of(item.file);
    const std::optional<DumpName> name = tree::parse_name_of_dump(file);
    return tree::is_decimal(file) || (name && name->is_overflow_dump);
}

bool is_credible(const ScanItem& item) {
    return item.timestamp_us && !is_wild(*item.timestamp_us);
}

/// Its time is one that a report lists behind those of today.
bool is_too_late(const ScanItem& item) {
    return item.timestamp_us && *item.timestamp_us >= kTooLate;
}

std::string show_wild_time(const ScanItem& item) {
    return fmt::format("its time is of {}", is_too_late(item) ? "2100 or later" : "before 2019");
}

std::string show_time(const ScanItem& item, const ScanItem& first) {
    if (!both_have_times(item, first)) {
        return "time not known";
    }
    return is_credible(first) && !is_credible(item)
               ? show_wild_time(item)
               : show_later(time_difference(*item.timestamp_us, *first.timestamp_us));
}

/// Of a dump that the report lists in front of the first overflow.
std::string show_before(const ScanItem& item, const ScanItem& first) {
    const std::optional<std::uint64_t>& step = item.path_ids.data_index;
    return step && step != first.path_ids.data_index ? fmt::format("step {}, {}", *step, show_time(item, first))
                                                     : show_time(item, first);
}

}  // namespace

void FirstDoubts::add(const ScanItem& item, const PlaceNumbers& place, const KnownPlaces& places) {
    const std::string& host = places.at(place.place).host;
    if (item.state == DumpState::failed) {
        if (is_called_overflow_dump(item)) {
            add_failed(item, place.place, host);
        }
        return;
    }
    compare_clocks_of(item, first_ ? place.place : place_ = place.place);
    if (first_) {
        ++number_;
        judge(item, place.place, host);
    } else {
        begin(item, host);
    }
}

void FirstDoubts::add_failed(const ScanItem& item, std::uint32_t place, const std::string& host) {
    if (first_) {
        ++number_;
        judge(item, place, host);
        return;
    }
    ++failed_before_.count;
    if (failed_before_.first.size() < Rivals::kMostNames) {
        failed_before_.first.emplace_back(host, item);
    }
}

void FirstDoubts::begin(const ScanItem& item, const std::string& host) {
    first_ = item;
    first_dump_ = show_dump(host, item);
    for (const auto& [host_of_failed, failed] : failed_before_.first) {
        unreadable_.add(host_of_failed, failed, show_before(failed, item));
    }
    unreadable_.add_nameless(failed_before_.count - failed_before_.first.size());
}

/// The earliest times of a step at the first one's place and at the others; steps come one after the other, and their
/// dumps in the order of time. The step that is judged tells nothing of itself, nor do wild times of clocks.
void FirstDoubts::compare_clocks_of(const ScanItem& item, std::uint32_t place) {
    const std::optional<std::uint64_t>& step = item.path_ids.data_index;
    if (step != step_) {
        end_step();
        step_ = step;
    }
    if (step && is_credible(item) && first_ && step != first_->path_ids.data_index) {
        earliest_of_step_.try_emplace(place, *item.timestamp_us);
    }
}

void FirstDoubts::end_step() {
    const auto reference = earliest_of_step_.find(place_);
    if (reference != earliest_of_step_.end()) {
        for (const auto& [place, time] : earliest_of_step_) {
            add_step(comparisons_[place], time_difference(time, reference->second));
        }
    }
    earliest_of_step_.clear();
}

void FirstDoubts::judge(const ScanItem& item, std::uint32_t place, const std::string& host) {
    if (!first_credible_ && item.state == DumpState::overflowed && is_credible(item)) {
        first_credible_ = show_dump(host, item);
    }
    const bool both_timed = both_have_times(*first_, item);
    const std::int64_t later = both_timed ? time_difference(*item.timestamp_us, *first_->timestamp_us) : 0;
    if (item.path_ids.data_index == first_->path_ids.data_index) {
        judge_same_step(item, place, host, later);
    } else if (!item.path_ids.data_index) {
        judge_without_step(item, place, host, later);
    } else if (both_timed && later < 0 && (later < -kOneSecond || place == place_)) {
        rivals(item, later_step_)
            .add(host, item, fmt::format("step {}, {}", *item.path_ids.data_index, show_later(later)));
    }
}

void FirstDoubts::judge_same_step(const ScanItem& item, std::uint32_t place, const std::string& host,
                                  std::int64_t later) {
    const bool is_failed = item.state == DumpState::failed;
    if (!both_have_times(*first_, item)) {
        rivals(item, without_time_).add(host, item, is_failed ? "time not known" : "");
        return;
    }
    if (is_too_late(item) && is_credible(*first_)) {
        rivals(item, wild_time_).add(host, item, show_wild_time(item));
        return;
    }
    if (place == place_) {
        if (later == 0) {
            rivals(item, same_time_).add(host, item, is_failed ? show_later(later) : "");
        }
        return;
    }
    // Times of a step ascend: those that need no other steps come before those that do.
    const std::string doubt = doubt_of(ClockComparison(), later);
    if (!doubt.empty()) {
        rivals(item, other_clock_).add(host, item, fmt::format("{}: {}", show_later(later), doubt));
    } else if (item.path_ids.data_index) {
        LaterDumps& of_place = (is_failed ? later_failed_ : later_dumps_)[place];
        if (of_place.first.size() < Rivals::kMostNames) {
            of_place.first.push_back({number_, show_dump(host, item), later});
        }
        of_place.later.push_back(later);
    }
}

void FirstDoubts::judge_without_step(const ScanItem& item, std::uint32_t place, const std::string& host,
                                     std::int64_t later) {
    if (!both_have_times(*first_, item)) {
        rivals(item, without_step_).add(host, item, "time not known");
    } else if (later <= (place == place_ ? 0 : kOneSecond)) {  // one clock orders its own dumps
        rivals(item, without_step_).add(host, item, show_later(later));
    } else if (is_too_late(item) && is_credible(*first_)) {
        rivals(item, wild_time_).add(host, item, show_wild_time(item));
    }
}

/// A place's dumps are doubtful up to some time: which that is, its doubts on single dumps tell.
void FirstDoubts::judge_later_dumps(const LaterByPlace& later_dumps, Rivals& doubtful) {
    std::map<std::size_t, std::pair<std::string, std::string>> named;  // by number: dump, remark
    std::size_t count = 0;
    for (const auto& [place, dumps] : later_dumps) {
        const auto known = comparisons_.find(place);
        const ClockComparison comparison = known == comparisons_.end() ? ClockComparison() : known->second;
        const auto end = std::partition_point(dumps.later.begin(), dumps.later.end(),
                                              [&](std::int64_t later) { return !doubt_of(comparison, later).empty(); });
        const auto in_doubt = static_cast<std::size_t>(end - dumps.later.begin());
        count += in_doubt;
        for (std::size_t i = 0; i < std::min(in_doubt, dumps.first.size()); ++i) {
            const LaterDumps::Named& dump = dumps.first[i];
            named[dump.number] = {dump.dump,
                                  fmt::format("{}: {}", show_later(dump.later), doubt_of(comparison, dump.later))};
        }
    }
    for (const auto& [number, dump] : named) {
        if (doubtful.count >= Rivals::kMostNames) {
            break;
        }
        doubtful.add(dump.first, dump.second);
        --count;
    }
    doubtful.add_nameless(count);
}

std::vector<Diagnostic> FirstDoubts::doubts() {
    if (!first_) {
        return {};
    }
    end_step();
    judge_later_dumps(later_dumps_, other_clock_);
    judge_later_dumps(later_failed_, unreadable_);
    std::vector<Diagnostic> doubts;
    tell_of_wild_time(doubts);
    tell(doubts, other_clock_,
         "Other ranks, devices and processes have clocks that need not agree, and a dump's time is that of its "
         "writing");
    tell(doubts, same_time_, "Rank, device and time are the same, so they are listed by path");
    tell(doubts, without_time_, "Not all times of this step are known, so they are listed by path");
    tell(doubts, wild_time_, "A clock or the name of the file is wrong, so the time is not known");
    tell(doubts, without_step_,
         "No folder tells their step, and dumps without a step are listed behind those with one");
    tell(doubts, later_step_,
         "The step decides here, but steps of different models, or before and after a restart, are different "
         "counts");
    tell(doubts, unreadable_, fmt::format("overflow dump{} that cannot be decoded", unreadable_.count == 1 ? "" : "s"),
         "Such dumps are written where something overflowed");
    return doubts;
}

void FirstDoubts::tell_of_wild_time(std::vector<Diagnostic>& doubts) const {
    if (!first_->timestamp_us || !is_wild(*first_->timestamp_us)) {
        return;
    }
    const char* when =
        *first_->timestamp_us < kFirstDumps ? "of before 2019, when there were no such dumps" : "of 2100 or later";
    const std::string otherwise =
        !first_credible_ ? "" : fmt::format("; the first of the dumps with a credible time is {}", *first_credible_);
    doubts.push_back({Severity::warning, "first_uncertain",
                      fmt::format("{} is listed as the first overflow, but its time is {}: a clock or the name of "
                                  "the file is wrong{}",
                                  first_dump_, when, otherwise)});
}

void FirstDoubts::tell(std::vector<Diagnostic>& doubts, const Rivals& rivals, const char* why) const {
    tell(doubts, rivals, fmt::format("other overflow dump{}", rivals.count == 1 ? "" : "s"), why);
}

void FirstDoubts::tell(std::vector<Diagnostic>& doubts, const Rivals& rivals, const std::string& kind,
                       const char* why) const {
    if (rivals.count != 0) {
        doubts.push_back({Severity::warning, "first_uncertain",
                          fmt::format("{} is listed as the first overflow, but {} {} may be earlier: {}. {}",
                                      first_dump_, rivals.count, kind, rivals.names, why)});
    }
}

}  // namespace opdebug::scan_stage
