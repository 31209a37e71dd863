// Processes of one id that log into one folder at the same time, as containers on a shared home have them. A process
// has one file open in a folder: files that were written at the same time give a warning.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "joined_logs.hpp"
#include "logs/files/log_files.hpp"

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

/// The remark names the later file and the one that was still written; none: "".
std::string remark_on(const std::vector<std::string>& files) {
    const auto read = read_logs(files);
    REQUIRE(read.ok());
    CHECK(read->task_map->contents().processes.size() == 1);
    REQUIRE(read->diagnostics.size() <= 1);
    if (read->diagnostics.empty()) {
        return "";
    }
    CHECK(read->diagnostics[0].code == "process_id_shared");
    CHECK(read->diagnostics[0].severity == Severity::warning);
    return read->diagnostics[0].message.substr(0, read->diagnostics[0].message.find(". "));
}

std::string debug_file(Logs& logs, std::string_view time, LogText text) {
    return logs.add(fmt::format("debug/plog/plog-100_20260304{}.log", time), std::move(text));
}

LogText until(LogText text, std::int64_t end) {
    return text.at(end).ge("Run", "x");
}

}  // namespace

TEST_CASE("shared ids: files of one folder that were written at the same time are named, from logs and from maps") {
    Logs logs;
    const std::string first = debug_file(logs, "100000000", until(debug_log(0, "first/Mul", kFirstFolder), 600'000));
    const std::string second =
        debug_file(logs, "100003000", until(debug_log(3000, "second/Mul", kSecondFolder), 600'000));
    const std::string run = logs.add("run/plog/plog-100_20260304100000400.log", run_log(400, 600'000));
    const std::string both = second + " begins before the end of " + first;
    CHECK(remark_on({first, second, run}) == both);
    const std::string map = logs.save({first, second, run});
    CHECK(remark_on({map}) == both);
    CHECK(remark_on({map, first, second, run}) == both);
    CHECK(remark_on({first, run}) == "");
    CHECK(remark_on({second, run}) == "");
}

TEST_CASE("shared ids: the file that ends last is held against, however many began between") {
    Logs logs;
    const std::string longest = debug_file(logs, "100000000", until(debug_log(0, "net/Mul", kFirstFolder), 600'000));
    const std::string rotated = debug_file(logs, "101000000", run_log(600'000, 620'000));
    const std::string shorter = debug_file(logs, "100955500", run_log(595'500, 599'000));
    CHECK(remark_on({longest, rotated, shorter}) == "");
    const std::string inside = debug_file(logs, "100955000", run_log(595'000, 595'500));
    CHECK(remark_on({longest, rotated, shorter, inside}) == inside + " begins before the end of " + longest);
}

TEST_CASE("shared ids: rotated logs of one process have no remark, also where its older debug logs are gone") {
    Logs logs;
    const auto part = [&logs](std::string_view time, std::int64_t begin, std::int64_t end) {
        return debug_file(logs, time, until(LogText(100).at(begin).save_dump_task("net/Add", 21, 14), end));
    };
    const std::vector<std::string> files{
        part("100500000", 300'000, 400'000), part("100640000", 400'000, 500'000),
        part("100818000", 498'000, 600'000),  // its threads write a little out of order
        logs.add("run/plog/plog-100_20260304100000400.log", run_log(400, 600'000))};
    CHECK(remark_on(files) == "");
    const std::string map = logs.save(files);
    CHECK(remark_on({map}) == "");
    CHECK(remark_on({map, files[0], files[1], files[2], files[3]}) == "");
}

TEST_CASE("shared ids: a clock that was set back does not take the process apart") {
    Logs logs;
    const std::vector<std::string> files{
        debug_file(logs, "100000000", until(debug_log(0, "net/Mul", kFirstFolder).bind(3, 21), 600'000)),
        debug_file(logs, "100800000", until(LogText(100).at(480'000).save_dump_task("net/Add", 21, 14), 500'000))};
    CHECK(remark_on(files) == files[1] + " begins before the end of " + files[0]);
    CHECK(operator_in(files, dump_of({21, 13, 3}, 490'000)) == "net/Mul|-|-|exact");
}

TEST_CASE("shared ids: answers on two devices stay right, also where the older debug logs are gone") {
    Logs logs;
    const auto debug = [&logs](std::string_view time, std::int64_t begin, int device, std::string_view op) {
        const std::int64_t loaded = 3'600'000 + device * 60'000;
        LogText text = LogText(100).at(begin).ge("Run", "x").at(loaded).set_up_stream(21, device);
        text.at(loaded + 2).save_dump_task(op, 21, 13);
        return debug_file(logs, time, until(std::move(text), 5'400'000));
    };
    const auto run = [&logs](std::string_view time, std::int64_t begin, int device, std::string_view model) {
        LogText text = LogText(100).at(begin).ge("Run", "x").at(3'600'001 + device * 60'000).bind(3, 21, model);
        return logs.add(fmt::format("run/plog/plog-100_20260304{}.log", time), until(std::move(text), 5'400'000));
    };
    const std::vector<std::string> files{debug("105000000", 3'000'000, 0, "first/Mul"),
                                         debug("105500001", 3'300'000, 1, "second/Mul"),
                                         run("100000000", 0, 0, "first"), run("101000001", 600'000, 1, "second")};
    const auto answer_on = [&files](std::uint64_t device) {
        Dump dump = dump_of({21, 13, 3}, 4'800'000);
        dump.path_ids.device_id = device;
        const Location location = located_in(files, dump, true);
        return shown(location.op) + " of " + (location.model ? location.model->name.value_or("-") : "-");
    };
    CHECK(answer_on(0) == "first/Mul|-|-|exact of first");
    CHECK(answer_on(1) == "second/Mul|-|-|exact of second");
}

TEST_CASE("shared ids: what was taken from debug and run into one folder has no remark") {
    Logs logs;
    CHECK(remark_on({logs.add("plog-100_20260304100000000.log", until(debug_log(0, "net/Mul", kFirstFolder), 60'000)),
                     logs.add("plog-100_20260304100000400.log",
                              run_log(400, 60'000).save_dump_task("net/Add", 21, 14))}) == "");
}

TEST_CASE("shared ids: a forked process that also writes into its parent's file has no remark") {
    Logs logs;
    CHECK(remark_on({logs.add("debug/plog/plog-90_20260304100000000.log",
                              until(debug_log(0, "net/Mul", kFirstFolder), 60'000)),
                     debug_file(logs, "100010000", until(debug_log(10'000, "net/Add", kFirstFolder), 60'000))}) == "");
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
