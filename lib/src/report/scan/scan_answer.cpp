#include "report/scan/scan_page.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include <opdebug/report.hpp>

#include "bytes/unknown_last.hpp"
#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"
#include "remarks/word.hpp"
#include "report/parts/part_lines.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"
#include "scan/times.hpp"

namespace opdebug::report {
namespace {

using OptionalId = std::optional<std::uint64_t>;

/// A rank, or a device of a host: each host numbers its devices from 0.
using RankOrDevice = std::pair<std::string, OptionalId>;

/// Gathers the answer dump by dump, in report order.
class AnswerBuilder {
public:
    AnswerBuilder(ScanAnswer& answer, const ScanReportOptions& options) : answer_(answer), options_(options) {}

    void add(const ScanEntry& entry) {
        const ScanItem& item = entry.item;
        if (item.state == DumpState::failed) {
            ++answer_.failures[entry.failure_code];
        }
        if (item.state != DumpState::overflowed) {
            return;
        }
        if (!answer_.first) {
            answer_.first = item;
        }
        note_time(item);
        if (!matches(options_.filter, item)) {
            return;
        }
        add_to_operator(item);
        if (options_.lists.ranks || item.path_ids.data_index == answer_.first->path_ids.data_index) {
            add_to_spread(item);
        }
    }

    void finish() {
        answer_.has_ranks = answer_.first && answer_.first->path_ids.rank;
        for (auto& [place, spread] : places_) {
            answer_.spread.push_back(std::move(spread));
        }
        std::stable_sort(answer_.spread.begin(), answer_.spread.end(), [](const RankSpread& a, const RankSpread& b) {
            return bytes::unknown_last(a.first_us) < bytes::unknown_last(b.first_us);
        });
        answer_.ranks = times_.size();
        if (!answer_.first || !answer_.first->timestamp_us) {
            return;
        }
        const std::uint64_t first_us = *answer_.first->timestamp_us;
        const RankOrDevice first_place = place_of(*answer_.first);
        for (const auto& [place, time] : times_) {
            if (time && place != first_place) {
                const std::int64_t later = scan_stage::time_difference(*time, first_us);
                answer_.margin = std::min(later, answer_.margin.value_or(std::numeric_limits<std::int64_t>::max()));
            }
        }
    }

private:
    /// Ranks where the first overflow has one, else devices.
    RankOrDevice place_of(const ScanItem& item) const {
        return answer_.first->path_ids.rank ? RankOrDevice(std::string(), item.path_ids.rank)
                                            : RankOrDevice(item.host, item.path_ids.device_id);
    }

    void note_time(const ScanItem& item) {
        const RankOrDevice place = place_of(item);
        if (!place.second) {
            return;
        }
        OptionalId& earliest = times_[place];
        if (item.timestamp_us && scan_stage::is_plausible(*item.timestamp_us)) {
            earliest = std::min(*item.timestamp_us, earliest.value_or(*item.timestamp_us));
        }
    }

    void add_to_spread(const ScanItem& item) {
        const RankOrDevice place = place_of(item);
        if (!place.second) {
            return;
        }
        RankSpread& spread = places_[place];
        if (spread.operators.empty()) {
            spread = {
                place.first, item.path_ids.rank, item.path_ids.device_id, item.path_ids.data_index, item.timestamp_us,
                {}};
        }
        const std::string op = item.operator_name.empty() ? item.operator_type : item.operator_name;
        if (item.path_ids.data_index == spread.step &&
            std::find(spread.operators.begin(), spread.operators.end(), op) == spread.operators.end()) {
            spread.operators.push_back(op);
        }
    }

    void add_to_operator(const ScanItem& item) {
        const auto [place, is_new] =
            rows_.emplace(std::make_pair(item.operator_name, item.operator_type), answer_.operators.size());
        if (is_new) {
            answer_.operators.push_back({item.operator_name, item.operator_type, 0, {}, {}, {}, {}, item.timestamp_us});
        }
        OperatorRow& row = answer_.operators[place->second];
        ++row.count;
        const auto note = [](std::set<std::uint64_t>& numbers, const OptionalId& number) {
            if (number) {
                numbers.insert(*number);
            }
        };
        note(row.ranks, item.path_ids.rank);
        if (item.path_ids.device_id) {
            row.devices.emplace(item.host, *item.path_ids.device_id);
        }
        note(row.steps, item.path_ids.data_index);
        for (const ScanCause& cause : item.causes) {
            row.causes.insert(cause.id);
        }
    }

    ScanAnswer& answer_;
    const ScanReportOptions& options_;
    std::map<RankOrDevice, OptionalId> times_;  ///< the earliest overflow of all steps
    std::map<RankOrDevice, RankSpread> places_;
    std::map<std::pair<std::string, std::string>, std::size_t> rows_;
};

}  // namespace

ScanAnswer answer_of(const ScanContents& page) {
    ScanAnswer answer;
    AnswerBuilder builder(answer, page.options);
    each_entry(page, [&builder](const ScanEntry& entry) {
        builder.add(entry);
        return true;
    });
    builder.finish();
    return answer;
}

std::string margin_of(const ScanAnswer& answer, Language language) {
    if (!answer.margin || *answer.margin <= scan_stage::kOneSecond) {
        return {};
    }
    return remarks::phrase(answer.has_ranks ? "scan_page.before_rank" : "scan_page.before_device",
                           {{"duration", remarks::show_duration(*answer.margin)}})
        .in(language);
}

std::string doubts_of_first(const FirstRivals& rivals, Language language) {
    const auto number = [](std::uint64_t count, std::string_view id) {
        return remarks::phrase(id, {{"count", show_count(count)}});
    };
    std::vector<LocalizedText> doubts;
    if (rivals.close_in_time != 0) {
        doubts.push_back(remarks::phrase(rivals.ranks.empty() ? "scan_page.close" : "scan_page.close_ranks",
                                         {{"dumps", number(rivals.close_in_time, "scan_page.dumps_of")},
                                          {"ranks", number(rivals.ranks.size(), "scan_page.ranks_of")}}));
    }
    if (rivals.first_is_implausible) {
        doubts.push_back(remarks::phrase("scan_page.implausible"));
    }
    if (rivals.without_time != 0) {
        doubts.push_back(
            remarks::phrase("scan_page.no_time", {{"dumps", number(rivals.without_time, "scan_page.dumps_of")}}));
    }
    if (rivals.unreadable != 0) {
        doubts.push_back(number(rivals.unreadable, "scan_page.unreadable_first"));
    }
    if (doubts.empty()) {
        return {};
    }
    LocalizedText text = remarks::phrase("scan_page.uncertain");
    remarks::append(remarks::joined(doubts, remarks::phrase("page.comma")), text);
    return text.in(language);
}

/// Whether the page has the finding of this list of statistics.
static bool has_finding_of(const ScanContents& page, const std::string& statistics) {
    const auto is_of_list = [&statistics](const ApiFinding& finding) { return finding.file == statistics; };
    return page.api && std::any_of(page.api->report->findings.begin(), page.api->report->findings.end(), is_of_list);
}

std::vector<std::string> next_steps_of(const ScanContents& page, const ScanItem& item, const FirstWords& words,
                                       Language language) {
    OverflowFacts facts{item.origin, item.op_dump != OpDumpState::absent, page.options.report.tensors,
                        has_finding_of(page, words.statistics), mapped(cause_ids(item), cause_definition)};
    std::erase(facts.causes, nullptr);
    return next_steps_of(facts, words, language);
}

std::vector<std::string> pattern_of(const OperatorRow& row, const ScanOverview& overview) {
    constexpr std::string_view kHowOften[] = {"every_step", "recurring", "one_off"};
    std::set<std::string_view> codes;
    for (const ScanOperator& one : overview.operators) {
        if (one.name == row.name && one.type == row.type) {
            codes.insert(one.patterns.begin(), one.patterns.end());
        }
    }
    std::vector<std::string> pattern;
    for (const std::string_view code : kHowOften) {
        if (pattern.empty() && codes.count(code) != 0) {
            pattern.emplace_back(code);
        }
    }
    if (codes.count("core_concentration") != 0) {
        pattern.emplace_back("core_concentration");
    }
    return pattern;
}

}  // namespace opdebug::report
