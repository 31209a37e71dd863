// Saved maps of several hosts, whose log folders are called alike and whose process ids are equal: they answer as the
// logs of each host do.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "joined_logs.hpp"
#include "logs/facts/task_map.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* kFirst = "debug/plog/plog-100_20260304100000000.log";
constexpr const char* kSecond = "debug/plog/plog-100_20260304100003000.log";
constexpr std::string_view kFirstFolder = "20260304100001", kSecondFolder = "20260304100004";

/// Each task is another operator's on another host.
LogText log_of(std::int64_t begin, std::string_view op, std::string_view folder, std::int64_t end) {
    return LogText(100)
        .at(begin)
        .ge("SetDumpOptions", fmt::format("Get dump path /data/dump/{}/ successfully", folder))
        .at(begin + 100)
        .set_up_stream(21)
        .bind(3, 21)
        .at(begin + 500)
        .save_dump_task(op, 21, 13)
        .at(end)
        .ge("Run", "x");
}

LogText further_log(std::int64_t begin, std::string_view op) {
    return LogText(100).at(begin).save_dump_task(op, 21, 14).at(begin + 60'000).ge("Run", "x");
}

Dump dump_in(std::string_view folder, const RecordIds& ids = {21, 13, 3}) {
    Dump dump = dump_of(ids, 100'000);
    dump.path_ids.time = folder;
    dump.path_ids.device_id = 0;
    return dump;
}

ReadLogs read(const std::vector<std::string>& paths) {
    auto logs = read_logs(paths);
    REQUIRE(logs.ok());
    return *std::move(logs);
}

std::size_t processes_in(const std::vector<std::string>& paths) {
    return read(paths).task_map->contents().processes.size();
}

std::string remarks_on_reading(const std::vector<std::string>& paths) {
    std::string codes;
    for (const Diagnostic& remark : read(paths).diagnostics) {
        codes += (codes.empty() ? "" : " ") + remark.code;
    }
    return codes;
}

/// A map of the first minute of each of two hosts, and one of the plog that goes on each.
struct MapsOfTwoHosts {
    std::string first, second, later_first, later_second;
};
MapsOfTwoHosts maps_of_two_hosts(Logs& logs) {
    return {logs.save({logs.add(kFirst, log_of(0, "first/Mul", kFirstFolder, 60'000))}),
            logs.save({logs.add(kSecond, log_of(3000, "second/Mul", kSecondFolder, 61'000))}),
            logs.save({logs.add("debug/plog/plog-100_20260304100100002.log", further_log(60'002, "first/Add"))}),
            logs.save({logs.add("debug/plog/plog-100_20260304100101001.log", further_log(61'001, "second/Add"))})};
}

}  // namespace

TEST_CASE("joined ids: files of one folder that were written at the same time are two hosts'") {
    Logs logs;
    const std::string first = logs.save({logs.add(kFirst, log_of(0, "first/Mul", kFirstFolder, 600'000))});
    const std::string second = logs.save({logs.add(kSecond, log_of(3000, "second/Mul", kSecondFolder, 600'000))});
    const std::string both = logs.save({first, second});
    for (const std::vector<std::string>& paths :
         {std::vector{first, second}, std::vector{both}, std::vector{both, second}, std::vector{first, both}}) {
        CHECK(operator_in(paths, dump_in(kFirstFolder)) == "first/Mul|-|-|exact");
        CHECK(operator_in(paths, dump_in(kSecondFolder)) == "second/Mul|-|-|exact");
        CHECK(processes_in(paths) == 2);
        CHECK(remarks_on_reading(paths).empty());
    }
    CHECK(candidates_of(located_in({first, second}, dump_of({21, 13, 3}, 100'000), true)) ==
          "first/Mul|-|-|type; second/Mul|-|-|type");
}

TEST_CASE("joined ids: files of one name that begin at different times are two hosts'") {
    Logs logs;
    const std::string first = logs.save({logs.add(kFirst, log_of(0, "first/Mul", kFirstFolder, 600'000))});
    const std::string second = logs.save({logs.add(kFirst, log_of(1, "second/Mul", kSecondFolder, 600'000))});
    CHECK(operator_in({first, second}, dump_in(kFirstFolder)) == "first/Mul|-|-|exact");
    CHECK(operator_in({first, second}, dump_in(kSecondFolder)) == "second/Mul|-|-|exact");
}

TEST_CASE("joined ids: a log that was saved and then went on is one") {
    Logs logs;
    const std::string log = logs.add(kFirst, log_of(0, "net/Mul", kFirstFolder, 60'000));
    const std::string begin = logs.save({log});
    logs.add(kFirst, log_of(0, "net/Mul", kFirstFolder, 60'000).at(600'000).ge("Run", "x"));
    const std::string whole = logs.save({log});
    CHECK(processes_in({begin, log}) == 1);
    CHECK(processes_in({begin, whole}) == 1);
    CHECK(operator_in({begin, whole}, dump_in(kFirstFolder)) == "net/Mul|-|-|exact");
}

TEST_CASE("joined ids: maps of debug and run logs, and of every second file, are one process's") {
    Logs logs;
    const std::string debug = logs.save({logs.add(kFirst, log_of(0, "net/Mul", kFirstFolder, 600'000))});
    const std::string run = logs.save({logs.add("run/plog/plog-100_20260304100003000.log",
                                                LogText(100).at(3000).bind(3, 21, "bert").at(600'000).ge("Run", "x"))});
    CHECK(processes_in({debug, run}) == 1);
    std::vector<std::string> files;
    for (const int number : {0, 1, 2, 3}) {
        files.push_back(logs.add(fmt::format("debug/plog/plog-100_2026030410{:02}00000.log", number),
                                 further_log(number * 60'000, "net/Add")));
    }
    const std::string even = logs.save({files[0], files[2]}), odd = logs.save({files[1], files[3]});
    CHECK(processes_in({even, odd}) == 1);
    CHECK(remarks_on_reading({even, odd}).empty());
}

TEST_CASE("joined ids: maps of further hours are each of the host whose files they follow") {
    Logs logs;
    const auto [first, second, later_first, later_second] = maps_of_two_hosts(logs);
    const std::vector<std::string> all{first, second, later_first, later_second};
    CHECK(operator_in(all, dump_in(kFirstFolder, {21, 14})) == "first/Add|-|-|exact");
    CHECK(operator_in(all, dump_in(kSecondFolder, {21, 14})) == "second/Add|-|-|exact");
    CHECK(processes_in(all) == 2);
    CHECK(remarks_on_reading(all) == "process_id_shared");  // it is inferred
}

TEST_CASE("joined ids: processes of one map are different ones, each goes on the one that its files follow") {
    Logs logs;
    const auto [first, second, later_first, later_second] = maps_of_two_hosts(logs);
    for (const std::string& later : {logs.save({later_first, later_second}), logs.save({later_second, later_first})}) {
        CHECK(operator_in({first, second, later}, dump_in(kFirstFolder, {21, 14})) == "first/Add|-|-|exact");
        CHECK(operator_in({first, second, later}, dump_in(kSecondFolder, {21, 14})) == "second/Add|-|-|exact");
        CHECK(processes_in({first, second, later}) == 2);
        CHECK(processes_in({first, later}) == 2);  // not both go on it
        CHECK(operator_in({first, later}, dump_in(kFirstFolder, {21, 14})) == "first/Add|-|-|type");
    }
}
