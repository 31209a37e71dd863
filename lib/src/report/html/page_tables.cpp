// The smaller tables of the page.
#include "report/html/scan_html.hpp"

#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"

namespace opdebug::report::html_page {
namespace {

constexpr std::size_t kMostRows = 5000;  // of each table

using Both = std::vector<std::string>;  // English, Chinese
using Cell = std::variant<std::optional<std::uint64_t>, std::string, Both>;
using Row = std::vector<Cell>;

void write_table(const char* name, std::initializer_list<const char*> columns, const std::vector<Row>& rows,
                 std::uint64_t all, JsonWriter& json) {
    if (rows.empty()) {
        return;
    }
    json.value([&] {
        json.member("name", name);
        json.member("columns", columns);
        json.member("more", all - rows.size());
        json.member("rows", rows);
    });
}

/// A text in both languages.
template <class TextIn>
Both both(const TextIn& text_in) {
    return {printable(text_in(Language::english)), printable(text_in(Language::chinese))};
}

Both both_words(std::string_view id) {
    return both([id](Language language) { return remarks::word(id, language); });
}

Both meanings(std::string_view code, const std::string& message) {
    const LocalizedText text = remarks::text_of(code, message);
    return {printable(text.en), printable(text.zh)};
}

Row call_row(const ApiTimeline& timeline, const ApiFinding& finding) {
    return {timeline.step,
            timeline.rank,
            both_words("api_page.call"),
            finding.position,
            std::nullopt,
            printable(finding.api),
            both([&](Language language) { return api_verdict_label(finding.verdict, language); }),
            both([&](Language language) { return finding.because_in(language); }),
            printable(finding.file)};
}

Row dump_row(const ApiTimeline& timeline, const KernelOverflow& overflow, const ApiTie* tie) {
    const std::string op = show_operator(overflow.operator_name, overflow.operator_type);
    return {timeline.step,
            timeline.rank,
            both_words("api_page.dump"),
            std::nullopt,
            overflow.timestamp_us,
            op.empty() ? printable(overflow.kernel) : op,
            tie == nullptr ? both_words("api_page.not_tied")
                           : both([tie](Language language) { return api_tie_label(tie->level, language); }),
            tie == nullptr ? Both{"", ""} : both([tie](Language language) {
                return fmt::format("{}{}{}", tie->api, remarks::word("page.colon", language),
                                   tie->because_in(language));
            }),
            printable(overflow.file)};
}

void write_api(const ScanApi& api, JsonWriter& json) {
    std::vector<Row> rows;
    std::uint64_t all = 0;
    for (const ApiTimeline& timeline : api.timeline) {
        for (const ApiTimelineEntry& entry : timeline.entries) {
            if (all++ < kMostRows) {
                rows.push_back(entry.finding ? call_row(timeline, api.report->findings[*entry.finding])
                                             : dump_row(timeline, api.overflows[*entry.overflow],
                                                        entry.tie ? &api.ties[*entry.tie] : nullptr));
            }
        }
    }
    write_table("api_timeline",
                {"step", "rank", "kind", "position", "time", "call_or_operator", "verdict_or_tie", "reason", "file"},
                rows, all, json);
}

Row chain_row(const OverflowChain& chain) {
    const auto& first = chain.first_bad;
    const Both verdict =
        first ? both([&](Language language) { return chain_label(first->origin, first->op_dump, language); })
              : both_words(chain.not_measured == chain.count ? "page.not_measured" : "page.not_visible");
    Both because{"", ""};
    std::string op;
    if (first) {
        op = show_operator(first->operator_name, first->operator_type);
        op = op.empty() ? printable(file_name_of(first->file)) : op;
        if (const auto& origin = first->origin) {
            because = both([&origin](Language language) { return origin->because_in(language); });
        }
    }
    for (const ScanRemark& remark : chain.remarks) {
        because[0] += (because[0].empty() ? "" : "; ") + remark_in(remark, Language::english);
        because[1] += (because[1].empty() ? "" : "；") + remark_in(remark, Language::chinese);
    }
    return {chain.first_us,    chain.step, chain.rank,  chain.device_id, printable(chain.model), op,
            verdict,           because,    chain.count, chain.born_here, chain.inherited,        chain.not_visible,
            chain.not_measured};
}

void write_chains(const OverflowChains& chains, JsonWriter& json) {
    write_table("chains",
                {"time", "step", "rank", "device", "model", "first_bad", "verdict", "reason", "dumps", "born_here",
                 "inherited", "not_visible", "not_measured"},
                mapped(chains.chains, chain_row), chains.count, json);
}

void write_clean(const ScanContents& page, JsonWriter& json) {
    std::vector<Row> rows;
    if (page.options.all) {
        each_entry(page, [&rows](const ScanEntry& entry) {
            const ScanItem& item = entry.item;
            if (item.state == DumpState::clean) {
                rows.push_back({item.timestamp_us, item.path_ids.data_index, item.path_ids.rank,
                                item.path_ids.device_id, printable(item.file)});
            }
            return rows.size() < kMostRows;
        });
    }
    write_table("clean", {"time", "step", "rank", "device", "file"}, rows, page.scan.counts.clean, json);
}

void write_failures(const ScanContents& page, JsonWriter& json) {
    std::vector<Row> rows;
    for (const ScanEntry& entry : failed_of(page, kMostRows)) {
        rows.push_back({printable(entry.item.file), printable(entry.failure_code),
                        meanings(entry.failure_code, entry.failure_message)});
    }
    for (const Error& error : page.scan.failures) {
        if (rows.size() < kMostRows) {
            const std::string code(to_string(error.code));
            rows.push_back({printable(error.file), code, meanings(code, error.message)});
        }
    }
    write_table("failures", {"file", "code", "reason"}, rows, page.scan.counts.failed + page.scan.failures.size(),
                json);
}

}  // namespace

void write_page_tables(const ScanContents& page, JsonWriter& json) {
    json.begin_array("tables");
    if (page.api) {
        write_api(*page.api, json);
    }
    write_chains(page.chains, json);
    write_failures(page, json);
    write_clean(page, json);
    json.end_array();
}

}  // namespace opdebug::report::html_page
