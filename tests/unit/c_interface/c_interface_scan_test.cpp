// The C interface: reports of scans, tensors and merges.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "build_paths.hpp"
#include "c_handles.hpp"
#include "dump_tree.hpp"
#include "log_builder.hpp"
#include "overflow_tree.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

std::string dump_name(unsigned second) {
    return "Opdebug.Node_OpDebug.57.563." + std::to_string(1'772'618'400'000'000 + second * 1'000'000ULL);
}

/// An overflow, a clean dump and a damaged one in two folders.
void write_tree(const TemporaryDirectory& folder) {
    write_file(folder / ("rank_0/" + dump_name(3)), build_overflow_dump(ai_core_example(32)));
    write_file(folder / ("rank_0/" + dump_name(1)), build_overflow_dump(ai_core_example(0)));
    write_file(folder / ("rank_1/" + dump_name(2)), std::string_view("damaged"));
}

std::string report_of(const std::vector<std::string>& paths, const ScanOptions& scanning,
                      const ScanReportOptions& options) {
    ScanReport report(options);
    const Result<Scan> scanned = scan(paths, scanning, [&report](ScannedDump&& dump) { report.add(dump); });
    REQUIRE(scanned);
    REQUIRE(!report.finish(*scanned));
    std::string text;
    CHECK(!report.write_json([&text](std::string_view piece) {
        text += piece;
        return true;
    }));
    return text;
}

}  // namespace

TEST_CASE("c interface scan: the report lists unreadable logs, as that of the program does") {
    const TemporaryDirectory folder, elsewhere;
    write_tree(folder);
    const std::string log = write_file(elsewhere / "plog.log", LogText(5100).save_dump_task("net/add", 563, 57).text());
    const std::string missing = elsewhere / "missing.log";
    const Logs logs = read_c_logs({log, missing});
    const auto diagnostics = nlohmann::json::parse(c_scan({folder.path().string()}, logs.get()))["diagnostics"];
    REQUIRE(diagnostics.size() == 2);
    CHECK(diagnostics[0] == nlohmann::json{{"severity", "error"},
                                           {"code", "file_not_found"},
                                           {"message", missing + ": cannot find the log file or folder: "
                                                                 "No such file or directory"},
                                           {"message_zh", missing + "：没有该文件或目录"}});
    CHECK(diagnostics[1]["code"] == "first_uncertain");  // the damaged dump is earlier
}

TEST_CASE("c interface scan: traces are used for ties, as in C++") {
    ApiRun run;
    run.add(0, 0, {born("Torch.exp.0.forward")});
    write_overflow(run.path(), {});
    run.add_file("rank0/trace_view.json", "[]");
    const std::string trace = run.path() + "/rank0/trace_view.json", missing = run.path() + "/none.json";
    const std::string report =
        c_scan({run.path()}, nullptr, COptions().set("traces", trace).set("traces", missing).get());
    ScanReportOptions options;
    options.ties.traces = {trace, missing};
    CHECK(nlohmann::json::parse(report) == nlohmann::json::parse(report_of({run.path()}, {}, options)));
    CHECK(contains(report, "\"trace_unread\""));
    CHECK(contains(report, "\"trace_unused\""));
}

TEST_CASE("c interface scan: the report is that of C++") {
    const TemporaryDirectory folder;
    write_tree(folder);
    const std::vector<std::string> paths = {folder.path().string(), folder / "none"};
    ScanReportOptions options;
    CHECK(c_scan(paths, nullptr, COptions().set("system_time_zone", "0").get()) == report_of(paths, {}, options));
    ScanOptions measured;
    measured.tensors = options.report.tensors = true;
    options.report.language = Language::chinese;
    options.all = true;
    options.first = 1;
    COptions everything;
    everything.set("system_time_zone", "0").set("tensors", "1").set("all", "1");
    everything.set("language", "zh").set("first", "1").set("threads", "2");
    CHECK(c_scan(paths, nullptr, everything.get()) == report_of(paths, measured, options));
}

TEST_CASE("c interface scan: a folder without dumps has a report, a missing path is an error") {
    const TemporaryDirectory folder;
    CHECK(nlohmann::json::parse(c_scan({folder.path().string()}))["counts"]["dumps"] == 0);
    CError error;
    const std::string missing = folder / "none";
    const char* paths[] = {missing.c_str()};
    CHECK(opdebug_scan(paths, 1, nullptr, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "file_not_found");
    CHECK(error.file() == missing);
}

namespace {

int stop_reporting(void*) {
    return 1;
}

}  // namespace

TEST_CASE("c interface reports: the tensors of an operator's dump") {
    const TemporaryDirectory folder;
    MadeUpOverflow overflow;
    overflow.outputs = {half_tensor({half_one, half_inf})};
    write_overflow(folder.path().string(), overflow);
    const std::string file = op_dump_file(folder.path().string(), overflow);
    const std::string text = taken(opdebug_measure_op_dump(file.c_str(), nullptr, nullptr, nullptr, nullptr));
    CHECK(text.find('\n') == std::string::npos);
    const auto document = nlohmann::json::parse(text);
    CHECK(document["schema"] == "opdebug.tensors/1");
    REQUIRE(document["tensors"].size() == 1);
    CHECK(document["tensors"][0]["pos_inf"] == 1);
    CHECK(document["tensors"][0]["max"] == 1.0);
    CError error;
    CHECK(opdebug_measure_op_dump(nullptr, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "path is NULL; a value was expected");
    CHECK(opdebug_measure_op_dump("", nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message().find("path is empty;") == 0);
    CHECK(opdebug_measure_op_dump(file.c_str(), nullptr, stop_reporting, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
}

TEST_CASE("c interface reports: what is missing") {
    const std::string demo = std::string(source_folder) + "/testdata/demo";
    const char* paths[] = {demo.c_str()};
    CError error;
    const auto document = nlohmann::json::parse(taken(opdebug_examine(paths, 1, nullptr, nullptr, nullptr, nullptr)));
    CHECK(document["schema"] == "opdebug.doctor/1");
    CHECK(document["environment_examined"] == false);
    CHECK(document["counts"]["dumps"] == 1);
    CHECK(document["counts"]["logs"] == 2);
    CHECK(opdebug_examine(paths, 1, nullptr, stop_reporting, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
    CHECK(opdebug_examine(paths, 0, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "no path was given: count is 0");
}

TEST_CASE("c interface reports: reports that cannot be merged") {
    const TemporaryDirectory folder;
    const std::string report = write_file(folder / "no-report.jsonl", std::string_view("no report\n"));
    const char* paths[] = {report.c_str(), ""};
    CError error;
    CHECK(opdebug_merge_reports(paths, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
    CHECK(opdebug_merge_reports(paths, 2, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message().find("paths[1] is empty") == 0);
}
