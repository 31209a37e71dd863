// What the page of a scan lists: the overflowed dumps, and smaller tables.
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"
#include "report/json/json_writer.hpp"
#include "report/pages/pages.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kMostRows = 5000;  // of each table but that of the overflows
/// JavaScript holds whole numbers up to this one; a time after it is past the year 2255, which no clock shows.
constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 53U;

/// Texts by number, each once: the rows of the overflows contain the numbers.
class TextNumbers {
public:
    std::uint64_t of(std::string text) {
        const auto [place, is_new] = numbers_.emplace(std::move(text), texts_.size());
        if (is_new) {
            texts_.push_back(place->first);
        }
        return place->second;
    }
    const std::vector<std::string>& texts() const noexcept { return texts_; }

private:
    std::unordered_map<std::string, std::uint64_t> numbers_;
    std::vector<std::string> texts_;
};

void write_cause(const std::string& id, JsonWriter& json) {
    json.value(std::vector<std::string>{printable(id), cause_name(id, Language::english),
                                        cause_name(id, Language::chinese), printable(short_cause(id))});
}

/// The overflowed dumps, a row for each, and the texts of their numbers.
void write_overflows(const ScanContents& page, const ScanAnswer& answer, JsonWriter& json) {
    TextNumbers ops, causes, models, folders, hosts;
    ScanReportOptions overflows = page.options;
    overflows.all = false;
    TimelineChoice choice(overflows);
    json.member("columns", std::vector<const char*>{"time", "step", "rank", "device", "host", "origin", "op", "causes",
                                                    "model", "folder", "name"});
    json.begin_array("rows");
    each_entry(page, [&](const ScanEntry& entry) {
        if (choice.takes(entry)) {
            const ScanItem& item = entry.item;
            const std::string_view name = file_name_of(item.file);
            const std::string folder = item.file.substr(0, item.file.size() - name.size());
            json.begin_array();
            json.value(item.timestamp_us.value_or(kLargestNumber) < kLargestNumber ? item.timestamp_us : std::nullopt);
            json.value(item.path_ids.data_index);
            json.value(item.path_ids.rank);
            json.value(item.path_ids.device_id);
            json.value(hosts.of(printable(item.host)));
            json.value(item.origin ? std::optional(item.origin->verdict) : std::nullopt);
            json.value(ops.of(show_operator(item.operator_name, item.operator_type)));
            json.value(mapped(cause_ids(item), [&causes](const std::string& id) { return causes.of(id); }));
            json.value(models.of(printable(item.model)));
            json.value(folders.of(printable(item.host.empty() ? folder : item.host + ":" + folder)));
            json.value(printable(name));
            json.end_array();
        }
        return !choice.is_full();
    });
    json.end_array();
    json.begin_array("causes");
    for (const std::string& id : causes.texts()) {
        write_cause(id, json);
    }
    json.end_array();
    json.member("patterns", [&] {
        for (const OperatorRow& row : answer.operators) {
            json.member(fmt::to_string(ops.of(show_operator(row.name, row.type))), pattern_of(row, page.overview));
        }
    });
    json.member("ops", ops.texts());
    json.member("models", models.texts());
    json.member("folders", folders.texts());
    json.member("hosts", hosts.texts());
}

using Both = std::vector<std::string>;  // English, Chinese
using Row = std::vector<std::variant<std::optional<std::uint64_t>, std::string, Both>>;

/// A smaller table; left out without rows. `columns`: keys of words.json. `all`: rows, also those that are not listed.
void write_table(const char* name, std::initializer_list<const char*> columns, const std::vector<Row>& rows,
                 std::uint64_t all, JsonWriter& json) {
    if (!rows.empty()) {
        json.value([&] {
            json.member("name", name);
            json.member("columns", columns);
            json.member("more", all - rows.size());
            json.member("rows", rows);
        });
    }
}

template <class TextIn>
Both both(const TextIn& text_in) {
    return {printable(text_in(Language::english)), printable(text_in(Language::chinese))};
}

Both both_words(std::string_view id) {
    return both([id](Language language) { return remarks::word(id, language); });
}

Both both_texts(const LocalizedText& text) {
    return both([&text](Language language) { return text.in(language); });
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
    Both label = both_words("api_page.not_tied"), because{"", ""};
    if (tie != nullptr) {
        label = both([tie](Language language) { return api_tie_label(tie->level, language); });
        because = both([tie](Language language) {
            return fmt::format("{}{}{}", tie->api, remarks::word("page.colon", language), tie->because_in(language));
        });
    }
    return {timeline.step,    timeline.rank,         both_words("api_page.dump"),
            std::nullopt,     overflow.timestamp_us, op.empty() ? printable(overflow.kernel) : op,
            std::move(label), std::move(because),    printable(overflow.file)};
}

void write_api_timeline(const ScanApi& api, JsonWriter& json) {
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
    Both verdict = both_words(chain.not_measured == chain.count ? "page.not_measured" : "page.not_visible");
    std::string op;
    LocalizedText because;
    if (const auto& first = chain.first_bad) {
        op = show_operator(first->operator_name, first->operator_type);
        op = op.empty() ? printable(file_name_of(first->file)) : op;
        verdict = both([&](Language language) { return chain_label(first->origin, first->op_dump, language); });
        because = first->origin ? LocalizedText{first->origin->because, first->origin->because_in(Language::chinese)}
                                : because;
    }
    std::vector<LocalizedText> reasons{because};
    for (const ScanRemark& remark : chain.remarks) {
        reasons.push_back({remark.message, remark.message_in(Language::chinese)});
    }
    std::erase_if(reasons, [](const LocalizedText& text) { return text.en.empty(); });
    return {chain.first_us,
            chain.step,
            chain.rank,
            chain.device_id,
            printable(chain.model),
            op,
            std::move(verdict),
            both_texts(remarks::joined(reasons, {"; ", "；"})),
            chain.count,
            chain.born_here,
            chain.inherited,
            chain.not_visible,
            chain.not_measured};
}

void write_clean(const ScanContents& page, JsonWriter& json) {
    std::vector<Row> rows;
    each_entry(page, [&rows](const ScanEntry& entry) {
        const ScanItem& item = entry.item;
        if (item.state == DumpState::clean) {
            rows.push_back({item.timestamp_us, item.path_ids.data_index, item.path_ids.rank, item.path_ids.device_id,
                            printable(item.file)});
        }
        return rows.size() < kMostRows;
    });
    write_table("clean", {"time", "step", "rank", "device", "file"}, rows, page.scan.counts.clean, json);
}

void write_failures(const ScanContents& page, JsonWriter& json) {
    std::vector<Row> rows;
    const auto add = [&rows](const std::string& file, const std::string& code, const std::string& message) {
        rows.push_back({printable(file), printable(code), both_texts(remarks::text_of(code, message))});
    };
    for (const ScanEntry& entry : failed_of(page, kMostRows)) {
        add(entry.item.file, entry.failure_code, entry.failure_message);
    }
    for (const Error& error : page.scan.failures) {
        if (rows.size() < kMostRows) {
            add(error.file, std::string(to_string(error.code)), error.message);
        }
    }
    write_table("failures", {"file", "code", "reason"}, rows, page.scan.counts.failed + page.scan.failures.size(),
                json);
}

}  // namespace

void write_page_data(const ScanContents& page, const ScanAnswer& answer, JsonWriter& json) {
    write_overflows(page, answer, json);
    json.begin_array("tables");
    if (page.api) {
        write_api_timeline(*page.api, json);
    }
    write_table("chains",
                {"time", "step", "rank", "device", "model", "first_bad", "verdict", "reason", "dumps", "born_here",
                 "inherited", "not_visible", "not_measured"},
                mapped(page.chains.chains, chain_row), page.chains.count, json);
    write_failures(page, json);
    if (page.options.all) {
        write_clean(page, json);
    }
    json.end_array();
}

}  // namespace opdebug::report
