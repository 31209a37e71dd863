#include "report/pages/pages.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/scan/scan_page.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kDumpsShown = 40;
constexpr std::size_t kPathIndent = 6;

struct TimelinePage : Page {
    const ScanApi& api;
    std::optional<int> utc_offset_minutes;  ///< of the run
};

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

std::string number(const std::optional<std::uint64_t>& value) {
    return value ? fmt::to_string(*value) : std::string();
}

TextRow row_of_dump(const ApiTimeline& timeline, const ApiTimelineEntry& entry, const TimelinePage& page) {
    const KernelOverflow& overflow = page.api.overflows[*entry.overflow];
    const std::string named = show_operator(overflow.operator_name, overflow.operator_type);
    std::string below = fmt::format("      {}\n", page.path(overflow.file, page.options.columns - kPathIndent));
    below += entry.tie ? lines_of_ties(page, *entry.tie) : std::string();
    return {{number(timeline.step), number(timeline.rank),
             overflow.timestamp_us ? page.local_time(*overflow.timestamp_us, page.utc_offset_minutes) : std::string(),
             named.empty() ? printable_shortened(overflow.kernel, page.language()) : named,
             std::string(entry.tie ? api_tie_label(page.api.ties[*entry.tie].level, page.language())
                                   : page.word("api_page.not_tied"))},
            std::move(below)};
}

}  // namespace

std::string api_timelines_text(const ScanApi& api, const std::optional<int>& utc_offset_minutes,
                               const ReportOptions& options) {
    const TimelinePage page{{options}, api, utc_offset_minutes};
    std::vector<TextRow> rows;  // calls alone are in the lists of the page
    for (const ApiTimeline& timeline : api.timeline) {
        for (const ApiTimelineEntry& entry : timeline.entries) {
            if (entry.overflow && rows.size() < kDumpsShown) {
                rows.push_back(row_of_dump(timeline, entry, page));
            }
        }
    }
    if (rows.empty()) {
        return {};
    }
    const std::size_t left = api.overflows.size() - rows.size();
    const TextTable table = text_table({{page.word("api_page.step"), true},
                                        {page.word("api_page.rank"), true},
                                        {page.word("api_page.time")},
                                        {page.word("scan_page.operator"), false, shorten_middle},
                                        {page.word("api_page.tie")}},
                                       std::move(rows), options.columns);
    return fitted(page.heading(page.word("api_page.timeline")) + table.text() + page.left_out(left), options.columns);
}

}  // namespace opdebug::report
