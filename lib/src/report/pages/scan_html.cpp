// A scan as one self-contained HTML file that opens offline. It has data, and a script that draws them
// (lib/data/report/page.js). A browser without scripts shows the headline.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/version.hpp>

#include "embedded/report_data.hpp"
#include "remarks/diagnose.hpp"
#include "report/json/json_writer.hpp"
#include "report/pages/pages.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

using TextPair = std::vector<std::string>;

/// The head of the page in one language.
struct Head : Page {
    const ScanContents& scan;
    const ScanAnswer& answer;

    /// "rank 0 · device 0 · toy_net · step 0 · TIME"
    std::string location() const {
        const ScanItem& first = *answer.first;
        return KnownValues(" · ")
            .add("rank", first.path_ids.rank)
            .add("device", first.path_ids.device_id)
            .add(printable(first.model))
            .add("step", first.path_ids.data_index)
            .add(first.timestamp_us ? local_time(*first.timestamp_us, zone_of(answer)) : "")
            .text();
    }
    std::string_view kind(const FirstWords& words) const {
        return word(words.failure.empty() ? "scan_page.first" : "scan_page.first_failed");
    }
    std::string name(const FirstWords& words) const {
        const ScanItem& first = *answer.first;
        const std::string op =
            words.record.empty() ? show_operator(first.operator_name, first.operator_type) : words.op;
        return !op.empty()            ? op
               : words.reason.empty() ? std::string(word("scan_page.unknown_operator"))
                                      : fmt::format("{}{}", word("page.op_unknown"), words.reason);
    }
};

void write_remarks(const char* name, const std::vector<Diagnostic>& remarks, Language language, JsonWriter& json) {
    json.member(name, mapped(remarks, [language](const Diagnostic& remark) {
                    return TextPair{printable(remark.message_in(language)), printable(remark.code)};
                }));
}

void write_first(const Head& head, JsonWriter& json) {
    const ScanItem& first = *head.answer.first;
    const Language language = head.language();
    const FirstWords words = first_words_of(head.scan, language);
    std::vector<TextPair> causes;
    if (!words.failure.empty()) {
        causes.push_back({words.failure, ""});
    }
    for (const std::string& id : cause_ids(first)) {
        const CauseDefinition* const definition = cause_definition(id);
        causes.push_back({cause_name(id, language), definition == nullptr ? "" : meaning_of(*definition, language)});
    }
    std::vector<std::string> next = next_steps_of(head.scan, first, words, language);
    if (words.op.empty() && !words.next.empty()) {
        next.insert(next.begin(), words.next);
    }
    json.member("kind", head.kind(words));
    json.member("name", head.name(words));
    json.member("location", head.location());
    json.member("margin", margin_of(head.answer, language));
    json.member("doubts", doubts_of_first(head.scan.overview.rivals, language));
    json.member("confidence", words.confidence);
    json.member("warnings", words.warnings);
    json.member("causes", causes);
    json.member("origin", first.origin ? fmt::format("{}{}{}", verdict_label(first.origin->verdict, language),
                                                     head.word("page.colon"), first.origin->because_in(language))
                                       : std::string());
    json.member("has_op_dump", first.op_dump != OpDumpState::absent || !words.statistics.empty());
    json.member("file", printable(first.file));
    json.member("next", next);
    write_remarks("remarks", head.scan.overview.diagnostics, language, json);
    json.member("evidence", words.record);
}

/// Where no dump overflowed, the one first bad call is the heading of the page.
void write_api(const Head& head, JsonWriter& json) {
    const ScanApi& api = *head.scan.api;
    const bool is_main = api.report->first.size() == 1 && !head.answer.first;
    ApiPageOptions options = api_page_options(head.scan.options);
    options.report = head.options;
    if (is_main) {
        const ApiFinding& first = api.report->first.front();
        json.member("kind", head.word("api_page.first"));
        json.member("name", printable(first.api));
        json.member("location", KnownValues(" · ").add("rank", first.rank).add("step", first.step).text());
    }
    json.member("text", api_answer_text(*api.report, options, !is_main));
    write_remarks("remarks", api.diagnostics, head.language(), json);
}

void write_head(const Head& head, JsonWriter& json) {
    const ScanContents& scan = head.scan;
    const ScanCounts& counts = scan.scan.counts;
    json.member("title", scan_title(scan, head.language()));
    json.member("notice", scan.scan.complete ? std::string_view() : head.word("scan_page.incomplete"));
    if (head.answer.first) {
        json.member("first", [&] { write_first(head, json); });
    } else if (counts.overflowed == 0 && !(counts.dumps == 0 && scan.api)) {
        json.member("none", no_overflow_words(counts, head.language()));
    }
    if (scan.training) {
        json.member("training", [&] {
            json.member("lines", training_lines(*scan.training, head.language()));
            json.member("text", training_to_text(scan.training->report, head.options));
        });
    }
    if (scan.api) {
        json.member("api", [&] { write_api(head, json); });
    }
    write_remarks("remarks", scan.scan.diagnostics, head.language(), json);
}

/// Without '<', so that no text ends the element that holds it.
std::string page_data(const ScanContents& page, const ScanAnswer& answer) {
    const std::uint64_t first_us = answer.first ? answer.first->timestamp_us.value_or(0) : 0;
    JsonWriter json;
    json.begin_object();
    json.member("version", version());
    json.member("inputs", mapped(page.scan.inputs, printable));
    json.member("counts", page.scan.counts);
    json.member("offset", std::int64_t{shown_offset(first_us, zone_of(answer), page.options.report)});
    json.member("head", [&] {
        for (const Language language : {Language::english, Language::chinese}) {
            ReportOptions options = page.options.report;
            options.language = language;
            options.color = false;
            json.member(language == Language::chinese ? "zh" : "en", [&] {
                write_head({{options}, page, answer}, json);
            });
        }
    });
    write_page_data(page, answer, json);
    json.end_object();
    std::string safe;
    for (const char letter : json.text()) {
        letter == '<' ? safe += "\\u003c" : safe += letter;
    }
    return safe;
}

std::string html(std::string_view text) {
    std::string escaped;
    for (const char c : printable(text)) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

/// The answer for a browser without scripts.
std::string headline(const ScanContents& page, const ScanAnswer& answer) {
    const Head head{{page.options.report}, page, answer};
    if (!answer.first) {
        return html(page.scan.counts.overflowed == 0 && !page.api ? no_overflow_words(page.scan.counts, head.language())
                                                                  : scan_title(page, head.language()));
    }
    const FirstWords words = first_words_of(page, head.language());
    return html(
        fmt::format("{}{}{} · {}", head.kind(words), head.word("page.colon"), head.name(words), head.location()));
}

/// What {{name}} in the template means.
std::string part_of(std::string_view name, const ScanContents& page, const ScanAnswer& answer) {
    if (name == "language") {
        return page.options.report.language == Language::chinese ? "zh" : "en";
    }
    if (name == "title") {
        return html(scan_title(page, page.options.report.language));
    }
    if (name == "headline" || name == "data") {
        return name == "data" ? page_data(page, answer) : headline(page, answer);
    }
    for (const embedded::File& file : embedded::report_files()) {
        if (file.name == name) {
            return std::string(file.text);
        }
    }
    return {};
}

}  // namespace

void scan_html(const ScanContents& page, const TextSink& sink) {
    const ScanAnswer answer = answer_of(page);
    const std::string file = part_of("page.html", page, answer);
    std::string_view rest = file;
    for (std::size_t start = rest.find("{{"); start != std::string_view::npos; start = rest.find("{{")) {
        const std::size_t end = rest.find("}}", start);
        if (!sink(rest.substr(0, start)) || !sink(part_of(rest.substr(start + 2, end - start - 2), page, answer))) {
            return;
        }
        rest.remove_prefix(end + 2);
    }
    sink(rest);
}

}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_html(const TextSink& sink) const {
    report::scan_html(*contents_, sink);
    return std::nullopt;
}
