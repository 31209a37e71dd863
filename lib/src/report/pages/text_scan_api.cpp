#include "report/pages/pages.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/scan/scan_page.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kTimelinesShown = 8;
constexpr std::size_t kEntriesShown = 20;
constexpr std::size_t kPathIndent = 6;

struct TimelinePage : Page {
    const ScanApi& api;
    std::optional<int> utc_offset_minutes;  ///< of the run

    std::string name(std::string_view text) const {
        const std::string whole = printable_shortened(text, options.language);
        return options.verbose ? whole : shorten_middle(whole, options.columns * 2 / 5);
    }
};

TextRow row_of_call(const ApiFinding& finding, const TimelinePage& page) {
    return {{std::string(page.word("api_page.call")), fmt::to_string(finding.position), page.name(finding.api),
             std::string(api_verdict_label(finding.verdict, page.language()))},
            {}};
}

/// The row contains the surest tie; each tie has a line below the row with its reason.
std::string lines_of_ties(const TimelinePage& page, std::size_t first) {
    const std::vector<ApiTie>& ties = page.api.ties;
    const Language language = page.language();
    std::string text;
    for (std::size_t i = first; i < ties.size() && ties[i].overflow == ties[first].overflow; ++i) {
        const std::string_view colon = page.word("page.colon");
        text += page.lines(fmt::format("      {}{}", api_tie_label(ties[i].level, language), colon),
                           fmt::format("{}{}{}", printable_shortened(ties[i].api, language), colon,
                                       printable_shortened(ties[i].because_in(language), language)),
                           8);
    }
    return text;
}

TextRow row_of_dump(const ApiTimelineEntry& entry, const TimelinePage& page) {
    const KernelOverflow& overflow = page.api.overflows[*entry.overflow];
    const std::string named = show_operator(overflow.operator_name, overflow.operator_type);
    std::string below = fmt::format("      {}\n", page.path(overflow.file, page.options.columns - kPathIndent));
    below += entry.tie ? lines_of_ties(page, *entry.tie) : std::string();
    return {{std::string(page.word("api_page.dump")),
             overflow.timestamp_us ? page.local_time(*overflow.timestamp_us, page.utc_offset_minutes) : std::string(),
             page.name(named.empty() ? overflow.kernel : named),
             std::string(entry.tie ? api_tie_label(page.api.ties[*entry.tie].level, page.language())
                                   : page.word("api_page.not_tied"))},
            std::move(below)};
}

/// Whether a long timeline shows an entry: after a bad value nearly every call inherits it.
bool says_much(const ApiTimeline& timeline, std::size_t index, const ScanApi& api) {
    const ApiTimelineEntry& entry = timeline.entries[index];
    if (entry.overflow) {
        return true;
    }
    const ApiVerdict verdict = api.report->findings[*entry.finding].verdict;
    const bool has_dump = index + 1 < timeline.entries.size() && timeline.entries[index + 1].overflow;
    return has_dump || (verdict != ApiVerdict::inherited && verdict != ApiVerdict::absorbed);
}

/// "step 3, rank 0"; an unknown value has words of its own.
std::string place_of(const ApiTimeline& timeline, const Page& page) {
    const std::string step = timeline.step ? fmt::format("step {}", *timeline.step) : std::string();
    const std::string rank =
        timeline.rank ? fmt::format("rank {}", *timeline.rank) : std::string(page.word("api_page.unknown_rank"));
    return step.empty() ? rank : step + ", " + rank;
}

std::string timeline_text(const ApiTimeline& timeline, const TimelinePage& page) {
    const bool all = timeline.entries.size() <= kEntriesShown;
    std::vector<TextRow> rows;
    for (std::size_t i = 0; i < timeline.entries.size() && rows.size() < kEntriesShown; ++i) {
        const ApiTimelineEntry& entry = timeline.entries[i];
        if (all || says_much(timeline, i, page.api)) {
            rows.push_back(entry.finding ? row_of_call(page.api.report->findings[*entry.finding], page)
                                         : row_of_dump(entry, page));
        }
    }
    const TextTable table = text_table({{page.word("api_page.kind")},
                                        {page.word("api_page.place_or_time")},
                                        {page.word("api_page.what")},
                                        {page.word("api_page.tie")}},
                                       rows, page.options.columns);
    return fmt::format("\n  {}\n{}{}", place_of(timeline, page), table.text(),
                       page.left_out(timeline.entries.size() - rows.size()));
}

}  // namespace

std::string api_timelines_text(const ScanApi& api, const std::optional<int>& utc_offset_minutes,
                               const ReportOptions& options) {
    const TimelinePage page{{options}, api, utc_offset_minutes};
    std::vector<const ApiTimeline*> with_dumps;  // calls alone are in the lists of the page
    for (const ApiTimeline& timeline : api.timeline) {
        const bool has_dump = std::any_of(timeline.entries.begin(), timeline.entries.end(),
                                          [](const ApiTimelineEntry& entry) { return entry.overflow.has_value(); });
        if (has_dump) {
            with_dumps.push_back(&timeline);
        }
    }
    if (with_dumps.empty()) {
        return {};
    }
    std::string text = page.heading(page.word("api_page.timeline"));
    const std::size_t shown = std::min(with_dumps.size(), kTimelinesShown);
    for (std::size_t i = 0; i < shown; ++i) {
        text += timeline_text(*with_dumps[i], page);
    }
    return fitted(text + page.left_out(with_dumps.size() - shown), options.columns);
}

}  // namespace opdebug::report
