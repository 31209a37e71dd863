// Reports and documents that the library makes follow the JSON Schemas, and a wrong document does not.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string folder = "run/rank_1/debug_files/3/Opdebug.Node_OpDebug.1.5.";

LocatedOperator some_operator() {
    LocatedOperator located;
    located.best = {"net/add", std::nullopt, "te_add", Confidence::exact, {{EvidenceKind::ge_log, "log", 7, "line"}}};
    located.candidates = {located.best, {"net/mul", "Mul", std::nullopt, Confidence::type, {}}};
    return located;
}

/// Dumps of each payload and state, with and without an answer.
std::vector<ScannedDump> many_dumps() {
    std::vector<ScannedDump> dumps{scanned_dump(folder + "1772618405000001", 0x1FF),
                                   scanned_dump(folder + "1772618405000002", 0),
                                   failed_dump(folder + "1772618405000003", ErrorCode::empty_file, "empty")};
    for (const AccType type : {AccType::aic, AccType::aiv, AccType::aicpu, AccType::sdma}) {
        for (std::uint32_t version : {0U, 1U}) {
            AcceleratorPayload payload;
            payload.version = version;
            payload.entries = {counting_entry(type, ~std::uint64_t{0} - 20, version)};
            dumps.push_back(scanned_dump("run/loose" + std::to_string(dumps.size()), payload));
        }
    }
    dumps[0].location.op = some_operator();
    dumps[0].location.model = {"graph", 3, std::nullopt, 4, {{EvidenceKind::op_dump, "f", std::nullopt, "t"}}};
    return dumps;
}

ScanReport full_report() {
    Scan scan = scan_of(many_dumps());
    scan.failures.push_back({ErrorCode::permission_denied, "cannot read the folder", "run/x", std::nullopt});
    ScanReportOptions options;
    options.all = true;
    return report_of(many_dumps(), scan, options);
}

/// A record document with one change, in one line.
template <class Change>
std::string changed_record(Change change) {
    const ScannedDump dump = many_dumps()[0];
    ordered_json document = ordered_json::parse(record_to_json(*dump.dump, dump.location));
    change(document);
    return document.dump() + "\n";
}

/// Whether the validator refuses a document for what is at `place`.
void check_refused(const std::optional<std::string>& verdict, const std::string& place) {
    if (verdict) {
        CAPTURE(*verdict);
        CHECK(verdict->find("line 1: $") == 0);
        CHECK(verdict->find(place) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("schema: reports with every kind of record are valid, as one document and as lines") {
    const ScanReport report = full_report();
    const auto whole = schema_verdict("report", as_line(written(report, &ScanReport::write_json)));
    if (!whole) {
        return;
    }
    CHECK(*whole == "1 valid\n");
    const auto empty = schema_verdict("report", as_line(written(report_of({}), &ScanReport::write_json)));
    CHECK(empty.value_or("") == "1 valid\n");
    // The first line, ten overflowed or clean dumps, one that failed, the last line.
    const auto lines = schema_verdict("report-line", written(report, &ScanReport::write_json_lines));
    CHECK(lines.value_or("") == "13 valid\n");
}

TEST_CASE("schema: the record document of a failure is valid") {
    const auto verdict = schema_verdict(
        "record", as_line(failure_to_json({ErrorCode::header_malformed, "message", folder + "1772618405000001", 12})));
    CHECK(verdict.value_or("1 valid\n") == "1 valid\n");
}

TEST_CASE("schema: wrong record documents are refused") {
    CHECK(schema_verdict("record", changed_record([](ordered_json&) {})).value_or("1 valid\n") == "1 valid\n");
    const auto refused = [](auto change, const std::string& place) {
        check_refused(schema_verdict("record", changed_record(change)), place);
    };
    refused([](ordered_json& d) { d.erase("operator"); }, "operator");
    refused([](ordered_json& d) { d["surplus"] = 1; }, "surplus");
    refused([](ordered_json& d) { d["records"][2].erase("block_idx"); }, "records[2]");
    refused([](ordered_json& d) { d["records"][2]["core_id"] = 1; }, "records[2]");
    refused([](ordered_json& d) { d["records"][2]["status_hex"] = "0x0A"; }, "records[2]");
    refused([](ordered_json& d) { d["timestamp_us"] = "1"; }, "timestamp_us");
    refused([](ordered_json& d) { d["operator"]["candidates"][0]["candidates"] = ordered_json::array(); }, "operator");
    refused(
        [](ordered_json& d) {
            d["diagnostics"].push_back({{"severity", "fatal"}, {"code", "x"}, {"message", "y"}});
        },
        "diagnostics");
}

TEST_CASE("schema: wrong reports and lines are refused") {
    ordered_json report = ordered_json::parse(written(full_report(), &ScanReport::write_json));
    report["groups"][0]["by"].erase("model");
    check_refused(schema_verdict("report", report.dump() + "\n"), "groups[0]");
    report = ordered_json::parse(written(full_report(), &ScanReport::write_json));
    report["timeline"][0]["records"][0]["unit"] = "NPU";
    check_refused(schema_verdict("report", report.dump() + "\n"), "timeline[0]");
    check_refused(schema_verdict("report-line", report.dump() + "\n"), "$");
    check_refused(schema_verdict("status", R"([{"unit":"AI Core"}])"
                                           "\n"),
                  "$[0]");
}
