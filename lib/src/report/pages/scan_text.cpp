// A scan as a page that a person reads in a terminal: the answer, how it spread, the operators, what was counted. The
// lists and `verbose` add the rest.
#include "report/pages/scan_text.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "report/pages/pages.hpp"
#include "report/pages/text_api.hpp"
#include "report/scan/scan_page.hpp"
#include "report/scan/scan_training.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/scan_words.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kGroups = 20;
constexpr std::size_t kFailures = 20;

const char* plural_of(std::uint64_t count) {
    return count == 1 ? "" : "s";
}

/// What all parts of the page need.
struct Writer {
    const ScanPage& page;
    const Labels& labels;
    const ScanLabels& words;
    Language language;
    Style style;

    bool verbose() const { return page.options.report.verbose; }
    std::string heading(std::string_view text) const { return "\n" + style.bold(text) + "\n"; }
    std::string line(std::string_view label, std::string_view text) const {
        constexpr std::size_t kColumn = 14;
        return fmt::format("  {}{}\n", padded(std::string(label), kColumn), text);
    }
    std::string remark(const Diagnostic& remark) const {
        const std::string_view severity = severity_label(remark.severity, labels);
        const std::string message =
            fmt::format(" [{}] {}", printable(remark.code), printable(remark.message_in(language)));
        return fmt::format("{}{}\n", remark.severity == Severity::error ? style.red(severity) : std::string(severity),
                           message);
    }
    /// A list of at most kFailures.
    template <class Items, class LineOf>
    std::string short_list(std::string_view title, const Items& items, std::uint64_t count, LineOf line_of) const {
        std::string text;
        std::size_t shown = 0;
        for (auto item = items.begin(); item != items.end() && shown < kFailures; ++item, ++shown) {
            text += "  " + line_of(*item);
        }
        if (count > shown) {
            text += fmt::format("  {}\n", fmt::format(fmt::runtime(words.failures_format), count - shown));
        }
        return text.empty() ? text : heading(title) + text;
    }
};

/// The first overflow, or that there is none.
std::string answer_part(const Writer& writer, const ScanAnswer& answer) {
    const ScanCounts& counts = writer.page.scan.counts;
    std::string text;
    if (!writer.page.scan.complete) {
        text += fmt::format("{}\n\n", writer.style.bold(writer.words.incomplete));
    }
    if (answer.first) {
        return text + first_overflow_text(writer.page, answer);
    }
    if (counts.dumps == 0 && writer.page.api != nullptr) {
        return text + fmt::format("{}\n", scan_title(writer.page, writer.language));
    }
    return text + fmt::format("{}\n", no_overflow_words(counts, writer.language));
}

std::string doubts(const Writer& writer) {
    std::string text;
    if (writer.verbose() || writer.page.options.lists.uncertain) {
        for (const Diagnostic& doubt : writer.page.overview.diagnostics) {
            text += wrapped("  ", printable(doubt.message_in(writer.language)), 4, writer.page.options.report.columns);
        }
        if (const std::vector<std::uint64_t>& ranks = writer.page.overview.rivals.ranks; !ranks.empty()) {
            text += fmt::format("  rank {}\n", show_numbers(ranks));
        }
    }
    return text.empty() ? text : writer.heading(scan_words_in(writer.language).uncertain_list) + text;
}

std::string api_dumps(const Writer& writer, const ScanAnswer& answer) {
    if (writer.page.api == nullptr) {
        return {};
    }
    const ScanApi& api = *writer.page.api;
    const ApiPageOptions options = api_page_options(writer.page.options);
    return writer.heading(api_labels_in(writer.language).section) + "\n" + api_answer_text(*api.report, options) +
           api_timelines_text(api, zone_of(answer), options.report) +
           api_end_text(*api.report, api.diagnostics, options);
}

/// The verdict of the training log, and what became of the steps with an overflow. `verbose`: the whole page of the
/// log.
std::string training(const Writer& writer) {
    if (writer.page.training == nullptr) {
        return {};
    }
    const ReportOptions& options = writer.page.options.report;
    std::string text = writer.heading(writer.words.training) + training_head(writer.page.training->report, options);
    for (const std::string& line : training_lines(*writer.page.training, writer.language)) {
        text += wrapped("  ", line, 4, options.columns);
    }
    return writer.verbose() ? text + "\n" + training_to_text(writer.page.training->report, options) : text;
}

std::string chains(const Writer& writer) {
    const std::string text = chains_to_text(writer.page.chains, writer.language);
    return text.empty() ? text : writer.heading(writer.words.chains) + text;
}

TextRow row_of(const Writer& writer, const ScanGroup& group) {
    TextRow row{{fmt::to_string(group.count), fmt::to_string(group.bursts),
                 group.first_us ? show_utc(*group.first_us) : std::string(),
                 group.last_us ? show_utc(*group.last_us) : std::string(), show_numbers(group.ranks),
                 show_numbers(group.devices), show_numbers(group.steps), cause_name(group.cause, writer.language),
                 printable(group.model), show_operator(group.operator_name, group.operator_type)},
                {}};
    for (const ScanRemark& remark : group.remarks) {
        row.below += "      " + writer.remark(remark);
    }
    return row;
}

std::string groups(const Writer& writer) {
    const std::vector<ScanGroup>& all = writer.page.overview.groups;
    if (all.empty()) {
        return {};
    }
    const ScanLabels& words = writer.words;
    std::vector<TextRow> rows;
    rows.reserve(kGroups);
    for (std::size_t i = 0; i < all.size() && i < kGroups; ++i) {
        rows.push_back(row_of(writer, all[i]));
    }
    const TextTable table = text_table({{std::string(words.count), true},
                                        {std::string(words.bursts), true},
                                        {std::string(words.first_time)},
                                        {std::string(words.last_time)},
                                        {std::string(words.ranks)},
                                        {std::string(words.devices)},
                                        {std::string(words.steps)},
                                        {std::string(words.cause)},
                                        {std::string(words.model)},
                                        {std::string(words.op)}},
                                       rows, writer.page.options.report.columns);
    std::string text = writer.heading(words.groups) + fmt::format("  {}\n", words.groups_note) + table.heading;
    for (const std::string& row : table.rows) {
        text += row;
    }
    if (all.size() > kGroups) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(words.more_format), all.size() - kGroups,
                                                  plural_of(all.size() - kGroups)));
    }
    return text;
}

/// With `verbose`: the first overflow as `decode` shows it, groups by cause, what was read.
std::string details(const Writer& writer) {
    if (!writer.verbose()) {
        return {};
    }
    const std::string record = writer.page.first(writer.language).record;
    std::string text = record.empty() ? record : writer.heading(writer.words.first) + record;
    text += groups(writer) + "\n";
    for (const std::string& input : writer.page.scan.inputs) {
        text += writer.line(writer.words.inputs, printable(input));
    }
    const ScanCounts& counts = writer.page.scan.counts;
    return text + writer.line(writer.words.others, fmt::format(fmt::runtime(writer.words.others_format),
                                                               counts.op_dumps, plural_of(counts.op_dumps),
                                                               counts.other_files, plural_of(counts.other_files)));
}

/// Only on demand: the page is an overview, and the timeline has a line for each dump.
bool write_timeline(const Writer& writer, const TextSink& sink) {
    if (!writer.page.options.first && !writer.page.options.all) {
        return true;
    }
    std::string text = writer.heading(writer.words.timeline);
    bool wanted = true;
    TimelineChoice choice(writer.page.options);
    each_entry(writer.page, [&](const ScanEntry& entry) {
        if (choice.takes(entry)) {
            // Not aligned: the list may be long and is written as it comes.
            text += "  " + item_to_line(entry.item, writer.language) + "\n";
        }
        if (text.size() > 65536) {
            wanted = sink(text);
            text.clear();
        }
        return wanted && !choice.is_full();
    });
    return wanted && sink(text);
}

std::string failures(const Writer& writer) {
    if (!writer.verbose() && !writer.page.options.lists.unreadable) {
        return {};
    }
    const std::uint64_t count = writer.page.scan.counts.failed;
    const std::size_t most = writer.page.options.lists.unreadable ? count : std::min<std::uint64_t>(count, kFailures);
    std::string text;
    for (const ScanEntry& entry : failed_of(writer.page, most)) {
        text += fmt::format("  {} [{}] {}{}{}\n", writer.style.red(writer.labels.error), printable(entry.failure_code),
                            printable(entry.item.file), writer.labels.colon,
                            printable(remarks::text_of(entry.failure_code, entry.failure_message).in(writer.language)));
    }
    if (count > most) {
        text += fmt::format(fmt::runtime(scan_words_in(writer.language).more_format), count - most);
    }
    return text.empty() ? text : writer.heading(scan_words_in(writer.language).unreadable_list) + text;
}

/// Without `verbose` what limits the answer.
std::string remarks(const Writer& writer) {
    std::vector<Diagnostic> shown;
    for (const Diagnostic& remark : writer.page.scan.diagnostics) {
        if (writer.verbose() || remark.severity != Severity::info) {
            shown.push_back(remark);
        }
    }
    return writer.short_list(writer.words.remarks, shown, shown.size(),
                             [&writer](const Diagnostic& remark) { return writer.remark(remark); });
}

std::string folders(const Writer& writer) {
    const std::vector<Error>& all = writer.page.scan.failures;
    return writer.short_list(writer.words.folders, all, all.size(), [&writer](const Error& failure) {
        return failure_to_text(failure, writer.page.options.report);
    });
}

std::string after_blank(const std::string& text) {
    return text.empty() ? text : "\n" + text;
}

}  // namespace

void scan_text(const ScanPage& page, const TextSink& page_sink) {
    const TextSink sink = [&page, &page_sink](std::string_view text) {
        return page_sink(fitted(text, page.options.report.columns));
    };
    const Language language = page.options.report.language;
    const Writer writer{page, labels_in(language), scan_labels_in(language), language, Style(page.options.report)};
    const ScanAnswer answer = answer_of(page);
    std::string text = answer_part(writer, answer) + doubts(writer) + after_blank(spread_text(page, answer)) +
                       after_blank(operators_text(page, answer)) + training(writer) + api_dumps(writer, answer) +
                       chains(writer) + details(writer);
    if (sink(text) && write_timeline(writer, sink)) {
        sink(failures(writer) + folders(writer) + remarks(writer) + after_blank(counts_text(page, answer)));
    }
}

}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_text(const TextSink& sink) const {
    report::scan_text(report::page_of(*contents_), sink);
    return std::nullopt;
}
