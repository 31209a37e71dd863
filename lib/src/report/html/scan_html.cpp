#include "report/html/scan_html.hpp"
#include "remarks/word.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/version.hpp>

#include "report/pages/pages.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/page.hpp"

namespace opdebug::report::html_page {
namespace {

constexpr std::size_t kStaticOperators = 30;

/// The page in one language; page.css shows the one that is chosen.
struct Writer {
    const ScanContents& page;
    const PageFacts& facts;
    Language language;

    const std::string& word(const std::string& key) const { return page_word(key, language); }
    template <class... Values>
    std::string words(const std::string& key, const Values&... values) const {
        return page_words(key, language, values...);
    }
};

std::string term(const std::string& name, const std::string& content) {
    return content.empty() ? content : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, content);
}

std::string counts(const Writer& writer) {
    const ScanCounts& counts = writer.page.scan.counts;
    KnownValues text(" · ");
    const auto add = [&text](const std::string& part) { text.add(html(part)); };
    for (const std::string& input : writer.page.scan.inputs) {
        add(input);
    }
    if (counts.dumps == 0 && writer.page.api) {
        add(scan_title(writer.page, writer.language));
    } else {
        add(writer.words("overflowed_of", show_count(counts.overflowed), show_count(counts.dumps)));
    }
    const auto& ranks = writer.facts.ranks;
    const auto& steps = writer.facts.steps;
    if (!ranks.empty()) {
        add(writer.words("ranks_count", show_count(ranks.size())));
    } else if (!writer.facts.devices.empty()) {
        add(writer.words("devices_count", show_count(writer.facts.devices.size())));
    }
    if (!steps.empty()) {
        add(steps.size() == 1 ? writer.words("step_of", *steps.begin())
                              : writer.words("steps_range", *steps.begin(), *steps.rbegin()));
    }
    for (const auto& [key, count] : {std::pair("clean_count", counts.clean), std::pair("failed_count", counts.failed),
                                     std::pair("op_dumps_count", counts.op_dumps)}) {
        if (count != 0) {
            add(writer.words(key, show_count(count)));
        }
    }
    return fmt::format("<p class=\"top\">{}</p>\n", text.text());
}

std::string local_time(const Writer& writer, std::uint64_t time) {
    return Page{writer.page.options.report}.local_time(time, zone_of(writer.facts.answer));
}

/// How much earlier the first overflow is than that of any other rank or device.
std::string margin(const Writer& writer) {
    const std::string text = margin_of(writer.facts.answer, writer.language);
    return text.empty() ? text
                        : fmt::format(" <span class=\"{}\">— {}</span>",
                                      writer.page.overview.diagnostics.empty() ? "sure" : "unsure", html(text));
}

std::string location(const Writer& writer) {
    const ScanItem& first = *writer.facts.answer.first;
    const PathIds& ids = first.path_ids;
    const std::string text = KnownValues(" · ")
                                 .add(ids.rank ? "<b>" + writer.words("rank_of", *ids.rank) + "</b>" : "")
                                 .add(ids.device_id ? writer.words("device_of", *ids.device_id) : "")
                                 .add(html(first.model))
                                 .add(ids.data_index ? writer.words("step_of", *ids.data_index) : "")
                                 .add(first.timestamp_us ? local_time(writer, *first.timestamp_us) : "")
                                 .text();
    const std::string doubts = doubts_of_first(writer.page.overview.rivals, writer.language);
    return fmt::format("<p class=\"sub\">{}{}</p>\n{}", text, margin(writer),
                       doubts.empty() ? doubts : fmt::format("<p class=\"sub unsure\">{}</p>\n", html(doubts)));
}

/// Options as "--tensors" stay in one line.
std::string step_item(std::string_view step) {
    std::string text;
    for (std::size_t start = step.find("--"); start != std::string_view::npos; start = step.find("--")) {
        const std::size_t end = std::min(step.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", start), step.size());
        text += html(step.substr(0, start)) +
                fmt::format("<span class=\"option\">{}</span>", html(step.substr(start, end - start)));
        step.remove_prefix(end);
    }
    return fmt::format("<li>{}{}</li>\n", text, html(step));
}

std::string origin(const Writer& writer, const FirstWords& words) {
    const ScanItem& first = *writer.facts.answer.first;
    if (!first.origin) {
        const bool is_dumped = first.op_dump != OpDumpState::absent || !words.statistics.empty();
        return html(writer.word(is_dumped ? "origin_not_measured" : "origin_unknown"));
    }
    return html(fmt::format("{}{}{}", verdict_label(first.origin->verdict, writer.language),
                            remarks::word("page.colon", writer.language), first.origin->because_in(writer.language)));
}

std::string answer(const Writer& writer, const FirstWords& words) {
    const ScanItem& first = *writer.facts.answer.first;
    std::string causes = html(words.failure);
    for (const std::string& id : cause_ids(first)) {
        const CauseDefinition* definition = cause_definition(id);
        causes += (causes.empty() ? "" : "<br>") + html(cause_name(id, writer.language));
        causes += definition == nullptr
                      ? std::string()
                      : fmt::format(" <span class=\"quiet\">{}</span>", html(meaning_of(*definition, writer.language)));
    }
    std::vector<std::string> steps = next_steps_of(writer.page, first, words, writer.language);
    if (words.op.empty() && !words.next.empty()) {
        steps.insert(steps.begin(), words.next);
    }
    const std::string items = joined(steps, "", step_item);
    return fmt::format("<div class=\"grid\"><dl>\n{}{}{}</dl>\n<div><h2>{}</h2>\n<ol>\n{}</ol></div></div>\n",
                       term(writer.word("cause"), causes), term(writer.word("origin"), origin(writer, words)),
                       term(writer.word("dump"), fmt::format("<span class=\"file\">{}</span>", html(first.file))),
                       remarks::word("page.next", writer.language), items);
}

std::string remark_list(const std::vector<Diagnostic>& remarks, Language language) {
    const std::string items = joined(remarks, "", [language](const Diagnostic& remark) {
        return fmt::format("<li>{} <code>{}</code></li>\n", html(remark_in(remark, language)), html(remark.code));
    });
    return items.empty() ? items : fmt::format("<ul class=\"remarks\">\n{}</ul>\n", items);
}

std::string folded(const std::string& summary, const std::string& content) {
    return content.empty() ? content : fmt::format("<details><summary>{}</summary>\n{}</details>\n", summary, content);
}

/// A text of several lines, whose columns stay.
std::string in_pre(std::string_view text) {
    std::string lines;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        lines += html(text.substr(0, end)) + "\n";
        text.remove_prefix(end + 1);
    }
    return "<pre>" + lines + html(text) + "</pre>\n";
}

std::string first_overflow(const Writer& writer) {
    if (!writer.facts.answer.first) {
        const ScanCounts& counts = writer.page.scan.counts;
        const bool only_api_dumps = counts.dumps == 0 && writer.page.api;
        return counts.overflowed > 0 || only_api_dumps
                   ? std::string()
                   : fmt::format("<section><p>{}</p></section>\n", no_overflow_words(counts, writer.language));
    }
    const ScanItem& first = *writer.facts.answer.first;
    const FirstWords words = first_words_of(writer.page, writer.language);
    const std::string op = words.record.empty() ? show_operator(first.operator_name, first.operator_type) : words.op;
    std::string limits =
        words.confidence.empty() ? std::string() : fmt::format("<p class=\"sub\">{}</p>\n", html(words.confidence));
    for (const std::string& warning : words.warnings) {
        limits += fmt::format("<p class=\"sub unsure\">{}</p>\n", html(warning));
    }
    const std::string unknown = words.reason.empty()
                                    ? writer.word("operator_unknown")
                                    : std::string(remarks::word("page.op_unknown", writer.language)) + words.reason;
    const std::string evidence = folded(writer.word("evidence"), in_pre(words.record));
    const std::string doubt =
        folded(writer.word("is_it_first"), remark_list(writer.page.overview.diagnostics, writer.language));
    return fmt::format("<section><p class=\"kind\">{}</p>\n<h1>{}</h1>\n{}{}{}{}{}</section>\n",
                       writer.word(words.failure.empty() ? "first_overflow" : "first_failed"),
                       html(op.empty() ? unknown : op), limits, location(writer), answer(writer, words), doubt,
                       evidence);
}

/// The heading of an API page: the one first bad value.
std::string first_bad_call(const ApiFinding& finding, const Writer& writer) {
    const std::string location = KnownValues(" · ")
                                     .add(finding.rank ? "<b>" + writer.words("rank_of", *finding.rank) + "</b>" : "")
                                     .add(finding.step ? writer.words("step_of", *finding.step) : "")
                                     .text();
    return fmt::format("<p class=\"kind\">{}</p>\n<h1>{}</h1>\n<p class=\"sub\">{}</p>\n",
                       remarks::word("api_page.first", writer.language), html(finding.api), location);
}

std::string api_culprits(const Writer& writer) {
    if (!writer.page.api) {
        return {};
    }
    ApiPageOptions options = api_page_options(writer.page.options);
    options.report.language = writer.language;
    options.report.color = false;
    const ApiReport& report = *writer.page.api->report;
    const bool is_main = report.first.size() == 1 && !writer.facts.answer.first;
    const std::string heading =
        is_main ? first_bad_call(report.first.front(), writer) : fmt::format("<h2>{}</h2>\n", writer.word("api"));
    return fmt::format("<section class=\"columns api\">{}{}{}</section>\n", heading,
                       in_pre(api_answer_text(report, options, !is_main)),
                       folded(writer.word("remarks"), remark_list(writer.page.api->diagnostics, writer.language)));
}

/// The training log: its verdict, its chart, and what became of the steps with an overflow.
std::string training_log(const Writer& writer) {
    if (!writer.page.training) {
        return {};
    }
    ReportOptions options = writer.page.options.report;
    options.language = writer.language;
    options.color = false;
    const std::string lines = joined(training_lines(*writer.page.training, writer.language), "",
                                     [](const std::string& line) { return fmt::format("<li>{}</li>\n", html(line)); });
    return fmt::format("<section class=\"columns\"><h2>{}</h2>\n<ul>\n{}</ul>\n{}</section>\n",
                       remarks::word("scan_page.training", writer.language), lines,
                       in_pre(training_to_text(writer.page.training->report, options)));
}

/// The first groups, for a page whose script does not run.
std::string static_operators(const Writer& writer) {
    std::vector<ScanGroup> groups = writer.page.overview.groups;
    const auto time_of = [](const ScanGroup& group) { return group.first_us.value_or(UINT64_MAX); };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const ScanGroup& a, const ScanGroup& b) { return time_of(a) < time_of(b); });
    const bool has_ranks = !writer.facts.ranks.empty();
    std::string rows;
    for (std::size_t i = 0; i < std::min(groups.size(), kStaticOperators); ++i) {
        const ScanGroup& group = groups[i];
        const std::string op = show_operator(group.operator_name, group.operator_type);
        rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            html(op.empty() ? writer.word("operator_unknown") : op),
                            html(cause_name(group.cause, writer.language)), group.count,
                            show_numbers(has_ranks ? group.ranks : group.devices), show_numbers(group.steps),
                            group.first_us ? local_time(writer, *group.first_us) : "");
    }
    if (rows.empty()) {
        return rows;
    }
    std::string headings;
    for (const char* key : {"operator", "cause", "dumps", has_ranks ? "rank" : "device", "steps", "first"}) {
        headings += fmt::format("<th scope=\"col\">{}</th>", writer.word(key));
    }
    return fmt::format(
        "<section class=\"static\"><h2>{}</h2>\n<p class=\"note\">{}</p>\n<table><thead><tr>{}</tr></thead><tbody>\n"
        "{}</tbody></table></section>\n",
        writer.word("operators"), writer.word("no_script"), headings, rows);
}

std::string scan_remarks(const Writer& writer) {
    const std::string list = remark_list(writer.page.scan.diagnostics, writer.language);
    return list.empty() ? list : fmt::format("<section><h2>{}</h2>\n{}</section>\n", writer.word("remarks"), list);
}

std::string notice(const Writer& writer) {
    return writer.page.scan.complete ? std::string()
                                     : fmt::format("<p class=\"notice\" role=\"note\">{}</p>\n",
                                                   remarks::word("scan_page.incomplete", writer.language));
}

using Part = std::string (*)(const Writer& writer);

std::string in_both_languages(const ScanContents& page, const PageFacts& facts, std::initializer_list<Part> parts) {
    std::string text;
    for (const Language language : {Language::english, Language::chinese}) {
        const char* const name = language == Language::chinese ? "zh" : "en";
        text += fmt::format("<div class=\"{0}\" lang=\"{0}\">\n", name);
        for (const Part part : parts) {
            text += part({page, facts, language});
        }
        text += "</div>\n";
    }
    return text;
}

/// What means {{name}} in the template.
std::string part_of(std::string_view name, const ScanContents& page, const PageData& data) {
    if (name == "language") {
        return page.options.report.language == Language::chinese ? "zh" : "en";
    }
    if (name == "title") {
        return html(scan_title(page, page.options.report.language));
    }
    if (name == "head") {
        return in_both_languages(page, data.facts, {counts, notice, first_overflow, training_log, api_culprits});
    }
    if (name == "operators") {
        return in_both_languages(page, data.facts, {static_operators});
    }
    if (name == "foot") {
        return in_both_languages(page, data.facts, {scan_remarks, [](const Writer& writer) {
                                                        return fmt::format("<p class=\"note\">{}</p>\n",
                                                                           writer.words("written_by", html(version())));
                                                    }});
    }
    return name == "data" ? data.json : std::string(page_file(name));
}

}  // namespace
}  // namespace opdebug::report::html_page

void opdebug::report::scan_html(const ScanContents& page, const TextSink& sink) {
    const html_page::PageData data = html_page::page_data_of(page);
    std::string_view rest = html_page::page_file("page.html");
    for (std::size_t start = rest.find("{{"); start != std::string_view::npos; start = rest.find("{{")) {
        const std::size_t end = rest.find("}}", start);
        if (end == std::string_view::npos || !sink(rest.substr(0, start))) {
            return;
        }
        const std::string text = html_page::part_of(rest.substr(start + 2, end - start - 2), page, data);
        if (!text.empty() && !sink(text)) {
            return;
        }
        rest.remove_prefix(end + 2);
    }
    sink(rest);
}

std::optional<opdebug::Error> opdebug::ScanReport::write_html(const TextSink& sink) const {
    report::scan_html(*contents_, sink);
    return std::nullopt;
}
