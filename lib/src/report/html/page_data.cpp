// The overflowed dumps as columns.
#include "report/html/scan_html.hpp"

#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report::html_page {
namespace {

using Number = std::optional<std::uint64_t>;

/// JavaScript holds whole numbers up to this one; a time after it is past the year 2255, which no clock shows.
constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 53U;

/// Texts by number, each once.
class TextTable {
public:
    std::uint64_t number_of(std::string text) {
        const auto [place, is_new] = numbers_.emplace(std::move(text), texts_.size());
        if (is_new) {
            texts_.push_back(place->first);
        }
        return place->second;
    }
    const std::vector<std::string>& texts() const noexcept { return texts_; }
    std::vector<std::string> printable_texts() const { return mapped(texts_, printable); }

private:
    std::unordered_map<std::string, std::uint64_t> numbers_;
    std::vector<std::string> texts_;
};

struct Columns {
    std::vector<Number> time, step, rank, device, origin;
    std::vector<std::uint64_t> op, cause_set, model, folder, name, host;
    TextTable ops, causes, cause_sets, models, folders, names, hosts;
};

void add_file(const ScanItem& item, Columns& columns) {
    const std::string_view file_name = file_name_of(item.file);
    const std::string folder = item.file.substr(0, item.file.size() - file_name.size());
    columns.folder.push_back(columns.folders.number_of(item.host.empty() ? folder : item.host + ":" + folder));
    // Most names end with the time, which has a column of its own: an odd number means a name without it.
    const std::string time = item.timestamp_us ? fmt::to_string(*item.timestamp_us) : std::string();
    const bool has_time = !time.empty() && *item.timestamp_us < kLargestNumber && file_name.ends_with(time);
    const std::string_view stem = file_name.substr(0, file_name.size() - (has_time ? time.size() : 0));
    columns.name.push_back(2 * columns.names.number_of(std::string(stem)) + (has_time ? 1 : 0));
}

void add_item(const ScanItem& item, Columns& columns) {
    std::string set = joined(cause_ids(item), ",", [&columns](const std::string& cause) {
        return fmt::to_string(columns.causes.number_of(cause));
    });
    const bool has_time = item.timestamp_us && *item.timestamp_us < kLargestNumber;
    columns.time.push_back(has_time ? item.timestamp_us : std::nullopt);
    columns.step.push_back(item.path_ids.data_index);
    columns.rank.push_back(item.path_ids.rank);
    columns.device.push_back(item.path_ids.device_id);
    columns.host.push_back(columns.hosts.number_of(item.host));
    columns.origin.push_back(item.origin ? Number(static_cast<std::uint64_t>(item.origin->verdict)) : std::nullopt);
    columns.op.push_back(columns.ops.number_of(show_operator(item.operator_name, item.operator_type)));
    columns.cause_set.push_back(columns.cause_sets.number_of(std::move(set)));
    columns.model.push_back(columns.models.number_of(item.model));
    add_file(item, columns);
}

void add_facts(const ScanItem& item, PageFacts& facts) {
    const auto add = [](const Number& number, std::set<std::uint64_t>& numbers) {
        if (number) {
            numbers.insert(*number);
        }
    };
    add(item.path_ids.rank, facts.ranks);
    if (item.path_ids.device_id) {
        facts.devices.emplace(item.host, *item.path_ids.device_id);
    }
    add(item.path_ids.data_index, facts.steps);
}

/// Times as distances from the first one, which are shorter.
std::vector<std::optional<std::int64_t>> after(std::uint64_t base, const std::vector<Number>& times) {
    return mapped(times, [base](const Number& time) {
        return time ? std::optional(static_cast<std::int64_t>(*time - base)) : std::nullopt;
    });
}

void write_causes(const Columns& columns, JsonWriter& json) {
    json.begin_array("causes");
    for (const std::string& id : columns.causes.texts()) {
        json.value(std::vector<std::string>{printable(id), cause_name(id, Language::english),
                                            cause_name(id, Language::chinese), printable(short_cause(id))});
    }
    json.end_array();
    json.member("sets", columns.cause_sets.texts());
}

void write_origins(JsonWriter& json) {
    json.begin_array("origins");
    for (const OriginVerdict verdict :
         {OriginVerdict::born_here, OriginVerdict::inherited, OriginVerdict::not_visible}) {
        json.value(std::array{verdict_label(verdict, Language::english), verdict_label(verdict, Language::chinese)});
    }
    json.end_array();
}

/// By operator how often it overflowed, and suspicions.
void write_patterns(const ScanContents& page, const ScanAnswer& answer, Columns& columns, JsonWriter& json) {
    json.member("patterns", [&] {
        for (const OperatorRow& row : answer.operators) {
            const std::vector<std::string> codes = pattern_of(row, page.overview);
            if (!codes.empty()) {
                json.member(fmt::to_string(columns.ops.number_of(show_operator(row.name, row.type))), codes);
            }
        }
    });
}

std::string without_less_than(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char letter : text) {
        letter == '<' ? safe += "\\u003c" : safe += letter;
    }
    return safe;
}

}  // namespace

PageData page_data_of(const ScanContents& page) {
    PageData data;
    data.facts.answer = answer_of(page);
    Columns columns;
    ScanReportOptions overflows = page.options;
    overflows.all = false;
    TimelineChoice choice(overflows);
    each_entry(page, [&](const ScanEntry& entry) {
        if (choice.takes(entry)) {
            add_item(entry.item, columns);
            add_facts(entry.item, data.facts);
        }
        return !choice.is_full();
    });
    const std::uint64_t base = columns.time.empty() ? 0 : columns.time.front().value_or(0);
    JsonWriter json;
    json.begin_object();
    json.member("base", base);
    json.member("offset", std::int64_t{shown_offset(base, zone_of(data.facts.answer), page.options.report)});
    write_causes(columns, json);
    write_origins(json);
    write_patterns(page, data.facts.answer, columns, json);
    json.member("ops", columns.ops.texts());
    json.member("models", columns.models.printable_texts());
    json.member("hosts", columns.hosts.printable_texts());
    json.member("folders", columns.folders.printable_texts());
    json.member("names", columns.names.printable_texts());
    json.member("rows", [&] {
        json.member("time", after(base, columns.time));
        json.member("step", columns.step);
        json.member("rank", columns.rank);
        json.member("device", columns.device);
        if (columns.hosts.texts().size() > 1) {
            json.member("host", columns.host);
        }
        json.member("origin", columns.origin);
        json.member("op", columns.op);
        json.member("set", columns.cause_set);
        json.member("model", columns.model);
        json.member("folder", columns.folder);
        json.member("name", columns.name);
    });
    write_page_tables(page, json);
    json.end_object();
    data.json = without_less_than(json.take());
    return data;
}

}  // namespace opdebug::report::html_page
