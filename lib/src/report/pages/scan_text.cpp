// A scan as a page that a person reads in a terminal: the answer, how it spread, the operators, what was counted. The
// lists and `verbose` add the rest.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "report/pages/pages.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kFailures = 20;

/// What all parts of the page need.
struct ScanTextPage : Page {
    const ScanContents& scan;

    bool verbose() const { return options.verbose; }
    std::string line(std::string_view label, std::string_view text) const {
        constexpr std::size_t kColumn = 14;
        return fmt::format("  {}{}\n", padded(std::string(word(label)), kColumn), text);
    }
    /// Errors in red.
    std::string painted_remark(const Diagnostic& one) const {
        const std::string_view severity = word(severity_word(one.severity));
        const std::string text = remark(one);
        return one.severity == Severity::error ? red(severity) + text.substr(severity.size()) : text;
    }
};

/// The first overflow, or that there is none.
std::string answer_part(const ScanTextPage& page, const ScanAnswer& answer) {
    const ScanCounts& counts = page.scan.scan.counts;
    std::string text;
    if (!page.scan.scan.complete) {
        text += fmt::format("{}\n\n", page.bold(page.word("scan_page.incomplete")));
    }
    if (answer.first) {
        return text + first_overflow_text(page.scan, answer);
    }
    if (counts.dumps == 0 && page.scan.api) {
        return text + fmt::format("{}\n", scan_title(page.scan, page.language()));
    }
    return text + fmt::format("{}\n", no_overflow_words(counts, page.language()));
}

std::string doubts(const ScanTextPage& page) {
    std::string text;
    if (page.verbose() || page.scan.options.lists.uncertain) {
        for (const Diagnostic& doubt : page.scan.overview.diagnostics) {
            text += page.lines("  ", printable(doubt.message_in(page.language())), 4);
        }
        if (const std::vector<std::uint64_t>& ranks = page.scan.overview.rivals.ranks; !ranks.empty()) {
            text += fmt::format("  rank {}\n", show_numbers(ranks));
        }
    }
    return page.part("scan_page.uncertain_list", text);
}

std::string api_dumps(const ScanTextPage& page, const ScanAnswer& answer) {
    if (!page.scan.api) {
        return {};
    }
    const ScanApi& api = *page.scan.api;
    const ApiPageOptions options = api_page_options(page.scan.options);
    return page.heading(page.word("api_page.section")) + "\n" + api_answer_text(*api.report, options) +
           api_timelines_text(api, zone_of(answer), options.report) +
           api_end_text(*api.report, api.diagnostics, options);
}

/// The verdict of the training log, and what became of the steps with an overflow. `verbose`: the whole page of the
/// log.
std::string training(const ScanTextPage& page) {
    if (!page.scan.training) {
        return {};
    }
    const TrainingReport& report = page.scan.training->report;
    std::string text = page.heading(page.word("scan_page.training")) + training_head(report, page.options);
    for (const std::string& line : training_lines(*page.scan.training, page.language())) {
        text += page.lines("  ", line, 4);
    }
    return page.verbose() ? text + "\n" + training_to_text(report, page.options) : text;
}

/// With `verbose`: the first overflow as `decode` shows it, what was read.
std::string details(const ScanTextPage& page) {
    if (!page.verbose()) {
        return {};
    }
    std::string text = page.part("scan_page.first_in_full", first_words_of(page.scan, page.language()).record) + "\n";
    for (const std::string& input : page.scan.scan.inputs) {
        text += page.line("scan_page.inputs", printable(input));
    }
    const ScanCounts& counts = page.scan.scan.counts;
    return text + page.line("scan_page.others", page.phrase("scan_page.other_files",
                                                            {{"ops", counts.op_dumps}, {"files", counts.other_files}}));
}

/// Only on demand: the page is an overview, and the timeline has a line for each dump.
bool write_timeline(const ScanTextPage& page, const TextSink& sink) {
    if (!page.scan.options.first && !page.scan.options.all) {
        return true;
    }
    std::string text = page.heading(page.word("scan_page.timeline"));
    bool wanted = true;
    TimelineChoice choice(page.scan.options);
    each_entry(page.scan, [&](const ScanEntry& entry) {
        if (choice.takes(entry)) {
            // Not aligned: the list may be long and is written as it comes.
            text += "  " + item_to_line(entry.item, page.language()) + "\n";
        }
        if (text.size() > 65536) {
            wanted = sink(text);
            text.clear();
        }
        return wanted && !choice.is_full();
    });
    return wanted && sink(text);
}

/// Dumps on demand, paths and folders always.
std::string failures(const ScanTextPage& page) {
    const bool lists_all = page.scan.options.lists.unreadable;
    const std::uint64_t count = page.verbose() || lists_all ? page.scan.scan.counts.failed : 0;
    const std::size_t most = lists_all ? count : std::min<std::uint64_t>(count, kFailures);
    std::string text;
    for (const ScanEntry& entry : failed_of(page.scan, most)) {
        text += fmt::format("  {} [{}] {}{}{}\n", page.red(page.word("page.error")), printable(entry.failure_code),
                            printable(entry.item.file), page.word("page.colon"),
                            printable(remarks::text_of(entry.failure_code, entry.failure_message).in(page.language())));
    }
    text += page.more(count - most);
    return page.part("scan_page.folders",
                     text + page.first_lines(page.scan.scan.failures, kFailures, [&page](const Error& failure) {
                         return "  " + failure_to_text(failure, page.options);
                     }));
}

/// Without `verbose` what limits the answer.
std::string remarks(const ScanTextPage& page) {
    std::vector<Diagnostic> shown = page.scan.scan.diagnostics;
    std::erase_if(shown, [&page](const Diagnostic& one) { return !page.verbose() && one.severity == Severity::info; });
    return page.part("scan_page.remarks", page.first_lines(shown, kFailures, [&page](const Diagnostic& remark) {
        return "  " + page.painted_remark(remark);
    }));
}

std::string after_blank(const std::string& text) {
    return text.empty() ? text : "\n" + text;
}

}  // namespace

void scan_text(const ScanContents& scan, const TextSink& page_sink) {
    const ReportOptions& options = scan.options.report;
    const TextSink sink = [&](std::string_view text) { return page_sink(fitted(text, options.columns)); };
    const ScanTextPage page{{options}, scan};
    const ScanAnswer answer = answer_of(scan);
    std::string text = answer_part(page, answer) + doubts(page) + after_blank(spread_text(scan, answer)) +
                       after_blank(operators_text(scan, answer)) + training(page) + api_dumps(page, answer) +
                       page.part("scan_page.chains", chains_to_text(scan.chains, options)) + details(page);
    if (sink(text) && write_timeline(page, sink)) {
        sink(failures(page) + remarks(page) + after_blank(counts_text(scan, answer)));
    }
}

}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_text(const TextSink& sink) const {
    report::scan_text(*contents_, sink);
    return std::nullopt;
}
