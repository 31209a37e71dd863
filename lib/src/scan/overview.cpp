#include "scan/overview.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include <opdebug/tree.hpp>

#include "bytes/unknown_last.hpp"
#include "remarks/diagnose.hpp"
#include "scan/times.hpp"
#include "tree/name.hpp"

namespace opdebug::scan_stage {
// Doubts about the first overflow of a report: other dumps that may be earlier.
namespace {

constexpr std::size_t kMostNames = 3;

/// "node-7:dump/rank_0/…": hosts with their own disks have equal paths.
std::string show_dump(const std::string& host, const ScanItem& item) {
    return host.empty() ? item.file : host + ":" + item.file;
}

/// Whether the name, or the name in mapping.csv, is an overflow dump's. Other files were named by the user, for example
/// operator dumps or notes.
bool is_named_as_overflow_dump(const ScanItem& item) {
    const std::string_view file = file_name_of(item.file);
    const std::optional<DumpName> name = tree::parse_name_of_dump(file);
    return tree::is_decimal(file) || (name && name->is_overflow_dump);
}

bool has_plausible_time(const ScanItem& item) {
    return item.timestamp_us && is_plausible(*item.timestamp_us);
}

/// The period of an implausible time.
LocalizedText show_period(std::uint64_t timestamp_us) {
    return remarks::phrase(timestamp_us < kEarliestPlausible ? "period_before_2019" : "period_after_2099");
}

/// How much later a dump is than the first one. Empty if one of the times is missing, or only that of the dump is
/// implausible.
std::optional<std::int64_t> later_than(const ScanItem& first, const ScanItem& item) {
    if (!first.timestamp_us || !item.timestamp_us || (has_plausible_time(first) && !has_plausible_time(item))) {
        return std::nullopt;
    }
    return time_difference(*item.timestamp_us, *first.timestamp_us);
}

}  // namespace

void FirstDoubts::Rivals::add(const std::string& name, const LocalizedText& remark) {
    if (count < kMostNames) {
        names.push_back(remarks::phrase("in_brackets", {{"name", name}, {"remark", remark}}));
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

/// Unreadable dumps that come before the first overflow may also be earlier.
void FirstDoubts::set_first(const ScanItem& item, std::uint32_t source, std::string name) {
    first_ = item;
    first_source_ = source;
    first_name_ = std::move(name);
    for (const auto& [unreadable_name, unreadable] : unreadable_before_) {
        unreadable_.add(unreadable_name, remark_on(unreadable));
    }
    unreadable_.count = unreadable_before_count_;
}

/// One clock orders its own dumps. Dumps of two clocks are not ordered if they are within a second. Steps are in order
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
LocalizedText FirstDoubts::remark_on(const ScanItem& item) const {
    const std::optional<std::uint64_t>& step = item.path_ids.data_index;
    const std::optional<std::int64_t> later = later_than(*first_, item);
    const bool both_known = first_->timestamp_us && item.timestamp_us;
    const LocalizedText when = later ? show_later(*later)
                               : both_known
                                   ? remarks::phrase("its_time_is", {{"period", show_period(*item.timestamp_us)}})
                                   : remarks::phrase("time_not_known");
    return step && step != first_->path_ids.data_index
               ? remarks::joined({remarks::phrase("step", {{"step", *step}}), when}, {", ", "，"})
               : when;
}

Diagnostic FirstDoubts::doubt(std::string_view id, const Rivals& rivals) const {
    LocalizedText others = remarks::joined(rivals.names, {", ", "、"});
    if (rivals.count > kMostNames) {
        others = remarks::phrase("dump_and_others", {{"dumps", others}});
    }
    return remarks::diagnose(id, {{"first", first_name_}, {"count", rivals.count}, {"others", others}});
}

std::vector<Diagnostic> FirstDoubts::diagnostics() const {
    std::vector<Diagnostic> diagnostics;
    if (first_ && first_->timestamp_us && !has_plausible_time(*first_)) {
        const LocalizedText plausible =
            first_plausible_ ? remarks::phrase("first_plausible", {{"file", *first_plausible_}}) : LocalizedText();
        diagnostics.push_back(remarks::diagnose(
            "first_uncertain.time",
            {{"first", first_name_}, {"period", show_period(*first_->timestamp_us)}, {"plausible", plausible}}));
    }
    if (close_in_time_.count != 0) {
        diagnostics.push_back(doubt("first_uncertain.close", close_in_time_));
    }
    if (time_unknown_.count != 0) {
        diagnostics.push_back(doubt("first_uncertain", time_unknown_));
    }
    if (unreadable_.count != 0) {
        diagnostics.push_back(doubt("first_uncertain.unreadable", unreadable_));
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

void OverviewBuilder::add(const ScanItem& item) {
    const SourceNumbers source = sources_.add(item);
    population_.add(item, source);
    if (item.state != DumpState::clean) {
        first_.add(item, source.source, sources_.at(source.source).host);
    }
    if (item.state != DumpState::overflowed) {
        return;
    }
    for (const ScanCause& cause : item.causes) {
        Operator& of_cause =
            operators_[cause.other_task ? OperatorKey() : OperatorKey{item.operator_type, item.operator_name}];
        Group& group = of_cause.groups[{cause.id, cause.other_model ? std::string() : item.model}];
        if (group.members.count == 0) {
            group.first_file = item.file;
            if (of_cause.groups.size() == 2) {  // until now all were of the other group
                const auto& first = of_cause.groups.begin()->second;
                of_cause.members = (&first == &group ? std::next(of_cause.groups.begin())->second : first).members;
            }
        }
        if (of_cause.members) {
            of_cause.members->add(item, cause, dumps_, source);
        }
        group.members.add(item, cause, dumps_, source);
    }
    ++dumps_;
}

/// Without its names.
ScanGroup OverviewBuilder::finish_group(const GroupTally& members) const {
    ScanGroup finished;
    finished.count = members.count;
    finished.bursts = members.bursts();
    finished.ranks.assign(members.ranks.begin(), members.ranks.end());
    finished.devices.assign(members.devices.numbers().begin(), members.devices.numbers().end());
    finished.steps = members.steps;
    finished.first_us = members.first_us;
    finished.last_us = members.last_us;
    finished.remarks = remarks_on_group(finished, members, sources_, population_);
    return finished;
}

static std::vector<std::string> codes_of(const std::vector<ScanRemark>& remarks) {
    std::vector<std::string> codes;
    codes.reserve(remarks.size());
    for (const ScanRemark& remark : remarks) {
        codes.push_back(remark.code);
    }
    return codes;
}

/// Most frequent first, then by first time (unknown last), then by name.
ScanOverview OverviewBuilder::finish() {
    ScanOverview overview;
    overview.groups.reserve(operators_.size());
    overview.operators.reserve(operators_.size());
    for (const auto& [key, of_operator] : operators_) {
        for (const auto& [cause_and_model, group] : of_operator.groups) {
            ScanGroup finished = finish_group(group.members);
            finished.operator_type = key.type;
            finished.operator_name = key.name;
            std::tie(finished.cause, finished.model) = cause_and_model;
            finished.first_file = group.first_file;
            overview.groups.push_back(std::move(finished));
        }
        overview.operators.push_back({key.type, key.name,
                                      of_operator.members ? codes_of(finish_group(*of_operator.members).remarks)
                                                          : codes_of(overview.groups.back().remarks)});
    }
    std::stable_sort(overview.groups.begin(), overview.groups.end(), [](const ScanGroup& a, const ScanGroup& b) {
        return std::tuple(b.count, bytes::unknown_last(a.first_us),
                          std::tie(a.cause, a.operator_type, a.operator_name)) <
               std::tuple(a.count, bytes::unknown_last(b.first_us),
                          std::tie(b.cause, b.operator_type, b.operator_name));
    });
    overview.diagnostics = first_.diagnostics();
    overview.rivals = first_.rivals();
    return overview;
}

}  // namespace opdebug::scan_stage

namespace opdebug {
inline namespace v0 {

ScanOverview overview_of(const std::vector<ScanItem>& items) {
    scan_stage::OverviewBuilder builder;
    for (const ScanItem& item : items) {
        builder.add(item);
    }
    return builder.finish();
}

}  // namespace v0
}  // namespace opdebug
