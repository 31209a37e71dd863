#include "report/pages/text_api.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/printable.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kTimelinesShown = 8;
constexpr std::size_t kEntriesShown = 20;
constexpr std::size_t kPathIndent = 6;

/// What the rows need: time is local, and names and paths have the columns of the page.
struct TimelinePage {
    const ScanApi& api;
    const ReportOptions& options;
    const ApiLabels& words;
    std::optional<int> utc_offset_minutes;  ///< of the run

    std::string name(std::string_view text) const {
        const std::string whole = printable_shortened(text, options.language);
        return options.verbose ? whole : shorten_middle(whole, options.columns * 2 / 5);
    }
    std::string time(std::uint64_t time_us) const { return show_local_time(time_us, utc_offset_minutes, options); }
};

TextRow row_of_call(const ApiFinding& finding, const TimelinePage& page) {
    return {{std::string(page.words.call), fmt::to_string(finding.position), page.name(finding.api),
             std::string(api_verdict_label(finding.verdict, page.options.language))},
            {}};
}

/// The row contains the surest tie; each tie has a line below the row with its reason.
std::string lines_of_ties(const TimelinePage& page, std::size_t first) {
    const std::vector<ApiTie>& ties = page.api.ties;
    const Language language = page.options.language;
    std::string text;
    for (std::size_t i = first; i < ties.size() && ties[i].overflow == ties[first].overflow; ++i) {
        text += wrapped(fmt::format("      {}{}", api_tie_label(ties[i].level, language), page.words.colon),
                        fmt::format("{}{}{}", printable_shortened(ties[i].api, language), page.words.colon,
                                    printable_shortened(ties[i].because_in(language), language)),
                        8, page.options.columns);
    }
    return text;
}

TextRow row_of_dump(const ApiTimelineEntry& entry, const TimelinePage& page) {
    const KernelOverflow& overflow = page.api.overflows[*entry.overflow];
    const std::string named = show_operator(overflow.operator_name, overflow.operator_type);
    const std::string file = printable(overflow.file);
    std::string below =
        fmt::format("      {}\n", page.options.verbose ? file : shorten_path(file, page.options.columns - kPathIndent));
    below += entry.tie ? lines_of_ties(page, *entry.tie) : std::string();
    return {{std::string(page.words.dump), overflow.timestamp_us ? page.time(*overflow.timestamp_us) : std::string(),
             page.name(named.empty() ? overflow.kernel : named),
             std::string(entry.tie ? api_tie_label(page.api.ties[*entry.tie].level, page.options.language)
                                   : page.words.not_tied)},
            std::move(below)};
}

std::string more(std::size_t count, const ApiLabels& words) {
    return count == 0 ? std::string() : fmt::format("  {}\n", fmt::format(fmt::runtime(words.more_format), count));
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
std::string place_of(const ApiTimeline& timeline, const ApiLabels& words) {
    const std::string step = timeline.step ? fmt::format("step {}", *timeline.step) : std::string();
    const std::string rank = timeline.rank ? fmt::format("rank {}", *timeline.rank) : std::string(words.unknown_rank);
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
    const TextTable table = text_table({{std::string(page.words.kind)},
                                        {std::string(page.words.place_or_time)},
                                        {std::string(page.words.what)},
                                        {std::string(page.words.tie)}},
                                       rows, page.options.columns);
    return fmt::format("\n  {}\n{}{}", place_of(timeline, page.words), table.heading, fmt::join(table.rows, "")) +
           more(timeline.entries.size() - rows.size(), page.words);
}

}  // namespace

std::string api_timelines_text(const ScanApi& api, const std::optional<int>& utc_offset_minutes,
                               const ReportOptions& options) {
    const TimelinePage page{api, options, api_labels_in(options.language), utc_offset_minutes};
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
    std::string text = fmt::format("\n{}\n", Style(options).bold(page.words.timeline));
    const std::size_t shown = std::min(with_dumps.size(), kTimelinesShown);
    for (std::size_t i = 0; i < shown; ++i) {
        text += timeline_text(*with_dumps[i], page);
    }
    return fitted(text + more(with_dumps.size() - shown, page.words), options.columns);
}

ApiPageOptions api_page_options(const ScanReportOptions& options) {
    ApiPageOptions page;
    page.report = options.report;
    page.filter = options.filter;
    page.all = options.all;
    page.top = options.top;
    return page;
}

}  // namespace opdebug::report
