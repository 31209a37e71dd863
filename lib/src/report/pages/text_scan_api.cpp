#include "report/pages/text_api.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/printable.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kTimelinesShown = 8;
constexpr std::size_t kEntriesShown = 20;

TextRow row_of_call(const ApiFinding& finding, const ApiLabels& words, Language language) {
    return {{std::string(words.call), fmt::to_string(finding.position), printable_shortened(finding.api, language),
             std::string(api_verdict_label(finding.verdict, language)), printable(finding.file)},
            {}};
}

/// The surest tie stands in the row; each has a line below it with its reason.
std::string lines_of_ties(const ScanApi& api, std::size_t first, Language language) {
    std::string text;
    for (std::size_t i = first; i < api.ties.size() && api.ties[i].overflow == api.ties[first].overflow; ++i) {
        const ApiTie& tie = api.ties[i];
        text += fmt::format("      {}: {}: {}\n", api_tie_label(tie.level, language),
                            printable_shortened(tie.api, language), printable_shortened(tie.because, language));
    }
    return text;
}

TextRow row_of_dump(const ScanApi& api, const ApiTimelineEntry& entry, const ApiLabels& words, Language language) {
    const KernelOverflow& overflow = api.overflows[*entry.overflow];
    const std::string named = show_operator(overflow.operator_name, overflow.operator_type);
    return {{std::string(words.dump), overflow.timestamp_us ? show_utc(*overflow.timestamp_us) : std::string(),
             named.empty() ? printable_shortened(overflow.kernel, language) : named,
             std::string(entry.tie ? api_tie_label(api.ties[*entry.tie].level, language) : words.not_tied),
             printable(overflow.file)},
            entry.tie ? lines_of_ties(api, *entry.tie, language) : std::string()};
}

std::string more(std::size_t count, const ApiLabels& words) {
    return count == 0 ? std::string() : fmt::format("  {}\n", fmt::format(fmt::runtime(words.more_format), count));
}

/// Whether a long timeline shows an entry: behind a bad value nearly every call inherits it.
bool says_much(const ApiTimeline& timeline, std::size_t index, const ScanApi& api) {
    const ApiTimelineEntry& entry = timeline.entries[index];
    if (entry.overflow) {
        return true;
    }
    const ApiVerdict verdict = api.report->findings[*entry.finding].verdict;
    const bool has_dump = index + 1 < timeline.entries.size() && timeline.entries[index + 1].overflow;
    return has_dump || (verdict != ApiVerdict::inherited && verdict != ApiVerdict::absorbed);
}

std::string timeline_text(const ApiTimeline& timeline, const ScanApi& api, Language language) {
    const ApiLabels& words = api_labels_in(language);
    const bool all = timeline.entries.size() <= kEntriesShown;
    std::vector<TextRow> rows;
    for (std::size_t i = 0; i < timeline.entries.size() && rows.size() < kEntriesShown; ++i) {
        const ApiTimelineEntry& entry = timeline.entries[i];
        if (all || says_much(timeline, i, api)) {
            rows.push_back(entry.finding ? row_of_call(api.report->findings[*entry.finding], words, language)
                                         : row_of_dump(api, entry, words, language));
        }
    }
    const TextTable table = text_table({{std::string(words.kind)},
                                        {std::string(words.place_or_time)},
                                        {std::string(words.what)},
                                        {std::string(words.tie)},
                                        {std::string(labels_in(language).file)}},
                                       rows);
    std::string text = fmt::format("\n  {}\n{}", api_timeline_place(timeline, language), table.heading);
    for (const std::string& row : table.rows) {
        text += row;
    }
    return text + more(timeline.entries.size() - rows.size(), words);
}

std::string timelines(const ScanApi& api, Language language) {
    if (api.timeline.empty()) {
        return {};
    }
    const ApiLabels& words = api_labels_in(language);
    std::string text = fmt::format("\n{}\n", words.timeline);
    const std::size_t shown = std::min(api.timeline.size(), kTimelinesShown);
    for (std::size_t i = 0; i < shown; ++i) {
        text += timeline_text(api.timeline[i], api, language);
    }
    return text + more(api.timeline.size() - shown, words);
}

std::string remarks(const ScanApi& api, Language language) {
    std::string text;
    for (const Diagnostic& remark : api.diagnostics) {
        text += fmt::format("  {} [{}] {}\n", severity_label(remark.severity, labels_in(language)),
                            printable(remark.code), printable_shortened(remark.message_in(language), language));
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", api_labels_in(language).remarks, text);
}

}  // namespace

std::string api_timeline_place(const ApiTimeline& timeline, Language language) {
    const std::string step = timeline.step ? fmt::format("step {}", *timeline.step) : std::string();
    const std::string rank =
        timeline.rank ? fmt::format("rank {}", *timeline.rank) : std::string(api_labels_in(language).unknown_rank);
    return step.empty() ? rank : step + ", " + rank;
}

std::string scan_api_culprits(const ScanApi& api, const ReportOptions& options) {
    std::string text = fmt::format("  {}\n", api_counts_text(*api.report, options));
    if (!api.report->complete) {
        text += fmt::format("\n{}\n", api_labels_in(options.language).incomplete);
    }
    return text + "\n" + api_first_text(*api.report, options) + api_failures_text(*api.report, options);
}

std::string scan_api_to_text(const ScanApi& api, const ReportOptions& options) {
    return scan_api_culprits(api, options) + timelines(api, options.language) + remarks(api, options.language);
}

}  // namespace opdebug::report
