// One rank's lines on the task are missing: what ranks on other devices say of a task of that number is not its.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr int overflow_ms = 30'000;

/// A process whose log goes on until the overflow and later.
LogText alive(LogText log) {
    log.at(overflow_ms + 10'000).ge("Run", "alive");
    return log;
}

/// A rank that tells its task: node "net/r<device>".
LogText whole_rank(int pid, int device) {
    LogText log(pid);
    log.at(1000).set_up_stream(21, device).bind(3, 21, "bert").save_dump_task(fmt::format("net/r{}", device), 21, 13);
    return alive(log);
}

/// A rank whose debug log is gone: its run log binds the stream.
LogText bound(int pid, int model = 3) {
    return LogText(pid).at(1000).bind(model, 21, "bert");
}

LogText& metrics(LogText& log, int device) {
    return log.at(1100).ge("Init", fmt::format("model_metrics:name=bert, alloc_dev_mem=4096 B, shared_dev_mem=0 B, "
                                               "device_id={}, rts_model_id=3",
                                               device));
}

LogText& reports(LogText& log, int device, int milliseconds) {
    return log.at(milliseconds)
        .runtime("ProcLogicCqReport",
                 fmt::format("CQE warning, device_id={}, stream_id=21, task_id=13, sqe_type=0(aicore), "
                             "errType=0x1(x), sqSwStatus=0x2f",
                             device),
                 "WARNING");
}

Dump dump_of_device(std::optional<std::uint64_t> device) {
    Dump dump = dump_of({21, 13, 3}, overflow_ms);
    dump.path_ids.device_id = device;
    return dump;
}

/// The answer for device 1, where process 20 is the one whose lines are missing.
Location with_rank_one(const LogText& rank, const Dump& dump = dump_of_device(1)) {
    return locate_in(task_map_of({whole_rank(10, 0).text(), rank.text(), whole_rank(30, 2).text()}), dump);
}

constexpr std::string_view others = "net/r0|-|-|exact; net/r2|-|-|exact";

}  // namespace

TEST_CASE("other devices: a rank that has the stream on the dump's device, but not its task, leaves no answer") {
    LogText rank(20);
    rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    const Location location = with_rank_one(alive(rank));
    CHECK(shown(location.op) == "none");
    CHECK(shown(location.model) == "bert|3|-|-");
    CHECK(proof_of_model(location).find("log1:2") != std::string::npos);
    CHECK(remarks_of(location) == "warning device_differs");
    const std::string reason = message_of(location, "device_differs");
    CHECK(reason.find("device 1, on which process 20 has stream 21 at that time (log1:2)") != std::string::npos);
    CHECK(reason.find("no line of it tells what task 13 was then") != std::string::npos);
    // The ranks whose lines are there answer as ever.
    CHECK(shown(with_rank_one(alive(rank), dump_of_device(0)).op) == "net/r0|-|-|exact");
    CHECK(shown(with_rank_one(alive(rank), dump_of_device(2)).op) == "net/r2|-|-|exact");
}

TEST_CASE("other devices: lines on the model tell the rank's device as well, and a set-up does where none is bound") {
    LogText rank = bound(20);
    CHECK(shown(with_rank_one(alive(metrics(rank, 1))).op) == "none");
    const auto unbound = [](int pid, int device) { return LogText(pid).at(1000).set_up_stream(21, device); };
    LogText tells = unbound(10, 0);
    tells.kernel_trace("net/Exp", 21, 13);
    const auto map = task_map_of({alive(tells).text(), alive(unbound(20, 1)).text()});
    CHECK(shown(locate_in(map, dump_of_device(1)).op) == "none");
    CHECK(shown(locate_in(map, dump_of_device(0)).op) == "net/Exp|-|-|exact");
}

TEST_CASE("other devices: a rank that reports this very overflow on the dump's device leaves none, and is told") {
    LogText rank(20);  // at level WARNING
    const auto answer = [](const LogText& of_rank) {
        LogText first = whole_rank(10, 0);
        return locate_in(task_map_of({reports(first, 0, overflow_ms).text(), of_rank.text()}), dump_of_device(1));
    };
    const Location location = answer(reports(rank, 1, overflow_ms + 1));
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location) == "info overflow_in_log, warning device_differs");
    CHECK(message_of(location, "overflow_in_log").find("(log1:1") != std::string::npos);
    LogText long_before(20);
    CHECK(shown(answer(reports(long_before, 1, overflow_ms - 11'000)).op) == "net/r0|-|-|exact");
}

TEST_CASE("other devices: without a line that shows it all stay candidates, for numbers of devices may differ") {
    LogText rank(20);
    SUBCASE("the stream was released before") {
        rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert").at(2000).unbind(3, 21, "bert").free_stream(21);
    }
    SUBCASE("it is set up later") {
        rank.at(overflow_ms + 5000).set_up_stream(21, 1).bind(3, 21, "bert");
    }
    SUBCASE("it has another stream on the device") {
        rank.at(1000).set_up_stream(22, 1).bind(3, 22, "bert");
    }
    SUBCASE("the stream is another model's, and theirs is the record's") {
        rank.at(1000).set_up_stream(21, 1).bind(4, 21, "bert");
    }
    SUBCASE("no line tells its device") {
        rank = bound(20);
    }
    SUBCASE("it works on several devices, and no line tells that of the stream") {
        rank = bound(20);
        metrics(metrics(rank, 1), 3);
    }
    SUBCASE("it sees another device under the number of the folder") {
        rank.at(100).runtime("ChgUserDevIdToDeviceId", "devId=0, drv devId=1, isDeviceSetResetOp=1");
        rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    }
    SUBCASE("it writes its dumps into another folder") {
        rank.at(500).ge("SetDumpOptions", "Get dump path /data/dump/20260304100700/ successfully");
        rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    }
    CHECK(candidates_of(with_rank_one(alive(rank))) == others);
    CHECK(remarks_of(with_rank_one(alive(rank))) == "warning device_differs");
}

TEST_CASE("other devices: a rank of an earlier run, or a dump in no folder of a device, shows nothing") {
    LogText earlier(20), rank(20);
    earlier.at(500).set_up_stream(21, 1).bind(3, 21, "bert");  // killed before the others began
    CHECK(candidates_of(with_rank_one(earlier)) == others);
    rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    CHECK(candidates_of(with_rank_one(alive(rank), dump_of_device(std::nullopt))) == others);
}

TEST_CASE("other devices: a process whose device no line tells may be the dump's, and answers") {
    LogText unknown(40), rank(20);
    unknown.at(1000).bind(3, 21, "bert").save_dump_task("net/unknown", 21, 13);
    rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    const auto map = task_map_of({whole_rank(10, 0).text(), alive(rank).text(), alive(unknown).text()});
    CHECK(shown(locate_in(map, dump_of_device(1)).op) == "net/unknown|-|-|exact");
    CHECK(candidates_of(locate_in(map, dump_of_device(1))).empty());
}

TEST_CASE("other devices: the log of the dump's device answers for the rank") {
    LogText rank(20), device(7);
    rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    device.at(1500).device("Load", "[stream id:21, task id:13, context id:65535] op name[net/r1], op type[Mul]");
    const auto map = map_of_files({{"log/debug/plog/plog-10_1.log", whole_rank(10, 0).text()},
                                   {"log/debug/plog/plog-20_1.log", alive(rank).text()},
                                   {"log/debug/device-1/device-20_1.log", device.text()}});
    const Location location = locate_in(map, dump_of_device(1));
    CHECK(shown(location.op) == "net/r1|Mul|-|exact");
    CHECK(location.op->candidates.empty());
    // That of another device is not taken, either; one remark says all.
    const auto of_another = map_of_files({{"log/debug/plog/plog-10_1.log", whole_rank(10, 0).text()},
                                          {"log/debug/plog/plog-20_1.log", alive(rank).text()},
                                          {"log/debug/device-0/device-10_1.log", device.text()}});
    CHECK(shown(locate_in(of_another, dump_of_device(1)).op) == "none");
    CHECK(remarks_of(locate_in(of_another, dump_of_device(1))) == "warning device_differs");
}

// Each container numbers its devices anew: the folder of driver device 4 may say 0, and no line tells it.
TEST_CASE("other devices: of another container the process of the folder's device has to report the overflow") {
    LogText first(20), says_folder = whole_rank(10, 4), reports_it = whole_rank(10, 4), reported(20);
    first.at(1000).set_up_stream(21, 0).bind(3, 21, "bert");
    says_folder.at(2000).ge("SetDumpOptions", "Get dump path /data/dump/20260304100002/ successfully");
    reports(reports_it, 4, overflow_ms + 5);
    reported.at(1000).set_up_stream(21, 0).bind(3, 21, "bert");
    reports(reported, 0, overflow_ms + 5);
    const auto answer = [](const LogText& of_folders_device, const LogText& other, std::string_view root) {
        Dump dump = dump_of_device(0);
        dump.path_ids.time = "20260304100002";
        return locate_in(map_of_files({{"c1/debug/plog/plog-20_1.log", alive(of_folders_device).text()},
                                       {fmt::format("{}/debug/plog/plog-10_1.log", root), other.text()}}),
                         dump);
    };
    for (const LogText& other : {whole_rank(10, 4), says_folder, reports_it}) {
        CHECK(shown(answer(first, other, "c2").op) == "net/r4|-|-|exact");
        CHECK(remarks_of(answer(first, other, "c2")).find("device_differs") != std::string::npos);
    }
    // Where that one reports it: who says that the dump is its own stays, others do not.
    CHECK(shown(answer(reported, whole_rank(10, 4), "c2").op) == "none");
    CHECK(shown(answer(reported, says_folder, "c2").op) == "net/r4|-|-|exact");
    CHECK(shown(answer(reported, reports_it, "c2").op) == "net/r4|-|-|exact");
    // Ranks of one container share the second of their folders, and overflow together.
    for (const LogText& other : {whole_rank(10, 4), says_folder, reports_it}) {
        CHECK(shown(answer(first, other, "c1").op) == "none");
    }
}
