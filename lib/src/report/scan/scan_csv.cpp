// The scan report as CSV: safe cells, the rows of a dump, and the rows of a report in order.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>

#include "report/scan/scan_contents.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

/// The last four are U+FF1D, U+FF0B, U+FF0D and U+FF20: spreadsheets of East Asian locales read them like = + - @.
constexpr std::array<std::string_view, 10> kFormulaStarts{
    "=", "+", "-", "@", "\t", "\r", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

/// Whether the text is its own cell: visible ASCII that begins with a letter, a digit or what else begins no formula,
/// and holds nothing that separates cells.
bool is_its_own_cell(std::string_view text) {
    constexpr std::string_view kNotFirst = "=+-@ \"";
    return text.empty() ||
           (kNotFirst.find(text.front()) == std::string_view::npos && std::all_of(text.begin(), text.end(), [](char c) {
                return c >= 0x20 && c < 0x7F && c != ',' && c != ';' && c != '"';
            }));
}

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

/// Nearly all cells are their own and need no copy.
void add_csv_cell(std::string_view text, std::string& row) {
    if (text.empty()) {
        return;
    }
    if (is_its_own_cell(text)) {
        row += text;
    } else {
        row += csv_cell(text);
    }
}

namespace {

using Id = std::optional<std::uint64_t>;

/// "2026-03-04T10:00:05.000001Z"; empty for times that no calendar can show.
std::string iso_time(const Id& timestamp_us) {
    std::string text = timestamp_us ? show_utc(*timestamp_us) : std::string();
    const std::size_t blank = text.find(' ');
    return text.empty() || text.ends_with("us") ? std::string() : text.replace(blank, 1, "T") + "Z";
}

std::string cause_ids(const Record& record) {
    return joined(record.status.causes, " ", [](const Cause& cause) { return cause.definition->id; });
}

/// What has to be known about the dump: the codes of its warnings and errors, each once; of a failed one, why.
std::string diagnostic_codes(const ScannedDump& scanned, std::string_view failure_code) {
    std::vector<std::string> codes;
    const auto add = [&codes](std::string_view code) {
        if (!code.empty() && std::find(codes.begin(), codes.end(), code) == codes.end()) {
            codes.emplace_back(code);
        }
    };
    add(failure_code);
    const std::vector<Diagnostic> none;
    for (const auto* list : {scanned.dump ? &scanned.dump->diagnostics : &none, &scanned.location.diagnostics,
                             &scanned.tensors.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            add(diagnostic.severity == Severity::info ? std::string_view() : diagnostic.code);
        }
    }
    return fmt::format("{}", fmt::join(codes, " "));
}

/// Whether what was located is this record's: it overflowed, and the answer is about its task.
bool is_located(const Record* record, const Record* located) {
    return record != nullptr && located != nullptr && record->overflow && same_task(*record, *located);
}

/// The same of the model, which may be that of another task as well.
bool is_of_located_model(const Record* record, const Record* located) {
    return is_located(record, located) || (record != nullptr && located != nullptr && record->overflow &&
                                           record->field(Field::model_id) == located->field(Field::model_id));
}

/// What a row shows: a record of a dump, or only the dump if it has none.
struct RowSource {
    const ScannedDump& scanned;
    const ScanItem& item;
    const std::string& codes;
    Id timestamp_us;
    const Record* record = nullptr;
    const OperatorAnswer* op = nullptr;   ///< of a record whose task was located
    const Origin* origin = nullptr;       ///< of a record whose task was located
    const LocatedModel* model = nullptr;  ///< of a record whose model was located

    Id field(Field field) const { return record != nullptr ? record->field(field) : std::nullopt; }
};

std::string cell_of(const Id& id) {
    return id ? fmt::to_string(*id) : std::string();
}

std::string cell_of(const std::optional<std::string>& text) {
    return text.value_or(std::string());
}

/// A member of a part of the answer that may be missing.
template <class Part, class Member>
std::string cell_of(const Part* part, Member Part::*member) {
    return part != nullptr ? cell_of(part->*member) : std::string();
}

struct Column {
    const char* name;
    std::string (*cell)(const RowSource& row);
};

/// The last one is only for reports with tensors; merging removes it from rows of such reports.
constexpr Column kColumns[] = {
    {"file", [](const RowSource& row) { return row.scanned.file; }},
    {"state", [](const RowSource& row) { return std::string(to_string(row.scanned.state)); }},
    {"host", [](const RowSource& row) { return row.item.host; }},
    {"rank", [](const RowSource& row) { return cell_of(row.item.path_ids.rank); }},
    {"device_id", [](const RowSource& row) { return cell_of(row.item.path_ids.device_id); }},
    {"folder_time", [](const RowSource& row) { return cell_of(row.item.path_ids.time); }},
    {"path_model_name", [](const RowSource& row) { return cell_of(row.item.path_ids.model_name); }},
    {"path_model_id", [](const RowSource& row) { return cell_of(row.item.path_ids.model_id); }},
    {"data_index", [](const RowSource& row) { return cell_of(row.item.path_ids.data_index); }},
    {"timestamp_us", [](const RowSource& row) { return cell_of(row.timestamp_us); }},
    {"time_utc", [](const RowSource& row) { return iso_time(row.timestamp_us); }},
    {"unit",
     [](const RowSource& row) { return std::string(row.record != nullptr ? unit_name(row.record->unit) : ""); }},
    {"overflow",
     [](const RowSource& row) {
         return std::string(row.record == nullptr ? "" : row.record->overflow ? "true" : "false");
     }},
    {"model_id", [](const RowSource& row) { return cell_of(row.field(Field::model_id)); }},
    {"stream_id", [](const RowSource& row) { return cell_of(row.field(Field::stream_id)); }},
    {"task_id", [](const RowSource& row) { return cell_of(row.field(Field::task_id)); }},
    {"context_id", [](const RowSource& row) { return cell_of(row.field(Field::context_id)); }},
    {"thread_id", [](const RowSource& row) { return cell_of(row.field(Field::thread_id)); }},
    {"core_id", [](const RowSource& row) { return cell_of(row.field(Field::core_id)); }},
    {"block_id",
     [](const RowSource& row) {
         const Id block = row.field(Field::block_id);
         return cell_of(block ? block : row.field(Field::block_idx));
     }},
    {"status_hex",
     [](const RowSource& row) {
         return row.record != nullptr ? hex_words(row.record->status.words, " ") : std::string();
     }},
    {"causes", [](const RowSource& row) { return row.record != nullptr ? cause_ids(*row.record) : std::string(); }},
    {"undocumented_bits",
     [](const RowSource& row) {
         return row.record != nullptr ? hex_words(row.record->status.undocumented_bits, " ") : std::string();
     }},
    {"operator", [](const RowSource& row) { return cell_of(row.op, &OperatorAnswer::name); }},
    {"operator_type", [](const RowSource& row) { return cell_of(row.op, &OperatorAnswer::type); }},
    {"kernel", [](const RowSource& row) { return cell_of(row.op, &OperatorAnswer::kernel); }},
    {"confidence",
     [](const RowSource& row) { return std::string(row.op != nullptr ? to_string(row.op->confidence) : ""); }},
    {"model", [](const RowSource& row) { return cell_of(row.model, &LocatedModel::name); }},
    {"runtime_id", [](const RowSource& row) { return cell_of(row.model, &LocatedModel::runtime_id); }},
    {"ge_id", [](const RowSource& row) { return cell_of(row.model, &LocatedModel::ge_id); }},
    {"graph_id", [](const RowSource& row) { return cell_of(row.model, &LocatedModel::graph_id); }},
    {"diagnostics", [](const RowSource& row) { return row.codes; }},
    {"origin",
     [](const RowSource& row) { return std::string(row.origin != nullptr ? to_string(row.origin->verdict) : ""); }},
};

/// Adds a line of the columns.
template <class CellOf>
void add_row(bool tensors, std::string& rows, CellOf cell_of_column) {
    const std::size_t count = std::size(kColumns) - (tensors ? 0 : 1);
    for (std::size_t i = 0; i < count; ++i) {
        rows += i != 0 ? "," : "";
        add_csv_cell(cell_of_column(kColumns[i]), rows);
    }
    rows += '\n';
}

}  // namespace

std::string scan_rows(const ScannedDump& scanned, const ScanItem& item, std::string_view failure_code, bool tensors) {
    const std::string codes = diagnostic_codes(scanned, failure_code);
    const Record* located = scanned.dump ? located_record(*scanned.dump) : nullptr;
    std::string rows;
    rows.reserve(1024);  // most dumps have one record
    const auto add_row_of = [&](const Record* record, const Id& timestamp_us) {
        RowSource source{scanned, item, codes, timestamp_us, record};
        if (is_located(record, located)) {
            source.op = scanned.location.op ? &scanned.location.op->best : nullptr;
            source.origin = item.origin ? &*item.origin : nullptr;
        }
        source.model =
            is_of_located_model(record, located) && scanned.location.model ? &*scanned.location.model : nullptr;
        add_row(tensors, rows, [&source](const Column& column) { return column.cell(source); });
    };
    if (scanned.dump && scanned.state != DumpState::failed) {
        for (const DecodedPayload& payload : scanned.dump->payloads) {
            const Id& timestamp_us = payload.appended ? payload.timestamp_us : item.timestamp_us;
            for (const Record& record : payload.records) {
                add_row_of(&record, timestamp_us);
            }
        }
    }
    if (rows.empty()) {
        add_row_of(nullptr, item.timestamp_us);
    }
    return rows;
}

namespace {

std::optional<Error> write_rows(const ScanContents& contents, SinkWriter& out) {
    std::string header;
    add_row(contents.options.report.tensors, header, [](const Column& column) { return column.name; });
    out.write(header);
    const auto write = [&out](const ScanEntry&, std::string_view rows) { out.write(rows); };
    if (auto error = read_timeline(contents, StoredText::rows, out, write)) {
        return error;
    }
    std::uint64_t failed = contents.scan.counts.failed;
    const auto takes = [&](const ScanEntry& entry, bool& is_last) {
        const bool is_failed = entry.item.state == DumpState::failed;
        failed -= is_failed ? 1U : 0U;
        is_last = failed == 0;
        return is_failed && matches(contents.options.filter, entry.item);
    };
    return failed == 0 ? std::nullopt : read_each(contents, StoredText::rows, out, takes, write);
}

}  // namespace
}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_csv(const TextSink& sink) const {
    if (auto missing = report::why_missing(*contents_, contents_->options.keep_rows)) {
        return missing;
    }
    report::SinkWriter out(sink);
    auto error = report::write_rows(*contents_, out);
    out.flush();
    return error;
}
