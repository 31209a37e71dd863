// Which uses of a record's ids are possible, in logs of several processes, runs and times: tables of logs → operators.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "joined_logs.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t kSecondMs = 1000, kMinuteMs = 60 * kSecondMs;

/// "first" where the operator is the best answer, "listed" where it is another candidate, "alone" where it is the only
/// one, else "no".
std::string place_of(const Location& location, const std::string& name) {
    if (!location.op) {
        return "no";
    }
    const auto is_it = [&name](const OperatorAnswer& answer) { return answer.name == name || answer.kernel == name; };
    const auto& candidates = location.op->candidates;
    if (is_it(location.op->best)) {
        return candidates.empty() ? "alone" : "first";
    }
    return std::any_of(candidates.begin(), candidates.end(), is_it) ? "listed" : "no";
}

LogText run_of(int pid, int device, std::int64_t begin, std::int64_t end, const std::string& op) {
    LogText log(pid);
    log.at(begin).ge("Run", "alive").at(begin + kSecondMs).set_up_stream(3, device).bind(0, 3, "net");
    log.save_dump_task(op, 3, 5).at(end).ge("Run", "alive");
    return log;
}

Dump dump_on(std::uint64_t device, std::int64_t time) {
    Dump dump = dump_of({3, 5, 0}, time);
    dump.path_ids.device_id = device;
    return dump;
}

}  // namespace

TEST_CASE("candidates: of two hosts with equal devices both stay, unless the dump's path names one") {
    for (const std::string name : {"node", "host-"}) {
        CAPTURE(name);
        const auto map = map_of_files({{name + "0/plog/plog-100_1.log", run_of(100, 0, 0, kMinuteMs, "a/op").text()},
                                       {name + "1/plog/plog-100_1.log", run_of(100, 0, 0, kMinuteMs, "b/op").text()}});
        Dump dump = dump_on(0, 30 * kSecondMs);
        const Location both = locate_in(map, dump);
        CHECK(place_of(both, "a/op") != "no");
        CHECK(place_of(both, "b/op") != "no");
        dump.file = "dumps/" + name + "1/0/Opdebug.Node_OpDebug.5.3.1";
        LocateOptions options;
        options.task_map = map;
        options.utc_offset_minutes = 0;
        options.use_op_dumps = false;
        CHECK(place_of(locate(dump, options), "b/op") == "alone");
    }
}

TEST_CASE("candidates: logs of another host alone give no exact operator") {
    struct Row {
        std::string logs, dumps;
        bool exact;
    };
    for (const Row& row : {Row{"node0", "node1", false},
                           {"host-A", "host-B", false},
                           {"node1", "node1", true},
                           {"data1", "data2", true}}) {
        CAPTURE(row.logs);
        LocateOptions options;
        options.task_map =
            map_of_files({{row.logs + "/plog/plog-100_1.log", run_of(100, 0, 0, kMinuteMs, "a/op").text()}});
        options.utc_offset_minutes = 0;
        options.use_op_dumps = false;
        Dump dump = dump_on(0, 30 * kSecondMs);
        dump.file = "dumps/" + row.dumps + "/0/Opdebug.Node_OpDebug.5.3.1";
        const Location location = locate(dump, options);
        REQUIRE(location.op);
        CHECK((location.op->best.confidence == Confidence::exact) == row.exact);
        CHECK((remarks_of(location).find("host_differs") == std::string::npos) == row.exact);
    }
}

TEST_CASE("candidates: of two hosts whose saved maps have equal folders neither takes the other's stream") {
    Logs logs;
    const std::string first =
        logs.save({logs.add("debug/plog/plog-100_20260304100000000.log", run_of(100, 0, 0, kMinuteMs, "a/op"))});
    const std::string second = logs.save(
        {logs.add("debug/plog/plog-100_20260304100010000.log", run_of(100, 0, 10 * kSecondMs, kMinuteMs, "b/op"))});
    const Location both = located_in({first, second}, dump_on(0, 30 * kSecondMs), true);
    CHECK(place_of(both, "a/op") != "no");
    CHECK(place_of(both, "b/op") != "no");
}

TEST_CASE("candidates: a line is of the device that its thread's lines around name, whoever else has the stream open") {
    LogText log;  // thread 7 works on device 0, and its set-up is lost
    log.at(0).thread(6).set_up_stream(3, 1).thread(8).set_up_stream(3, 2);
    log.at(1000).thread(7).save_dump_task("b/op", 3, 6).at(9000).free_stream(3);
    Dump dump = dump_of({3, 6}, 3000);
    dump.path_ids.device_id = 1;
    CHECK(place_of(locate_in(task_map_of(log), dump), "b/op") == "no");
    dump.path_ids.device_id = 0;
    CHECK(place_of(locate_in(task_map_of(log), dump), "b/op") == "alone");
}

TEST_CASE("candidates: the uses of the ids are listed with the row that decided each") {
    const auto map =
        task_map_of({run_of(100, 0, 0, kMinuteMs, "a/op").text(), run_of(200, 1, 0, kMinuteMs, "b/op").text()});
    const std::vector<ComparedUse> uses = locate_in(map, dump_on(0, 30 * kSecondMs)).uses;
    REQUIRE(uses.size() == 2);
    CHECK(uses[0].process == 100);
    CHECK(uses[0].name == "a/op");
    CHECK(uses[0].is_possible);
    CHECK(uses[1].process == 200);
    CHECK(uses[1].row == "device");
    CHECK_FALSE(uses[1].is_possible);
}

TEST_CASE("candidates: dumps of a scan tell how far clocks differ") {
    // The device's clock is 3 s after. Each model is there for a second.
    constexpr std::int64_t behind = -3000;
    LogText log;
    std::vector<WantedDump> dumps;
    for (int i = 0; i < 6; ++i) {
        const std::int64_t begin = 10'000 * (i + 1);
        log.at(begin).set_up_stream(3, 0).bind(i, 3, "net").save_dump_task("op" + std::to_string(i), 3, 5);
        log.at(begin + 1000).unbind(i, 3, "net").free_stream(3);
        WantedDump dump;
        dump.stream_id = 3;
        dump.task_id = 5;
        dump.timestamp_us = static_cast<std::uint64_t>(log_time_us(begin + 2 + behind));
        dumps.push_back(dump);
    }
    LocateOptions options;
    options.task_map = task_map_of(log);
    options.utc_offset_minutes = 0;
    const Dump dump = dump_of({3, 5}, 30'000 + 2 + behind);
    const Location alone = locate(dump, options);
    CHECK(place_of(alone, "op2") == "alone");
    CHECK(remarks_of(alone) == "warning clocks_unclear");
    std::reverse(dumps.begin(), dumps.end());  // their order changes nothing
    options.clocks = estimate_clocks(dumps, options);
    const Location together = locate(dump, options);
    CHECK(place_of(together, "op2") == "alone");
    CHECK(remarks_of(together) == "info clocks_unclear");
}
