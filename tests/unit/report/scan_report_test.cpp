// The report of a scan as JSON and JSON lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include <nlohmann/json.hpp>

#include <opdebug/version.hpp>

#include "report/scan/scan_contents.hpp"
#include "scan_items.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;
using Keys = std::vector<std::string>;

namespace {

std::string overflow_path(unsigned rank, unsigned step, unsigned second) {
    return "run/rank_" + std::to_string(rank) + "/debug_files/" + std::to_string(step) + "/Opdebug.Node_OpDebug.1.5." +
           std::to_string(scan_begin_us + second * second_us);
}

/// Step 1 holds a clean dump and the second overflow, step 0 the first one, which is later in time; one file is bad.
std::vector<ScannedDump> some_dumps() {
    return {scanned_dump(overflow_path(0, 1, 10), 0), scanned_dump(overflow_path(0, 1, 20), 0x20),
            failed_dump(overflow_path(0, 1, 30), ErrorCode::empty_file, "the file is empty"),
            scanned_dump(overflow_path(1, 0, 40), 0x110)};
}

Keys keys_of(const ordered_json& object) {
    Keys keys;
    for (const auto& item : object.items()) {
        keys.push_back(item.key());
    }
    return keys;
}

ordered_json json_of(const ScanReport& report) {
    return ordered_json::parse(written(report, &ScanReport::write_json));
}

std::vector<std::string> files_of(const ordered_json& documents) {
    std::vector<std::string> files;
    for (const auto& document : documents) {
        files.push_back(document.at("file"));
    }
    return files;
}

std::vector<ordered_json> lines_of(const ScanReport& report) {
    std::vector<ordered_json> lines;
    const std::string text = written(report, &ScanReport::write_json_lines);
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(ordered_json::parse(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    CHECK(begin == text.size());
    return lines;
}

}  // namespace

TEST_CASE("scan report: the documented keys in their order") {
    const ordered_json report = json_of(report_of(some_dumps()));
    CHECK(keys_of(report) == Keys{"schema", "generated_by", "inputs", "counts", "first", "timeline", "groups", "api",
                                  "failures", "diagnostics", "complete"});
    CHECK(report["schema"] == "opdebug.report/1");
    CHECK(report["generated_by"] == "opdebug " + std::string(version()));
    CHECK(report["inputs"].dump() == R"(["run"])");
    CHECK(report["counts"].dump() == R"({"dumps":4,"overflowed":2,"clean":1,"failed":1,"op_dumps":1,"other_files":2})");
    CHECK(report["complete"] == true);
    REQUIRE(report["groups"].size() == 3);
    const ordered_json& group = report["groups"][0];
    CHECK(keys_of(group) ==
          Keys{"by", "count", "ranks", "devices", "first", "last", "steps", "bursts", "first_file", "remarks"});
    CHECK(group["by"].dump() ==
          R"({"cause":"ai_core.float_overflow","operator_type":null,"operator":null,"model":null})");
    CHECK(group["count"] == 1);
    CHECK(group["ranks"].dump() == "[0]");
    CHECK(group["first"] == scan_begin_us + 20 * second_us);
    CHECK(group["first_file"] == overflow_path(0, 1, 20));
}

TEST_CASE("scan report: the timeline holds the overflowed dumps in order, each the record document unchanged") {
    const std::vector<ScannedDump> dumps = some_dumps();
    const ordered_json report = json_of(report_of(dumps));
    CHECK(files_of(report["timeline"]) == std::vector<std::string>{overflow_path(1, 0, 40), overflow_path(0, 1, 20)});
    CHECK(report["first"] == report["timeline"][0]);
    CHECK(report["timeline"][1] == ordered_json::parse(record_to_json(*dumps[1].dump, dumps[1].location)));
}

TEST_CASE("scan report: all adds the clean dumps, first keeps the earliest") {
    ScanReportOptions all;
    all.all = true;
    CHECK(files_of(json_of(report_of(some_dumps(), all))["timeline"]) ==
          std::vector<std::string>{overflow_path(1, 0, 40), overflow_path(0, 1, 10), overflow_path(0, 1, 20)});
    all.first = 2;
    CHECK(json_of(report_of(some_dumps(), all))["timeline"].size() == 2);
    ScanReportOptions none;
    none.first = 0;
    const ordered_json report = json_of(report_of(some_dumps(), none));
    CHECK(report["timeline"].empty());
    CHECK(report["first"]["file"] == overflow_path(1, 0, 40));
    CHECK(report["groups"].size() == 3);  // of all dumps, whatever is shown of them
}

TEST_CASE("scan report: dumps that failed and folders that could not be read are failures") {
    Scan scan = scan_of(some_dumps());
    scan.failures.push_back({ErrorCode::permission_denied, "cannot read the folder", "run/secret", std::nullopt});
    scan.diagnostics.push_back({Severity::warning, "stopped_early", "stopped"});
    scan.complete = false;
    const ordered_json report = json_of(report_of(some_dumps(), scan));
    CHECK(report["failures"].dump() ==
          ordered_json::array(
              {{{"file", overflow_path(0, 1, 30)}, {"code", "empty_file"}, {"message", "the file is empty"}},
               {{"file", "run/secret"}, {"code", "permission_denied"}, {"message", "cannot read the folder"}}})
              .dump());
    CHECK(report["diagnostics"][0]["code"] == "stopped_early");
    CHECK(report["complete"] == false);
}

TEST_CASE("scan report: a damaged dump whose records are missing is a failure with its partial document kept out") {
    ScannedDump damaged = scanned_dump(overflow_path(0, 1, 5), 0);
    damaged.state = DumpState::failed;
    damaged.failure = Error{ErrorCode::payload_truncated, "the payload is cut", "", 40};
    const ordered_json report = json_of(report_of({damaged}));
    CHECK(report["first"].is_null());
    CHECK(report["timeline"].empty());
    CHECK(report["failures"][0]["file"] == overflow_path(0, 1, 5));
    CHECK(report["failures"][0]["message"] == "at byte 40: the payload is cut");
}

TEST_CASE("scan report: nothing found gives a report all the same") {
    const ordered_json report = json_of(report_of({}));
    CHECK(report["first"].is_null());
    for (const char* list : {"timeline", "groups", "failures", "diagnostics"}) {
        CHECK(report[list].dump() == "[]");
    }
}

TEST_CASE("scan report: one line where it is asked for") {
    ScanReportOptions options;
    options.report.one_line = true;
    const std::string text = written(report_of(some_dumps(), options), &ScanReport::write_json);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    CHECK(ordered_json::parse(text) == json_of(report_of(some_dumps())));
}

TEST_CASE("scan report: lines are a beginning, the timeline and a summary") {
    const ScanReport report = report_of(some_dumps());
    const ordered_json whole = json_of(report);
    std::vector<ordered_json> lines = lines_of(report);
    REQUIRE(lines.size() == 5);
    CHECK(keys_of(lines[0]) == Keys{"schema", "type", "generated_by", "inputs", "options", "merge"});
    CHECK(lines[0]["type"] == "begin");
    for (const std::size_t number : {1U, 2U}) {
        CHECK(lines[number]["item"]["state"] == "overflowed");
        lines[number].erase("item");
        CHECK(lines[number] == whole["timeline"][number - 1]);
    }
    CHECK(lines[3]["type"] == "dump");
    CHECK(lines[3]["item"]["code"] == "empty_file");
    CHECK(keys_of(lines[4]) == Keys{"schema", "type", "counts", "groups", "api", "failures", "diagnostics", "complete",
                                    "damage", "first_text", "merge"});
    CHECK(lines[4]["type"] == "summary");
    for (const char* key : {"counts", "groups", "api", "failures", "diagnostics", "complete"}) {
        CHECK(lines[4][key] == whole[key]);
    }
}

TEST_CASE("scan report: a sink that wants no more ends the output without an error") {
    std::vector<ScannedDump> dumps;
    for (unsigned i = 0; i < 200; ++i) {
        dumps.push_back(scanned_dump(overflow_path(i % 4, i / 4, i), 0x20));
    }
    const ScanReport report = report_of(dumps);
    for (const WriteReport write : {&ScanReport::write_json, &ScanReport::write_json_lines, &ScanReport::write_csv}) {
        int calls = 0;
        const auto error = (report.*write)([&calls](std::string_view) {
            ++calls;
            return false;
        });
        CHECK_FALSE(error);
        CHECK(calls == 1);
    }
    // And the output comes in pieces, not as one text.
    std::size_t largest = 0, all = 0;
    CHECK_FALSE(report.write_json([&](std::string_view piece) {
        largest = std::max(largest, piece.size());
        all += piece.size();
        return true;
    }));
    CHECK(largest < all / 2);
}

TEST_CASE("scan report: forms whose documents were not kept are refused, the others are whole") {
    ScanReportOptions options;
    options.keep_documents = false;
    const ScanReport all = report_of(some_dumps()), none = report_of(some_dumps(), options);
    const auto nowhere = [](std::string_view) { return true; };
    for (const auto& error : {none.write_json(nowhere), none.write_json_lines(nowhere), none.write_csv(nowhere)}) {
        REQUIRE(error);
        CHECK(error->code == ErrorCode::invalid_argument);
    }
    for (const WriteReport write : {&ScanReport::write_text, &ScanReport::write_html}) {
        CHECK(written(none, write) == written(all, write));
    }
}

TEST_CASE(
    "scan report: lines have the groups of the other form, however many and long, and whichever is written first") {
    std::vector<ScannedDump> dumps;
    for (unsigned i = 0; i < 300; ++i) {
        dumps.push_back(scanned_dump(overflow_path(i % 4, i / 4, i), 0x20));
        dumps.back().location.op.emplace();
        dumps.back().location.op->best.name = "op_" + std::to_string(i) + std::string(i == 7 ? 200'000 : 500, 'x');
    }
    const ScanReport lines_first = report_of(dumps), lines_last = report_of(dumps);
    const ordered_json early = lines_of(lines_first).back(), whole = json_of(lines_first);
    CHECK(json_of(lines_last) == whole);
    const ordered_json late = lines_of(lines_last).back();
    REQUIRE(whole["groups"].size() == 300);
    CHECK(early["groups"] == whole["groups"]);
    CHECK(late["groups"] == whole["groups"]);
    CHECK(early["diagnostics"] == whole["diagnostics"]);
    CHECK(late == early);
}

TEST_CASE("scan report: a temporary file that cannot be made is an error, not a shorter report") {
    const TemporaryDirectory folder;
    ScanReportOptions options;
    options.temporary_folder = folder / "none";
    ScanReport report(options);
    ScannedDump dump = scanned_dump(overflow_path(0, 0, 0), 0x20);
    // 17 MiB of evidence exceed what is kept in memory.
    dump.location.model.emplace();
    dump.location.model->evidence.push_back({EvidenceKind::ge_log, "log", 1, std::string(17U << 20U, 'x')});
    report.add(dump);
    const auto error = report.finish(scan_of({dump}));
    REQUIRE(error);
    CHECK(error->code == ErrorCode::write_failed);
    CHECK(report.write_json([](std::string_view) { return true; }));
}

TEST_CASE("scan report: the bytes do not depend on the order of add()") {
    std::vector<ScannedDump> dumps = some_dumps();
    for (unsigned i = 0; i < 40; ++i) {
        const std::string file = overflow_path(i % 3, i % 7, 50 + i % 5) + "." + std::to_string(i);
        dumps.push_back(i % 9 == 0 ? failed_dump(file, ErrorCode::not_a_dump, "text")
                                   : scanned_dump(file, i % 4 == 0 ? 0 : 0x20U << (i % 3)));
    }
    ScanReportOptions options;
    options.all = true;
    const Scan scan = scan_of(dumps);
    const auto bytes = [&] {
        const ScanReport report = report_of(dumps, scan, options);
        return written(report, &ScanReport::write_json) + written(report, &ScanReport::write_json_lines) +
               written(report, &ScanReport::write_csv);
    };
    const std::string expected = bytes();
    std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same test each time
    for (int round = 0; round < 10; ++round) {
        std::shuffle(dumps.begin(), dumps.end(), random);
        CHECK(bytes() == expected);
    }
}

TEST_CASE("scan report: of more than 1,000 chains the first are listed, and that is reported") {
    ScanReportOptions options;
    options.report.tensors = true;
    std::vector<ScannedDump> dumps;
    for (unsigned rank = 0; rank < 1000; ++rank) {
        dumps.push_back(scanned_dump(overflow_path(rank, 0, 10), 0x20));
    }
    const auto is_cut = [](const ordered_json& told) { return told.at("code") == "chains_cut"; };
    const ordered_json all = json_of(report_of(dumps, options));
    CHECK(all.at("chains").size() == 1000);
    CHECK(std::none_of(all.at("diagnostics").begin(), all.at("diagnostics").end(), is_cut));
    dumps.push_back(scanned_dump(overflow_path(1000, 0, 10), 0x20));
    const ordered_json some = json_of(report_of(dumps, options));
    CHECK(some.at("chains").size() == 1000);
    const auto told = std::find_if(some.at("diagnostics").begin(), some.at("diagnostics").end(), is_cut);
    REQUIRE(told != some.at("diagnostics").end());
    CHECK(told->at("severity") == "info");
    CHECK(told->at("message") == "the first 1000 of 1001 chains are listed");
}
