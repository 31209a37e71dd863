// `opdebug doctor` of logs and saved maps.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "doctor_findings.hpp"
#include "packed_text.hpp"
#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

TEST_CASE("doctor: logs") {
    const TemporaryDirectory directory;
    const std::string root = directory / "log";
    LogText info;
    info.at(0).set_up_stream(563).at(10).bind(514, 563, "tiny").at(20).save_dump_task("net/mul_1", 563, 57);
    LogText quiet;
    quiet.at(0).ge("Run", "something failed", "ERROR");
    const std::string plog = "/plog/plog-5100_20260304180000000.log";
    write_file(root + "/run" + plog, info.text());
    CHECK(findings_of(examine_paths({root})) == listed({"error debug_folder_missing", "error no_info_lines"}));
    // The run log has INFO lines whatever the level is.
    write_file(root + "/debug" + plog, quiet.text());
    CHECK(findings_of(examine_paths({root})) == listed({"error no_info_lines", "info device_logs_missing"}));
    write_file(root + "/debug" + plog, info.text());
    CHECK(findings_of(examine_paths({root})) == listed({"info device_logs_missing"}));
    for (int i = 1; i < 10; ++i) {
        write_file(root + "/debug/plog/plog-5100_2026030418000000" + std::to_string(i) + ".log", info.text());
    }
    fs::create_directories(root + "/debug/device-0");
    CHECK(findings_of(examine_paths({root})) == listed({"warning logs_reached_rotation"}));
    fs::remove_all(root + "/run");
    CHECK(findings_of(examine_paths({root})) ==
          listed({"warning logs_reached_rotation", "warning run_folder_missing"}));
}

TEST_CASE("doctor: a log that cannot be read is not one without lines") {
    const TemporaryDirectory directory;
    const std::string plog = directory / "log/debug/plog/plog-5100_2026030418000000";
    LogText quiet;
    quiet.at(0).ge("Run", "something failed", "ERROR");
    write_file(plog + "0.log", quiet.text());
    write_file(plog + "1.log.gz", std::string("\x1f\x8b\x08", 3));
    const ProcessResult run = examine_paths({directory / "log"});
    CHECK(contains(findings_of(run), "error log_unreadable"));
    CHECK(contains(run.out, "1 log file examined; 1 more cannot be read; levels found: "));
}

TEST_CASE("doctor: a packed log that is cut is damaged, not unreadable") {
    const TemporaryDirectory directory;
    LogText text;
    for (int task = 0; task < 2000; ++task) {
        text.at(task).save_dump_task("net/mul_" + std::to_string(task * 7919), 563, task);
    }
    const std::string packed = gzip_of(text.text());
    const std::string log = write_file(directory / "plog-1_2.log.gz", packed.substr(0, packed.size() / 2));
    const ProcessResult run = examine_paths({log});
    CHECK(findings_of(run) == listed({"error log_damaged"}));
    CHECK(contains(run.out, "This log is damaged: the gzip data ends too early"));
    CHECK_FALSE(contains(run.out, "cannot be read"));
}

TEST_CASE("doctor: saved maps") {
    const TemporaryDirectory directory;
    LogText text;
    text.at(0).set_up_stream(563).at(10).bind(514, 563, "tiny").at(20).save_dump_task("net/mul_1", 563, 57);
    const std::string log = write_file(directory / "plog-5100_20260304180000000.log", text.text());
    const std::string map = directory / "tasks.map";
    REQUIRE(run_tool({"index", log, "-o", map}).exit_status == 0);
    const ProcessResult sound = examine_paths({map});
    CHECK(findings_of(sound) == listed({"info map_read"}));
    CHECK(document_of(sound).at("counts").at("logs") == 1);
    const std::string bytes = read_file(map);
    const ProcessResult damaged = examine_paths({write_file(directory / "cut.map", bytes.substr(0, bytes.size() - 9))});
    CHECK(findings_of(damaged) == listed({"error map_unusable"}));
    CHECK(contains(damaged.out, "the log index is damaged"));
    CHECK(damaged.exit_status == 1);

    LogText quiet;
    quiet.at(0).ge("Run", "something failed", "ERROR");
    const std::string errors = write_file(directory / "plog-5101_20260304180000000.log", quiet.text());
    REQUIRE(run_tool({"index", errors, "-o", map}).exit_status == 0);
    CHECK(findings_of(examine_paths({map})) == listed({"info map_read", "error no_info_lines"}));
}

TEST_CASE("doctor: logs of another time than the dumps") {
    const TemporaryDirectory directory;
    const std::string dump = directory / "rank_0/Net/0/3/", log = directory / "plog-5100_20260304180000000.log";
    LogText text;
    text.at(0).set_up_stream(563).at(10'000).save_dump_task("net/mul_1", 563, 57);
    write_file(log, text.text());
    write_file(dump + dump_name(57), legacy());
    CHECK(findings_of(examine_paths({directory / "rank_0", log})).empty());
    fs::remove_all(directory / "rank_0");
    write_file(dump + dump_name(57, dump_us + 3 * std::uint64_t{86'400'000'000}), legacy());
    CHECK(contains(findings_of(examine_paths({directory / "rank_0", log})), "warning logs_do_not_cover_dumps"));
}
