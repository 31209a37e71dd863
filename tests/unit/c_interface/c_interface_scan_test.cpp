// A scan through the C interface: dump by dump, ended at any time, with the report of the C++ functions.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "build_paths.hpp"
#include "c_handles.hpp"
#include "demo_dump.hpp"
#include "dump_tree.hpp"
#include "json_schema.hpp"
#include "log_builder.hpp"
#include "overflow_tree.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

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

/// More dumps than wait for the caller.
void write_many(const TemporaryDirectory& folder, unsigned count) {
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    for (unsigned i = 0; i < count; ++i) {
        write_file(folder / dump_name(i), bytes);
    }
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

TEST_CASE("c interface scan: the report says what was wrong with the logs, as that of the program does") {
    const TemporaryDirectory folder, elsewhere;
    write_tree(folder);
    const std::string log = write_file(elsewhere / "plog.log", LogText(5100).save_dump_task("net/add", 563, 57).text());
    const std::string missing = elsewhere / "missing.log";
    const Logs logs = read_c_logs({log, missing});
    const RunningScan scan = start_c_scan({folder.path().string()}, logs.get());
    CHECK(documents_of(scan.get()).size() == 3);
    const nlohmann::json expected = {
        {"severity", "error"},
        {"code", "file_not_found"},
        {"message", missing + ": cannot find the log file or folder: No such file or directory"},
        {"message_zh", missing + "：没有该文件或目录"}};
    for (const std::string& text :
         {taken(opdebug_scan_report(scan.get(), nullptr)), taken(opdebug_scan_summary(scan.get(), nullptr))}) {
        const nlohmann::json diagnostics = nlohmann::json::parse(text)["diagnostics"];
        REQUIRE(diagnostics.size() == 2);
        CHECK(diagnostics[0] == expected);
        CHECK(diagnostics[1]["code"] == "first_uncertain");  // the damaged dump is earlier
    }
}

TEST_CASE("c interface scan: traces are used for ties, as in C++") {
    ApiRun run;
    run.add(0, 0, {born("Torch.exp.0.forward")});
    write_overflow(run.path(), {});
    run.add_file("rank0/trace_view.json", "[]");
    const std::string trace = run.path() + "/rank0/trace_view.json", missing = run.path() + "/none.json";
    const RunningScan scan =
        start_c_scan({run.path()}, nullptr, COptions().path("traces", trace).path("traces", missing).get());
    CHECK(documents_of(scan.get()).size() == 1);
    const auto report = nlohmann::json::parse(taken(opdebug_scan_report(scan.get(), nullptr)));
    ScanReportOptions options;
    options.ties.traces = {trace, missing};
    CHECK(report == nlohmann::json::parse(report_of({run.path()}, {}, options)));
    std::string codes;
    for (const auto& remark : report.at("api").at("diagnostics")) {
        codes += remark.at("code").get<std::string>() + " ";
    }
    CHECK(codes.find("trace_unread ") != std::string::npos);
    CHECK(codes.find("trace_unused ") != std::string::npos);
}

TEST_CASE("c interface scan: every dump in path order, as C++ gives them, then the end") {
    const TemporaryDirectory folder;
    write_tree(folder);
    const RunningScan scan = start_c_scan({folder.path().string()}, nullptr, COptions().number("threads", 3).get());
    const std::vector<std::string> documents = documents_of(scan.get());
    REQUIRE(documents.size() == 3);
    const std::string clean = folder / ("rank_0/" + dump_name(1));
    CHECK(documents[0] == taken(opdebug_decode_file(clean.c_str(), nullptr, nullptr, nullptr)));
    const std::string overflowed = folder / ("rank_0/" + dump_name(3));
    CHECK(documents[1] == taken(opdebug_decode_file(overflowed.c_str(), nullptr, nullptr, nullptr)));
    const auto damaged = nlohmann::json::parse(documents[2]);
    CHECK(damaged["file"] == folder / ("rank_1/" + dump_name(2)));
    CHECK(damaged["overflow"].is_null());
    CHECK(damaged["diagnostics"][0]["severity"] == "error");
    CHECK(documents_of(scan.get()).empty());  // and after the end
}

TEST_CASE("c interface scan: waiting tells when there is something to take") {
    const TemporaryDirectory folder;
    write_tree(folder);
    const RunningScan scan = start_c_scan({folder.path().string()});
    for (int i = 0; i < 4; ++i) {  // three dumps and the end
        int ready = 0;
        for (int tries = 0; tries < 600 && ready == 0; ++tries) {
            ready = opdebug_scan_wait(scan.get(), 100);
        }
        REQUIRE(ready == 1);
        taken(opdebug_scan_next(scan.get(), nullptr));
    }
    CHECK(opdebug_scan_wait(scan.get(), 0) == 1);
}

TEST_CASE("c interface scan: the report is that of C++") {
    const TemporaryDirectory folder;
    write_tree(folder);
    const std::vector<std::string> paths = {folder.path().string(), folder / "none"};
    ScanReportOptions options;
    CError error;
    const RunningScan plain = start_c_scan(paths, nullptr, COptions().flag("system_time_zone", false).get());
    CHECK(opdebug_scan_report(plain.get(), error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
    documents_of(plain.get());
    CHECK(taken(opdebug_scan_report(plain.get(), error.out())) == report_of(paths, {}, options));
    CHECK(error.code() == "none");

    ScanOptions measured;
    measured.tensors = options.report.tensors = true;
    options.report.language = Language::chinese;
    options.all = true;
    options.first = 1;
    COptions everything;
    everything.flag("system_time_zone", false).flag("tensors", true).flag("all", true);
    everything.text("language", "zh").number("first", 1).number("threads", 2);
    const RunningScan all = start_c_scan(paths, nullptr, everything.get());
    documents_of(all.get());
    CHECK(taken(opdebug_scan_report(all.get(), nullptr)) == report_of(paths, measured, options));
}

TEST_CASE("c interface scan: the summary is the last of the report's JSON lines") {
    const TemporaryDirectory folder;
    write_tree(folder);
    const std::string missing = folder / "none";
    const std::vector<std::string> paths = {folder.path().string(), missing};
    const RunningScan scan = start_c_scan(paths);
    CError error;
    CHECK(opdebug_scan_summary(scan.get(), error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
    documents_of(scan.get());
    const std::string text = taken(opdebug_scan_summary(scan.get(), error.out()));
    CHECK(error.code() == "none");
    CHECK(text.find('\n') == std::string::npos);
    const auto summary = nlohmann::ordered_json::parse(text);
    const auto report = nlohmann::ordered_json::parse(taken(opdebug_scan_report(scan.get(), nullptr)));
    CHECK(summary["type"] == "summary");
    for (const char* key : {"schema", "counts", "groups", "failures", "diagnostics", "complete"}) {
        CHECK(summary[key] == report[key]);
    }
    // The damaged dump first, then the path that is not there.
    REQUIRE(summary["failures"].size() == 2);
    CHECK(summary["failures"][0]["file"] == folder / ("rank_1/" + dump_name(2)));
    CHECK(summary["failures"][1]["file"] == missing);
    CHECK(summary["failures"][1]["code"] == "file_not_found");
    if (const auto verdict = schema_verdict("report-line", text + "\n")) {
        CHECK(*verdict == "1 valid\n");
    }
}

TEST_CASE("c interface scan: it may go on when the logs that it was started with are freed") {
    const std::string demo = std::string(source_folder) + "/testdata/demo";
    const std::string file = std::string(source_folder) + "/" + demo_dump_path;
    Logs logs = read_c_logs({demo + "/logs"});
    const std::string expected = taken(opdebug_decode_file(file.c_str(), logs.get(), nullptr, nullptr));
    const RunningScan scan = start_c_scan({file}, logs.get());
    logs.reset();
    CHECK(documents_of(scan.get()) == std::vector<std::string>{expected});
}

TEST_CASE("c interface scan: more dumps than can wait come whole and in order") {
    const TemporaryDirectory folder;
    write_many(folder, 300);
    const std::vector<std::string> documents = documents_of(start_c_scan({folder.path().string()}).get());
    REQUIRE(documents.size() == 300);
    std::vector<std::string> files;
    for (const std::string& document : documents) {
        files.push_back(nlohmann::json::parse(document)["file"]);
    }
    std::vector<std::string> expected;
    for (const ScannedDump& dump : scan_tree({folder.path().string()}).dumps) {
        expected.push_back(dump.file);
    }
    CHECK(files == expected);
}

TEST_CASE("c interface scan: it can be freed at once, in the middle, and while it waits for the caller") {
    const TemporaryDirectory folder;
    write_many(folder, 300);
    for (const int taken_before : {0, 1, 100}) {
        const RunningScan scan = start_c_scan({folder.path().string()});
        for (int i = 0; i < taken_before; ++i) {
            CHECK(taken(opdebug_scan_next(scan.get(), nullptr)) != "NULL");
        }
    }
    RunningScan full = start_c_scan({folder.path().string()});
    CHECK(opdebug_scan_wait(full.get(), 60'000) == 1);
    full.reset();
}

TEST_CASE("c interface scan: no dump is an end, no path an error") {
    const TemporaryDirectory folder;
    const RunningScan empty = start_c_scan({folder.path().string()});
    CHECK(documents_of(empty.get()).empty());
    const std::string report = taken(opdebug_scan_report(empty.get(), nullptr));
    CHECK(nlohmann::json::parse(report)["counts"]["dumps"] == 0);
    CError error;
    const std::string missing = folder / "none";
    const char* paths[] = {missing.c_str()};
    CHECK(opdebug_scan_start(paths, 1, nullptr, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "file_not_found");
    CHECK(error.file() == missing);
}
