// Processes of one id that log into one folder at the same time, as containers on a shared home have them. A process
// has one file open in a folder, so the times of the files tell them apart.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "joined_logs.hpp"
#include "logs/files/log_name.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::string_view kFirstFolder = "20260304100001", kSecondFolder = "20260304100004";

/// A process that loads a model, of which each task is another operator's on another host.
LogText debug_log(std::int64_t begin, std::string_view op, std::string_view folder) {
    return LogText(100)
        .at(begin)
        .ge("SetDumpOptions", fmt::format("Get dump path /data/dump/{}/ successfully", folder))
        .at(begin + 100)
        .set_up_stream(21)
        .at(begin + 500)
        .save_dump_task(op, 21, 13);
}

LogText run_log(std::int64_t begin, std::int64_t end) {
    return LogText(100).at(begin).bind(3, 21, "bert").at(end).ge("Run", "x");
}

Dump dump_in(std::string_view folder, const RecordIds& ids = {21, 13, 3}) {
    Dump dump = dump_of(ids, 100'000);
    dump.path_ids.time = folder;
    dump.path_ids.device_id = 0;
    return dump;
}

std::size_t processes_in(const std::vector<std::string>& files) {
    const auto read = read_logs(files);
    REQUIRE(read.ok());
    return read->task_map->contents().processes.size();
}

std::vector<std::string> logs_of_two(Logs& logs, std::int64_t last) {
    return {logs.add("debug/plog/plog-100_20260304100000000.log",
                     debug_log(0, "first/Mul", kFirstFolder).at(last).ge("Run", "x")),
            logs.add("debug/plog/plog-100_20260304100003000.log",
                     debug_log(3000, "second/Mul", kSecondFolder).at(3000 + last).ge("Run", "x")),
            logs.add("run/plog/plog-100_20260304100000400.log", run_log(400, 600'000)),
            logs.add("run/plog/plog-100_20260304100003400.log", run_log(3400, 600'000))};
}

}  // namespace

TEST_CASE("shared ids: the folder of the dump tells which of the processes it is of") {
    for (const std::int64_t last : {600'000, 1000}) {  // the debug logs of both tell of the loading alone, or go on
        CAPTURE(last);
        Logs logs;
        const std::vector<std::string> files = logs_of_two(logs, last);
        const std::vector<std::string> map{logs.save(files)};
        const std::vector<std::string> map_and_logs{map[0], files[0], files[1], files[2], files[3]};
        for (const auto& read : {files, map, map_and_logs}) {
            CHECK(operator_in(read, dump_in(kFirstFolder)) == "first/Mul|-|-|exact");
            CHECK(operator_in(read, dump_in(kSecondFolder)) == "second/Mul|-|-|exact");
        }
        CHECK(processes_in(map_and_logs) == 2);
    }
}

TEST_CASE("shared ids: where nothing tells it, both are candidates, and a remark names the files") {
    Logs logs;
    const std::vector<std::string> files = logs_of_two(logs, 600'000);
    CHECK(candidates_of(located_in(files, dump_of({21, 13, 3}, 300'000), true)) ==
          "first/Mul|-|-|exact; second/Mul|-|-|exact");
    const auto read = read_logs(files);
    REQUIRE(read.ok());
    REQUIRE(read->diagnostics.size() == 1);
    CHECK(read->diagnostics[0].code == "process_id_shared");
    CHECK(read->diagnostics[0].message.find(files[3] + " was written while " + files[2]) != std::string::npos);
}

TEST_CASE("shared ids: files that are full at the same time go on each for its own process") {
    Logs logs;
    const auto further = [](std::int64_t begin, std::string_view op) {
        return LogText(100).at(begin).save_dump_task(op, 21, 14).at(begin + 60'000).ge("Run", "x");
    };
    const std::vector<std::string> files{
        logs.add("debug/plog/plog-100_20260304100000000.log",
                 debug_log(0, "first/Mul", kFirstFolder).at(60'000).ge("Run", "x")),
        logs.add("debug/plog/plog-100_20260304100003000.log",
                 debug_log(3000, "second/Mul", kSecondFolder).at(61'000).ge("Run", "x")),
        logs.add("debug/plog/plog-100_20260304100100002.log", further(60'002, "first/Add")),
        logs.add("debug/plog/plog-100_20260304100101001.log", further(61'001, "second/Add"))};
    CHECK(operator_in(files, dump_in(kFirstFolder, {21, 14})) == "first/Add|-|-|exact");
    CHECK(operator_in(files, dump_in(kSecondFolder, {21, 14})) == "second/Add|-|-|exact");
    CHECK(processes_in(files) == 2);
}

TEST_CASE("shared ids: a log that goes on is one process's, also where its threads write a little out of order") {
    Logs logs;
    CHECK(processes_in({logs.add("debug/plog/plog-100_20260304100000000.log",
                                 debug_log(0, "net/Mul", kFirstFolder).at(60'000).ge("Run", "x")),
                        logs.add("debug/plog/plog-100_20260304100058000.log",
                                 debug_log(58'000, "net/Add", kFirstFolder).at(90'000).ge("Run", "x"))}) == 1);
}

TEST_CASE("shared ids: what was taken from debug and run into one folder is one process's") {
    Logs logs;
    CHECK(processes_in({logs.add("plog-100_20260304100000000.log",
                                 debug_log(0, "net/Mul", kFirstFolder).at(60'000).ge("Run", "x")),
                        logs.add("plog-100_20260304100000400.log",
                                 run_log(400, 60'000).save_dump_task("net/Add", 21, 14))}) == 1);
}

TEST_CASE("shared ids: a forked process that also writes into its parent's file is one process") {
    Logs logs;
    CHECK(processes_in({logs.add("debug/plog/plog-90_20260304100000000.log",
                                 debug_log(0, "net/Mul", kFirstFolder).at(60'000).ge("Run", "x")),
                        logs.add("debug/plog/plog-100_20260304100010000.log",
                                 debug_log(10'000, "net/Add", kFirstFolder).at(60'000).ge("Run", "x"))}) == 1);
}

TEST_CASE("shared ids: one of which no line tells of tasks is not told apart") {
    Logs logs;
    CHECK(processes_in({logs.add("debug/plog/plog-100_20260304100000000.log",
                                 debug_log(0, "net/Mul", kFirstFolder).at(60'000).ge("Run", "x")),
                        logs.add("debug/plog/plog-100_20260304100010000.log",
                                 LogText(100).at(10'000).ge("Run", "x").at(50'000).ge("Run", "x"))}) == 1);
}

TEST_CASE("shared ids: which paths tell the process that wrote the log") {
    using logs::process_of_log_path;
    CHECK(process_of_log_path("/root/ascend/log/debug/plog/plog-100_20260304100000000.log") == 100);
    CHECK(process_of_log_path("run/plog/plog-100_20260304100000000.log.gz") == 100);
    CHECK(process_of_log_path("log/run/device-app-7/device-app-7_20260304100000000.log") == 7);
    CHECK(process_of_log_path("log/plog/plog-100_20260304100000000.log") == std::nullopt);
    CHECK(process_of_log_path("plog-100_20260304100000000.log") == std::nullopt);
    CHECK(process_of_log_path("debug/plog/plog-100_1.log") == std::nullopt);
    CHECK(process_of_log_path("debug/plog/plog_20260304100000000.log") == std::nullopt);
    CHECK(process_of_log_path("debug/plog/100_20260304100000000.log") == std::nullopt);
    CHECK(process_of_log_path("debug/plog/rank-x_20260304100000000.log") == std::nullopt);
    CHECK(process_of_log_path("debug/plog/") == std::nullopt);
    CHECK(process_of_log_path("") == std::nullopt);
}
