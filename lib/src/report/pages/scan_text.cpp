// A scan as a page that a person reads in a terminal.
#include "report/pages/scan_text.hpp"

#include <string>

#include <fmt/format.h>

#include <opdebug/chains.hpp>
#include <opdebug/report.hpp>
#include <opdebug/status.hpp>

#include "report/pages/text_api.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::uint64_t kChains = 20;
constexpr std::size_t kLinks = 5;

struct Words {
    const Labels& labels;
    const ScanLabels& scan;
};

std::string show_place(const OverflowChain& chain, const Labels& labels) {
    std::string text;
    const auto add = [&text](std::string_view name, const auto& value) {
        if (value) {
            text += fmt::format("{} {}  ", name, *value);
        }
    };
    add("step", chain.step);
    add("rank", chain.rank);
    add("device", chain.device_id);
    add(labels.folder_time, chain.folder_time);
    return chain.model.empty() ? text : text + printable(chain.model) + "  ";
}

/// One dump; with the reason where it is the one that the chain points out.
std::string link_line(const ChainLink& link, bool pointed_out, const Words& words) {
    const std::string time = link.timestamp_us ? show_utc(*link.timestamp_us) : std::string(words.scan.unknown_time);
    const std::string op = show_operator(link.operator_name, link.operator_type);
    const std::string_view verdict = chain_label(link.origin, link.op_dump, words.labels);
    const std::string because =
        pointed_out && link.origin ? fmt::format(": {}", printable(link.origin->because)) : std::string();
    return fmt::format("    {} {}  {}  {}{}\n", pointed_out ? '>' : ' ', time,
                       op.empty() ? printable(file_name_of(link.file)) : op, verdict, because);
}

std::string links_to_text(const OverflowChain& chain, const Words& words) {
    std::string text;
    std::uint64_t shown = 0;
    for (; shown < chain.links.size() && shown < kLinks; ++shown) {
        const ChainLink& link = chain.links[shown];
        text += link_line(link, chain.first_bad && chain.first_bad->position == link.position, words);
    }
    if (chain.first_bad && chain.first_bad->position >= shown) {
        if (chain.first_bad->position > shown) {
            text += "      ...\n";
        }
        text += link_line(*chain.first_bad, true, words);
        ++shown;
    }
    if (!chain.first_bad) {
        text += fmt::format("      {}\n", words.scan.no_bad_value);
    }
    if (shown < chain.count) {
        text += fmt::format("      {}\n", fmt::format(fmt::runtime(words.scan.links_format), chain.count - shown));
    }
    return text;
}

std::string chain_to_text(const OverflowChain& chain, const Words& words) {
    std::string text = fmt::format("  {}{}\n", show_place(chain, words.labels),
                                   fmt::format(fmt::runtime(words.scan.chain_format), chain.count, chain.born_here,
                                               chain.inherited, chain.not_visible, chain.not_measured));
    text += links_to_text(chain, words);
    for (const ScanRemark& remark : chain.remarks) {
        text += fmt::format("      {} [{}] {}\n", severity_label(remark.severity, words.labels), remark.code,
                            printable(remark.message));
    }
    return text;
}

/// The first 20 chains of which something was measured: a line on the chain, its first dumps and the one that shows the
/// first bad value, marked with '>', and the remarks. Empty without chains.
std::string chains_to_text(const OverflowChains& chains, Language language) {
    const Words words{labels_in(language), scan_labels_in(language)};
    std::string text;
    std::uint64_t shown = 0, without_values = 0, seen = 0;
    for (const OverflowChain& chain : chains.chains) {
        if (shown == kChains) {
            break;
        }
        ++seen;
        if (chain.not_measured == chain.count) {
            ++without_values;
            continue;
        }
        text += chain_to_text(chain, words);
        ++shown;
    }
    if (without_values != 0) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(words.scan.no_value_format), without_values));
    }
    if (seen < chains.count) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(words.scan.chains_format), chains.count - seen,
                                                  chains.count - seen == 1 ? "" : "s"));
    }
    return text;
}

const char* plural_of(std::uint64_t count) {
    return count == 1 ? "" : "s";
}

constexpr std::size_t kGroups = 20;
constexpr std::size_t kFailures = 20;

enum class Color { none, bold, red, yellow };

/// What all parts of the page need.
struct Writer {
    const ScanPage& page;
    const Labels& labels;
    const ScanLabels& words;
    Language language;

    std::string paint(Color color, std::string_view text) const {
        if (!page.options.color || color == Color::none) {
            return std::string(text);
        }
        const char* code = color == Color::bold ? "1" : color == Color::red ? "1;31" : "33";
        return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
    }
    std::string heading(std::string_view text) const { return "\n" + paint(Color::bold, text) + "\n"; }
    std::string line(std::string_view label, std::string_view text) const {
        constexpr std::size_t kColumn = 14;
        const std::size_t used = display_columns(label);
        return fmt::format("  {}{}{}\n", label, std::string(used < kColumn ? kColumn - used : 1, ' '), text);
    }
    std::string remark(const Diagnostic& remark) const {
        const Color color = remark.severity == Severity::error     ? Color::red
                            : remark.severity == Severity::warning ? Color::yellow
                                                                   : Color::none;
        return fmt::format("{} [{}] {}\n", paint(color, severity_label(remark.severity, labels)),
                           printable(remark.code), printable(remark.message));
    }
};

std::string title(const Writer& writer) {
    const ScanCounts& counts = writer.page.scan.counts;
    std::string text =
        writer.paint(counts.overflowed > 0 ? Color::red : Color::bold, scan_title(writer.page, writer.language));
    text += "\n\n";
    for (const std::string& input : writer.page.scan.inputs) {
        text += writer.line(writer.words.inputs, printable(input));
    }
    text += writer.line(writer.words.dumps, fmt::format(fmt::runtime(writer.words.counts_format), counts.overflowed,
                                                        counts.clean, counts.failed));
    text += writer.line(writer.words.others,
                        fmt::format(fmt::runtime(writer.words.others_format), counts.op_dumps,
                                    plural_of(counts.op_dumps), counts.other_files, plural_of(counts.other_files)));
    if (!writer.page.scan.complete) {
        text += "\n" + writer.paint(Color::yellow, writer.words.incomplete) + "\n";
    }
    return text;
}

std::string first_overflow(const Writer& writer) {
    const std::string record = writer.page.first(writer.language);
    if (record.empty()) {
        const bool only_api_dumps = writer.page.scan.counts.dumps == 0 && writer.page.api != nullptr;
        if (writer.page.scan.counts.overflowed > 0 || only_api_dumps) {
            return {};
        }
        return fmt::format("\n{}\n",
                           writer.page.scan.counts.failed > 0 ? writer.words.none_readable : writer.words.none);
    }
    const std::size_t headline = record.find('\n');
    std::string text = writer.heading(writer.words.first);
    text += writer.paint(Color::red, record.substr(0, headline)) + record.substr(headline);
    if (!writer.page.overview.diagnostics.empty()) {
        text += writer.heading(writer.words.order);
        for (const Diagnostic& remark : writer.page.overview.diagnostics) {
            text += "  " + writer.remark(remark);
        }
    }
    return text;
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
                                       rows);
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

std::string api_dumps(const Writer& writer) {
    return writer.page.api == nullptr ? std::string()
                                      : writer.heading(api_labels_in(writer.language).section) +
                                            scan_api_to_text(*writer.page.api, writer.page.options.report);
}

std::string chains(const Writer& writer) {
    const std::string text = chains_to_text(writer.page.chains, writer.language);
    return text.empty() ? text : writer.heading(writer.words.chains) + text;
}

/// Only where it was asked for: the page is an overview, and the timeline has a line for each dump.
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
    std::string text;
    for (const ScanEntry& entry : failed_of(writer.page, kFailures)) {
        text +=
            fmt::format("  {} [{}] {}: {}\n", writer.paint(Color::red, writer.labels.error),
                        printable(entry.failure_code), printable(entry.item.file), printable(entry.failure_message));
    }
    const std::uint64_t failed = writer.page.scan.counts.failed;
    if (failed > kFailures) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(writer.words.failures_format), failed - kFailures));
    }
    return text.empty() ? text : writer.heading(writer.words.failures) + text;
}

std::string folders(const Writer& writer) {
    std::string text;
    const std::vector<Error>& all = writer.page.scan.failures;
    for (std::size_t i = 0; i < all.size() && i < kFailures; ++i) {
        text += "  " + failure_to_text(all[i], writer.page.options.report);
    }
    if (all.size() > kFailures) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(writer.words.failures_format), all.size() - kFailures));
    }
    return text.empty() ? text : writer.heading(writer.words.folders) + text;
}

std::string remarks(const Writer& writer) {
    std::string text;
    for (const Diagnostic& remark : writer.page.scan.diagnostics) {
        text += "  " + writer.remark(remark);
    }
    return text.empty() ? text : writer.heading(writer.words.remarks) + text;
}

}  // namespace

void scan_text(const ScanPage& page, const TextSink& sink) {
    const Language language = page.options.report.language;
    const Writer writer{page, labels_in(language), scan_labels_in(language), language};
    if (sink(title(writer) + first_overflow(writer) + api_dumps(writer) + chains(writer) + groups(writer)) &&
        write_timeline(writer, sink)) {
        const std::string rest = failures(writer) + folders(writer) + remarks(writer);
        if (!rest.empty()) {
            sink(rest);
        }
    }
}

}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_text(const TextSink& sink) const {
    report::scan_text(report::page_of(*contents_), sink);
    return std::nullopt;
}
