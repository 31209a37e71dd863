// Doubts about the first overflow of a report: other dumps that may be earlier.
#include "scan/overview.hpp"

#include <string_view>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "scan/times.hpp"
#include "tree/name.hpp"

namespace opdebug::scan_stage {
namespace {

constexpr std::size_t kMostNames = 3;

/// "node-7:dump/rank_0/…": hosts with disks of their own have equal paths.
std::string show_dump(const std::string& host, const ScanItem& item) {
    return host.empty() ? item.file : host + ":" + item.file;
}

/// By its name, or by a number that mapping.csv explains. Any other file is an input of the user: an operator's dump,
/// notes.
bool is_named_as_overflow_dump(const ScanItem& item) {
    const std::string_view file = file_name_of(item.file);
    const std::optional<DumpName> name = tree::parse_name_of_dump(file);
    return tree::is_decimal(file) || (name && name->is_overflow_dump);
}

bool has_plausible_time(const ScanItem& item) {
    return item.timestamp_us && is_plausible(*item.timestamp_us);
}

/// Of a time that is not plausible.
const char* show_period(std::uint64_t timestamp_us) {
    return timestamp_us < kEarliestPlausible ? "before 2019" : "2100 or later";
}

/// How much later a dump is than the first one; nothing if one of the times is missing, or only that of the dump is
/// implausible.
std::optional<std::int64_t> later_than(const ScanItem& first, const ScanItem& item) {
    if (!first.timestamp_us || !item.timestamp_us || (has_plausible_time(first) && !has_plausible_time(item))) {
        return std::nullopt;
    }
    return time_difference(*item.timestamp_us, *first.timestamp_us);
}

}  // namespace

void FirstDoubts::Rivals::add(const std::string& name, const std::string& remark) {
    if (count < kMostNames) {
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, remark);
    } else if (count == kMostNames) {
        names += " and others";
    }
    ++count;
}

void FirstDoubts::add(const ScanItem& item, std::uint32_t source, const std::string& host) {
    const bool is_failed = item.state == DumpState::failed;
    if (is_failed && !is_named_as_overflow_dump(item)) {
        return;
    }
    const std::string name = show_dump(host, item);
    if (!first_ && is_failed) {
        if (unreadable_before_.size() <= kMostNames) {
            unreadable_before_.emplace_back(name, item);
        }
        ++unreadable_before_count_;
        return;
    }
    if (!first_) {
        set_first(item, source, name);
        return;
    }
    if (!first_plausible_ && !is_failed && has_plausible_time(item)) {
        first_plausible_ = name;
    }
    if (const std::optional<Reason> reason = reason_of(item, source)) {
        Rivals& rivals = is_failed ? unreadable_ : *reason == Reason::close_in_time ? close_in_time_ : time_unknown_;
        rivals.add(name, remark_on(item));
        if (&rivals == &close_in_time_ && item.path_ids.rank) {
            close_ranks_.insert(*item.path_ids.rank);
        }
    }
}

/// Unreadable dumps that come before the first overflow may be earlier, too.
void FirstDoubts::set_first(const ScanItem& item, std::uint32_t source, std::string name) {
    first_ = item;
    first_source_ = source;
    first_name_ = std::move(name);
    for (const auto& [unreadable_name, unreadable] : unreadable_before_) {
        unreadable_.add(unreadable_name, remark_on(unreadable));
    }
    unreadable_.count = unreadable_before_count_;
}

/// One clock orders its own dumps; those of two clocks are not ordered if they are within a second. Steps are in order
/// unless the times contradict: steps of other models, or after a restart, are other counts.
std::optional<FirstDoubts::Reason> FirstDoubts::reason_of(const ScanItem& item, std::uint32_t source) const {
    const std::optional<std::uint64_t>& step = item.path_ids.data_index;
    const bool is_later_step = step && step != first_->path_ids.data_index;
    const std::optional<std::int64_t> later = later_than(*first_, item);
    if (!later) {
        return is_later_step ? std::nullopt : std::optional(Reason::time_unknown);
    }
    const std::int64_t tolerance = source == first_source_ ? 0 : kOneSecond;
    const bool may_be_earlier = is_later_step ? *later < -tolerance : *later <= tolerance;
    return may_be_earlier ? std::optional(Reason::close_in_time) : std::nullopt;
}

/// "step 2, 9.000 s later"
std::string FirstDoubts::remark_on(const ScanItem& item) const {
    const std::optional<std::uint64_t>& step = item.path_ids.data_index;
    const std::string step_shown =
        step && step != first_->path_ids.data_index ? fmt::format("step {}, ", *step) : std::string();
    if (const std::optional<std::int64_t> later = later_than(*first_, item)) {
        return step_shown + show_later(*later);
    }
    const bool both_known = first_->timestamp_us && item.timestamp_us;
    return step_shown +
           (both_known ? fmt::format("its time is {}", show_period(*item.timestamp_us)) : "time not known");
}

std::string FirstDoubts::message_of(const Rivals& rivals, const char* kind) const {
    return fmt::format("{} is listed as the first overflow, but {} {} may be earlier: {}", first_name_, rivals.count,
                       kind, rivals.names);
}

std::vector<Diagnostic> FirstDoubts::diagnostics() const {
    std::vector<Diagnostic> diagnostics;
    const auto add = [&diagnostics](std::string message) {
        diagnostics.push_back({Severity::warning, "first_uncertain", std::move(message)});
    };
    if (first_ && first_->timestamp_us && !has_plausible_time(*first_)) {
        add(fmt::format(
            "{} is listed as the first overflow, but its time is {}: a clock or the name of the file is "
            "wrong{}",
            first_name_, show_period(*first_->timestamp_us),
            first_plausible_ ? fmt::format("; the first of the dumps with a plausible time is {}", *first_plausible_)
                             : ""));
    }
    const auto others = [](const Rivals& rivals) {
        return rivals.count == 1 ? "other overflow dump" : "other overflow dumps";
    };
    if (close_in_time_.count != 0) {
        add(message_of(close_in_time_, others(close_in_time_)) +
            ". Clocks of ranks, devices and processes may differ by 1 s; later steps, and dumps without a step, are "
            "listed "
            "later whatever their time");
    }
    if (time_unknown_.count != 0) {
        add(message_of(time_unknown_, others(time_unknown_)) +
            ". Without a plausible time, dumps are listed by step and path");
    }
    if (unreadable_.count != 0) {
        add(message_of(unreadable_, unreadable_.count == 1 ? "overflow dump that cannot be decoded"
                                                           : "overflow dumps that cannot be decoded") +
            ". Such dumps are written where something overflowed");
    }
    return diagnostics;
}

FirstRivals FirstDoubts::rivals() const {
    return {close_in_time_.count,
            {close_ranks_.begin(), close_ranks_.end()},
            time_unknown_.count,
            unreadable_.count,
            first_ && first_->timestamp_us && !has_plausible_time(*first_)};
}

}  // namespace opdebug::scan_stage
