// The scan report as CSV: safe cells, the rows of a dump, and the rows of a report in order.
#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/scan/scan_json.hpp"
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

/// Nearly all cells are their own: to make each of them a text first took a quarter of a scan's time.
void add_csv_cell(std::string_view text, std::string& row) {
    if (is_its_own_cell(text)) {
        row += text;
    } else {
        row += csv_cell(text);
    }
}

namespace {

using Id = std::optional<std::uint64_t>;

/// The cells of one row, in the order of kColumns.
struct Row {
    std::string text;
    bool empty = true;

    void add(std::string_view cell) {
        separate();
        add_csv_cell(cell, text);
    }
    void add_known(const Id& id) {
        separate();
        if (id) {
            text += fmt::format_int(*id).c_str();
        }
    }
    void add_known(const std::optional<std::string>& cell) { add(cell ? *cell : std::string_view()); }

private:
    void separate() {
        if (!empty) {
            text += ',';
        }
        empty = false;
    }
};

constexpr std::array<const char*, 32> kColumns{"file",
                                               "state",
                                               "host",
                                               "rank",
                                               "device_id",
                                               "folder_time",
                                               "path_model_name",
                                               "path_model_id",
                                               "data_index",
                                               "timestamp_us",
                                               "time_utc",
                                               "unit",
                                               "overflow",
                                               "model_id",
                                               "stream_id",
                                               "task_id",
                                               "context_id",
                                               "thread_id",
                                               "core_id",
                                               "block_id",
                                               "status_hex",
                                               "causes",
                                               "undocumented_bits",
                                               "operator",
                                               "operator_type",
                                               "kernel",
                                               "confidence",
                                               "model",
                                               "runtime_id",
                                               "ge_id",
                                               "graph_id",
                                               "diagnostics"};

/// "2026-03-04T10:00:05.000001Z"; empty for years that no calendar of four digits can show.
std::string iso_time(const Id& timestamp_us) {
    constexpr std::uint64_t kLatest = 253402300799ULL * 1'000'000;  // 9999-12-31
    if (!timestamp_us || *timestamp_us > kLatest) {
        return {};
    }
    using namespace std::chrono;
    const auto time = microseconds(*timestamp_us);
    const auto day = floor<days>(time);
    const year_month_day date{sys_days(day)};
    const hh_mm_ss<microseconds> clock(time - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

/// One cell holds the four words of a version-1 status, with spaces between them.
std::string hex_words(const std::vector<std::uint64_t>& words) {
    std::string text;
    for (const std::uint64_t word : words) {
        text += (text.empty() ? "" : " ") + hex(word);
    }
    return text;
}

std::string cause_ids(const Record& record) {
    std::string text;
    for (const Cause& cause : record.status.causes) {
        text += (text.empty() ? "" : " ") + cause.definition->id;
    }
    return text;
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

void add_place(const ScannedDump& scanned, const ScanItem& item, const Id& timestamp_us, Row& row) {
    row.add(scanned.file);
    row.add(to_string(scanned.state));
    row.add(item.host);
    row.add_known(item.path_ids.rank);
    row.add_known(item.path_ids.device_id);
    row.add_known(item.path_ids.time);
    row.add_known(item.path_ids.model_name);
    row.add_known(item.path_ids.model_id);
    row.add_known(item.path_ids.data_index);
    row.add_known(timestamp_us);
    row.add(iso_time(timestamp_us));
}

void add_record(const Record* record, Row& row) {
    if (record == nullptr) {
        for (int cell = 0; cell < 12; ++cell) {
            row.add(std::string_view());
        }
        return;
    }
    row.add(unit_name(record->unit));
    row.add(record->overflow ? "true" : "false");
    for (const Field field :
         {Field::model_id, Field::stream_id, Field::task_id, Field::context_id, Field::thread_id, Field::core_id}) {
        row.add_known(record->field(field));
    }
    const Id block = record->field(Field::block_id);
    row.add_known(block ? block : record->field(Field::block_idx));
    row.add(hex_words(record->status.words));
    row.add(cause_ids(*record));
    row.add(hex_words(record->status.undocumented_bits));
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

/// Only the rows of the records to which operator and model belong contain them.
void add_location(const ScannedDump& scanned, const Record* record, const Record* located, Row& row) {
    const OperatorAnswer* op =
        is_located(record, located) && scanned.location.op ? &scanned.location.op->best : nullptr;
    row.add_known(op != nullptr ? op->name : std::nullopt);
    row.add_known(op != nullptr ? op->type : std::nullopt);
    row.add_known(op != nullptr ? op->kernel : std::nullopt);
    row.add(op != nullptr ? to_string(op->confidence) : std::string_view());
    const LocatedModel none;
    const LocatedModel& model =
        is_of_located_model(record, located) && scanned.location.model ? *scanned.location.model : none;
    row.add_known(model.name);
    row.add_known(model.runtime_id);
    row.add_known(model.ge_id);
    row.add_known(model.graph_id);
}

}  // namespace

/// The names of the columns.
static std::string scan_row_header(bool tensors) {
    return fmt::format("{}{}\n", fmt::join(kColumns, ","), tensors ? ",origin" : "");
}

std::string scan_rows(const ScannedDump& scanned, const ScanItem& item, std::string_view failure_code, bool tensors) {
    const std::string codes = diagnostic_codes(scanned, failure_code);
    const Record* located = scanned.dump ? located_record(*scanned.dump) : nullptr;
    std::string rows;
    Row place;  // the records of one dump share it, except appended dumps
    add_place(scanned, item, item.timestamp_us, place);
    const auto add = [&](const Record* record, const Id& timestamp_us) {
        Row row;
        if (timestamp_us == item.timestamp_us) {
            row = place;
        } else {
            add_place(scanned, item, timestamp_us, row);
        }
        add_record(record, row);
        add_location(scanned, record, located, row);
        row.add(codes);
        if (tensors) {
            row.add(is_located(record, located) && item.origin ? to_string(item.origin->verdict) : std::string_view());
        }
        rows += row.text + '\n';
    };
    if (scanned.dump && scanned.state != DumpState::failed) {
        for (const DecodedPayload& payload : scanned.dump->payloads) {
            for (const Record& record : payload.records) {
                add(&record, payload.appended ? payload.timestamp_us : item.timestamp_us);
            }
        }
    }
    if (rows.empty()) {
        add(nullptr, item.timestamp_us);
    }
    return rows;
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::optional<Error> ScanReport::write_csv(const TextSink& sink) const {
    if (auto error = report::why_missing(*contents_, contents_->options.keep_rows)) {
        return error;
    }
    report::SinkWriter out(sink);
    out.write(report::scan_row_header(contents_->options.report.tensors));
    const auto write = [&out](const report::ScanEntry&, std::string_view rows) { out.write(rows); };
    auto error = report::read_timeline(*contents_, report::KeptText::rows, out, write);
    std::uint64_t failed = contents_->scan.counts.failed;
    if (!error && failed != 0) {
        error = report::read_each(
            *contents_, report::KeptText::rows, out,
            [&](const report::ScanEntry& entry, bool& is_last) {
                const bool is_failed = entry.item.state == DumpState::failed;
                failed -= is_failed ? 1U : 0U;
                is_last = failed == 0;
                return is_failed && matches(contents_->options.filter, entry.item);
            },
            write);
    }
    out.flush();
    return error;
}

}  // namespace v0
}  // namespace opdebug
