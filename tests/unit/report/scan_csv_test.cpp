// The report of a scan as CSV.
#include <doctest/doctest.h>

#include <map>

#include "report/scan/scan_contents.hpp"
#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;
using report::csv_cell;
using Row = std::map<std::string, std::string>;

namespace {

const std::string dump_file = "run/20260304100000/3/resnet/11/7/Opdebug.Node_OpDebug.1.5.1772618405000001";

/// The cells of each line, by RFC 4180, without the code under test.
std::vector<std::vector<std::string>> cells_of(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            rows.back().back() += text[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == ',') {
            rows.back().emplace_back();
        } else if (!quoted && c == '\n') {
            rows.emplace_back(1);
        } else {
            rows.back().back() += c;
        }
    }
    CHECK(rows.back() == std::vector<std::string>(1));  // the text ends with a line break
    rows.pop_back();
    return rows;
}

/// Each row with its cells by column.
std::vector<Row> rows_of(const std::vector<ScannedDump>& dumps, ScanReportOptions options = {}) {
    const auto cells = cells_of(written(report_of(dumps, std::move(options)), &ScanReport::write_csv));
    std::vector<Row> rows;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        REQUIRE(cells[i].size() == cells[0].size());
        Row row;
        for (std::size_t column = 0; column < cells[0].size(); ++column) {
            row[cells[0][column]] = cells[i][column];
        }
        rows.push_back(row);
    }
    return rows;
}

}  // namespace

TEST_CASE("csv: one row per record of an overflowed dump, with its ids and causes") {
    ScannedDump dump = scanned_dump(dump_file, 0x121);
    dump.location.op.emplace();
    dump.location.op->best = {"net/cast, 1", "Cast", "te_cast", Confidence::exact, {}};
    dump.location.model.emplace();
    dump.location.model->name = "graph";
    dump.location.model->runtime_id = 514;
    dump.location.diagnostics = {{Severity::info, "time_zone", "x"}, {Severity::warning, "task_failed", "x"}};
    const std::vector<Row> rows = rows_of({dump});
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].at("unit") == "DHA Atomic Add");
    CHECK(rows[0].at("overflow") == "false");
    CHECK(rows[0].at("operator").empty());  // the operator is the overflowed record's
    CHECK(rows[1].at("unit") == "L2 Atomic Add");
    const Row expected{{"file", dump_file},
                       {"state", "overflowed"},
                       {"host", ""},
                       {"rank", ""},
                       {"device_id", "3"},
                       {"folder_time", "20260304100000"},
                       {"path_model_name", "resnet"},
                       {"path_model_id", "11"},
                       {"data_index", "7"},
                       {"timestamp_us", "1772618405000001"},
                       {"time_utc", "2026-03-04T10:00:05.000001Z"},
                       {"unit", "AI Core"},
                       {"overflow", "true"},
                       {"model_id", "514"},
                       {"stream_id", "563"},
                       {"task_id", "57"},
                       {"context_id", ""},
                       {"thread_id", ""},
                       {"core_id", ""},
                       {"block_id", "1"},
                       {"status_hex", "0x121"},
                       {"causes", "ai_core.float_overflow ai_core.fp16_conversion_overflow"},
                       {"undocumented_bits", "0x1"},
                       {"operator", "net/cast, 1"},
                       {"operator_type", "Cast"},
                       {"kernel", "te_cast"},
                       {"confidence", "exact"},
                       {"model", "graph"},
                       {"runtime_id", "514"},
                       {"ge_id", ""},
                       {"graph_id", ""},
                       {"diagnostics", rows[2].at("diagnostics")}};
    CHECK(rows[2] == expected);
    CHECK(rows[2].at("diagnostics").find("task_failed") != std::string::npos);
    CHECK(rows[2].at("diagnostics").find("time_zone") == std::string::npos);
}

TEST_CASE("csv: failed dumps have one row after the timeline, clean ones rows with all") {
    const std::vector<ScannedDump> dumps{failed_dump(dump_file + ".a", ErrorCode::empty_file, "empty"),
                                         scanned_dump(dump_file + ".b", 0), scanned_dump(dump_file + ".c", 0x20)};
    std::vector<Row> rows = rows_of(dumps);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].at("state") == "overflowed");
    CHECK(rows[3].at("state") == "failed");
    CHECK(rows[3].at("diagnostics") == "empty_file");
    CHECK(rows[3].at("unit").empty());
    ScanReportOptions options;
    options.all = true;
    CHECK(rows_of(dumps, options).size() == 7);
    options.first = 1;
    CHECK(rows_of(dumps, options).size() == 4);
}

TEST_CASE("csv: a converted dump that failed has the time of its name") {
    const std::string file = "run/Opdebug.Node_OpDebug.1.5.1772618400000001.output.0.json";
    const std::vector<Row> rows = rows_of({failed_dump(file, ErrorCode::converted_json_invalid, "no JSON")});
    CHECK(rows.at(0).at("timestamp_us") == "1772618400000001");
    CHECK(rows.at(0).at("time_utc") == "2026-03-04T10:00:00.000001Z");
}

TEST_CASE("csv: four status words and the ids of an accelerator record") {
    AcceleratorPayload payload;
    payload.version = 1;
    payload.entries = {counting_entry(AccType::aiv, 1, 1)};  // 1 to 10 are the fields, 11 to 14 the status words
    const std::vector<Row> rows = rows_of({scanned_dump(dump_file, payload)});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at("context_id") == "5");
    CHECK(rows[0].at("thread_id") == "6");
    CHECK(rows[0].at("core_id") == "9");
    CHECK(rows[0].at("block_id") == "10");
    CHECK(rows[0].at("status_hex") == "0xb 0xc 0xd 0xe");
}

TEST_CASE("csv: the operator stands in the rows of its own task's records only") {
    AcceleratorPayload payload;
    payload.entries = {core_entry(AccType::aic, 57, 0x20), core_entry(AccType::aiv, 58, 0x20),
                       core_entry(AccType::aiv, 57, 0x20)};
    ScannedDump dump = scanned_dump(dump_file, payload);
    dump.location.op.emplace();
    dump.location.op->best.name = "net/matmul";
    dump.location.model.emplace();
    dump.location.model->name = "graph";
    std::vector<Row> rows = rows_of({dump});
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].at("operator") == "net/matmul");
    CHECK(rows[1].at("operator").empty());
    CHECK(rows[1].at("confidence").empty());
    CHECK(rows[1].at("model") == "graph");  // another task of the same model
    CHECK(rows[2].at("operator") == "net/matmul");
    payload.entries[1].data[0] = 4;  // of another model
    dump.dump = scanned_dump(dump_file, payload).dump;
    rows = rows_of({dump});
    CHECK(rows[0].at("model") == "graph");
    CHECK(rows[1].at("model").empty());
}

TEST_CASE("csv: cells are quoted where they must be, and no spreadsheet takes them for a formula") {
    CHECK(csv_cell("plain text") == "plain text");
    CHECK(csv_cell("") == "");
    CHECK(csv_cell("a,b") == "\"a,b\"");
    CHECK(csv_cell("say \"x\"") == "\"say \"\"x\"\"\"");
    CHECK(csv_cell("=1+1") == "'=1+1");
    CHECK(csv_cell("+1") == "'+1");
    CHECK(csv_cell("-1") == "'-1");
    CHECK(csv_cell("@a,b") == "\"'@a,b\"");
    CHECK(csv_cell("\xEF\xBC\x9D"
                   "1") ==
          "'\xEF\xBC\x9D"
          "1");
    CHECK(csv_cell("a=b") == "a=b");
    CHECK(csv_cell(" =1") == "' =1");
    CHECK(csv_cell("\"=1\"") == "\"'\"\"=1\"\"\"");
    // After a semicolon some spreadsheets begin a new cell, in spite of the quotes.
    CHECK(csv_cell("a;=1;b;\" -2") == "\"a;'=1;b;'\"\" -2\"");
    CHECK(csv_cell(";;") == "\";;\"");
    CHECK(csv_cell("\t=1") == "'\\x09=1");
    CHECK(csv_cell("\r=1") == "'\\x0d=1");
    CHECK(csv_cell("a\r\nb\x1B") == "a\\x0d\\x0ab\\x1b");
    CHECK(csv_cell("\xFF") == "\\xff");
}

TEST_CASE("csv: a time that no calendar shows is only a number") {
    const std::string file = "run/Opdebug.Node_OpDebug.1.5.999999999999999999";
    const std::vector<Row> rows = rows_of({failed_dump(file, ErrorCode::empty_file, "empty")});
    CHECK(rows.at(0).at("timestamp_us") == "999999999999999999");
    CHECK(rows.at(0).at("time_utc").empty());
}
