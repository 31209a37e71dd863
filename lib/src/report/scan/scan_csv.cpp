// The scan report as CSV: safe cells, the rows of a dump, and the rows of a report in order.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

/// The last four are U+FF1D, U+FF0B, U+FF0D and U+FF20: spreadsheets of East Asian locales read them like = + - @.
constexpr std::array<std::string_view, 10> kFormulaStarts{
    "=", "+", "-", "@", "\t", "\r", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

/// Some spreadsheets take away spaces and quotation marks before a cell.
bool begins_like_formula(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \""), text.size()));
    return std::any_of(kFormulaStarts.begin(), kFormulaStarts.end(),
                       [text](std::string_view start) { return text.substr(0, start.size()) == start; });
}

/// The text with an apostrophe before what would be a formula. Where the decimal sign is a comma, spreadsheets
/// begin a new cell after each semicolon, quoted or not.
std::string without_formulas(std::string_view text) {
    std::string safe;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(';', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        safe += begins_like_formula(part) ? "'" : "";
        safe += printable(part);
        safe += end < text.size() ? ";" : "";
        begin = end + 1;
    }
    return safe;
}

}  // namespace

std::string csv_cell(std::string_view text) {
    std::string cell = without_formulas(text);
    if (cell.find_first_of(",;\"") == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char character : cell) {
        quoted.append(character == '"' ? 2 : 1, character);
    }
    return quoted + '"';
}

namespace {

using Id = std::optional<std::uint64_t>;
using nlohmann::json;

/// "2026-03-04T10:00:05.000001Z"; empty for times that no calendar can show.
std::string iso_time(const Id& timestamp_us) {
    std::string text = timestamp_us ? show_utc(*timestamp_us) : std::string();
    const std::size_t blank = text.find(' ');
    return text.empty() || text.ends_with("us") ? std::string() : text.replace(blank, 1, "T") + "Z";
}

/// A member of a document, which may come from a file of reports; null: there is none.
const json& member_of(const json& object, const char* name) {
    static const json kNone;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found == object.end() ? kNone : *found;
}

const json& list_of(const json& object, const char* name) {
    static const json kEmpty = json::array();
    const json& list = member_of(object, name);
    return list.is_array() ? list : kEmpty;
}

/// A text, number or truth value as a cell; of a list its items with spaces between them.
std::string cell_of(const json& value) {
    const auto scalar = [](const json& one) {
        return one.is_string() ? one.get<std::string>() : one.is_primitive() && !one.is_null() ? one.dump() : "";
    };
    return value.is_array() ? joined(value, " ", scalar) : scalar(value);
}

std::string cell_of(const Id& id) {
    return id ? fmt::to_string(*id) : std::string();
}

/// What has to be known about the dump: the codes of its warnings and errors, each once.
std::string diagnostic_codes(const json& document) {
    std::vector<std::string> codes;
    for (const json& diagnostic : list_of(document, "diagnostics")) {
        const std::string code = cell_of(member_of(diagnostic, "code"));
        const bool is_info = member_of(diagnostic, "severity") == "info";
        if (!is_info && std::find(codes.begin(), codes.end(), code) == codes.end()) {
            codes.push_back(code);
        }
    }
    return fmt::format("{}", fmt::join(codes, " "));
}

bool is_overflow(const json& record) {
    return member_of(record, "overflow") == true;
}

/// The record whose task was located (located_record()): of the three units of a legacy payload the last that
/// overflowed, of others the first. Null: none overflowed.
const json* located_record(const json& document) {
    constexpr std::ptrdiff_t kUnits = 3;
    const json& records = list_of(document, "records");
    const auto first = std::find_if(records.begin(), records.end(), is_overflow);
    if (first == records.end() || member_of(document, "payload") != "legacy") {
        return first == records.end() ? nullptr : &*first;
    }
    const json* located = &*first;
    for (auto one = first;
         one != records.end() && (one - records.begin()) / kUnits == (first - records.begin()) / kUnits; ++one) {
        located = is_overflow(*one) ? &*one : located;
    }
    return located;
}

/// A row: a record of a document, or only the dump if it has none.
struct Row {
    const ScanItem& item;
    const json& document;
    const std::string& codes;
    const json& record;
    bool is_located = false;           ///< the answer is about the record's task
    bool is_of_located_model = false;  ///< the same of the model, which may be that of another task as well

    std::string record_cell(const char* member) const { return cell_of(member_of(record, member)); }
    std::string operator_cell(const char* member) const {
        return is_located ? cell_of(member_of(member_of(document, "operator"), member)) : std::string();
    }
    std::string model_cell(const char* member) const {
        return is_of_located_model ? cell_of(member_of(member_of(document, "model"), member)) : std::string();
    }
};

struct Column {
    const char* name;
    std::string (*cell)(const Row& row, const char* name);
};

std::string of_record(const Row& row, const char* name) {
    return row.record_cell(name);
}
std::string of_model(const Row& row, const char* name) {
    return row.model_cell(name);
}

/// The last one is only for reports with tensors.
constexpr Column kColumns[] = {
    {"file", [](const Row& row, const char*) { return row.item.file; }},
    {"state", [](const Row& row, const char*) { return std::string(to_string(row.item.state)); }},
    {"host", [](const Row& row, const char*) { return row.item.host; }},
    {"rank", [](const Row& row, const char*) { return cell_of(row.item.path_ids.rank); }},
    {"device_id", [](const Row& row, const char*) { return cell_of(row.item.path_ids.device_id); }},
    {"folder_time", [](const Row& row, const char*) { return row.item.path_ids.time.value_or(""); }},
    {"path_model_name", [](const Row& row, const char*) { return row.item.path_ids.model_name.value_or(""); }},
    {"path_model_id", [](const Row& row, const char*) { return cell_of(row.item.path_ids.model_id); }},
    {"data_index", [](const Row& row, const char*) { return cell_of(row.item.path_ids.data_index); }},
    {"timestamp_us", [](const Row& row, const char*) { return cell_of(row.item.timestamp_us); }},
    {"time_utc", [](const Row& row, const char*) { return iso_time(row.item.timestamp_us); }},
    {"unit", of_record},
    {"overflow", of_record},
    {"model_id", of_record},
    {"stream_id", of_record},
    {"task_id", of_record},
    {"context_id", of_record},
    {"thread_id", of_record},
    {"core_id", of_record},
    {"block_id",
     [](const Row& row, const char*) {
         return row.record_cell(row.record.contains("block_id") ? "block_id" : "block_idx");
     }},
    {"status_hex", of_record},
    {"causes",
     [](const Row& row, const char*) {
         return joined(list_of(row.record, "causes"), " ",
                       [](const json& cause) { return cell_of(member_of(cause, "id")); });
     }},
    {"undocumented_bits", of_record},
    {"operator", [](const Row& row, const char*) { return row.operator_cell("name"); }},
    {"operator_type", [](const Row& row, const char*) { return row.operator_cell("type"); }},
    {"kernel", [](const Row& row, const char*) { return row.operator_cell("kernel"); }},
    {"confidence", [](const Row& row, const char*) { return row.operator_cell("confidence"); }},
    {"model", [](const Row& row, const char*) { return row.model_cell("name"); }},
    {"runtime_id", of_model},
    {"ge_id", of_model},
    {"graph_id", of_model},
    {"diagnostics", [](const Row& row, const char*) { return row.codes; }},
    {"origin",
     [](const Row& row, const char*) {
         return std::string(row.is_located && row.item.origin ? to_string(row.item.origin->verdict) : "");
     }},
};

/// Adds a line of the columns.
template <class CellOf>
void add_row(bool tensors, std::string& rows, CellOf cell_of_column) {
    const std::size_t count = std::size(kColumns) - (tensors ? 0 : 1);
    for (std::size_t i = 0; i < count; ++i) {
        rows += i != 0 ? "," : "";
        rows += csv_cell(cell_of_column(kColumns[i]));
    }
    rows += '\n';
}

void add_cells(const Row& row, bool tensors, std::string& rows) {
    add_row(tensors, rows, [&row](const Column& column) { return column.cell(row, column.name); });
}

/// The rows of a document: one for each record, or one for the dump.
std::string rows_of(const ScanItem& item, const json& document, bool tensors) {
    const std::string codes = diagnostic_codes(document);
    const json* const located = located_record(document);
    const auto agrees = [located](const json& record, std::initializer_list<const char*> members) {
        return located != nullptr && is_overflow(record) &&
               std::all_of(members.begin(), members.end(), [&](const char* member) {
                   return member_of(record, member) == member_of(*located, member);
               });
    };
    std::string rows;
    for (const json& record : list_of(document, "records")) {
        const bool is_located = agrees(record, {"stream_id", "task_id", "context_id", "thread_id"});
        add_cells({item, document, codes, record, is_located, is_located || agrees(record, {"model_id"})}, tensors,
                  rows);
    }
    if (rows.empty()) {
        add_cells({item, document, codes, json()}, tensors, rows);
    }
    return rows;
}

std::optional<Error> write_rows(const ScanContents& contents, SinkWriter& out) {
    const bool tensors = contents.options.report.tensors;
    std::string header;
    add_row(tensors, header, [](const Column& column) { return column.name; });
    out.write(header);
    const auto write = [&](const ScanEntry& entry, std::string_view document) {
        const json parsed = json::parse(document, nullptr, false);
        out.write(parsed.is_object() ? rows_of(entry.item, parsed, tensors) : std::string());
    };
    if (auto error = read_timeline(contents, out, write)) {
        return error;
    }
    for (const ScanEntry& entry : failed_of(contents, contents.scan.counts.failed)) {
        std::string row;
        if (matches(contents.options.filter, entry.item)) {
            add_cells({entry.item, json(), entry.failure_code, json()}, tensors, row);
        }
        out.write(row);
    }
    return std::nullopt;
}

}  // namespace
}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_csv(const TextSink& sink) const {
    if (auto missing = report::why_missing(*contents_)) {
        return missing;
    }
    report::SinkWriter out(sink);
    auto error = report::write_rows(*contents_, out);
    out.flush();
    return error;
}
