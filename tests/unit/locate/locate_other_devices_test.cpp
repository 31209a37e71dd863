// Devices whose numbers no line has, or that a process numbers in its own way.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "made_up_map.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

constexpr int overflow_ms = 30'000;

/// A process whose log goes on until the overflow and later.
LogText alive(LogText log) {
    log.at(overflow_ms + 10'000).ge("Run", "alive");
    return log;
}

/// A rank that shows its task: node "net/r<device>".
LogText whole_rank(int pid, int device) {
    LogText log(pid);
    log.at(1000).set_up_stream(21, device).bind(3, 21, "bert").save_dump_task(fmt::format("net/r{}", device), 21, 13);
    return alive(log);
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

constexpr std::string_view others = "net/r0|-|-|type; net/r2|-|-|type";

}  // namespace

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
    // That of another device is not used, either; one remark states all.
    const auto of_another = map_of_files({{"log/debug/plog/plog-10_1.log", whole_rank(10, 0).text()},
                                          {"log/debug/plog/plog-20_1.log", alive(rank).text()},
                                          {"log/debug/device-0/device-10_1.log", device.text()}});
    CHECK(shown(locate_in(of_another, dump_of_device(1)).op) == "none");
}

TEST_CASE("other devices: where a process works on the dump's device, lines of others are of other dumps") {
    LogText rank(20);
    rank.at(1000).set_up_stream(22, 1);
    check_located(with_rank_one(alive(rank)), {.op = "none", .said = {"uses_excluded", "device contradicts"}});
    CHECK(shown(with_rank_one(alive(rank), dump_of_device(0)).op) == "net/r0|-|-|exact");
    CHECK(candidates_of(with_rank_one(alive(rank), dump_of_device(std::nullopt))) == others);
}

namespace {

constexpr int begin_ms = 100;

LogText& sees(LogText& log, int user_device, int device) {
    return log.at(begin_ms).runtime("ChgUserDevIdToDeviceId",
                                    fmt::format("devId={}, drv devId={}, isDeviceSetResetOp=1", user_device, device));
}

/// The line of the run log, for a list with these devices.
LogText& may_use(LogText& log, std::string_view devices, int count) {
    return log.at(begin_ms).runtime("GetVisibleDevices",
                                    fmt::format("real deviceCnt:8 userDeviceCnt:{} isSetVisibleDev:1 "
                                                "ASCEND_RT_VISIBLE_DEVICES:[{}] available visible devices:[{}]",
                                                count, devices, devices));
}

LogText& launch(LogText& log, int device, std::string_view kernel) {
    return log.at(1000).runtime_2021("KernelTaskEventLogProc",
                                     fmt::format("device_id={}, stream_id=5, task_id=7, kernel_name={}, devfunc_name = "
                                                 "te_x task_type=AiCoreKernel, task_launched_num=1",
                                                 device, kernel));
}

Dump dump_on_visible_device(std::uint64_t device) {
    Dump dump = dump_of({5, 7}, 3000);
    dump.path_ids.device_id = device;
    return dump;
}

}  // namespace

TEST_CASE("visible devices: the process that sees its device under the folder's number answers") {
    LogText on_two(10), on_three(20);
    launch(sees(on_two, 0, 2), 2, "0_1_OnTwo");
    launch(sees(on_three, 1, 3), 3, "0_1_OnThree");
    const auto map = task_map_of({on_two.text(), on_three.text()});
    const Location first = locate_in(map, dump_on_visible_device(0));
    CHECK(shown(first.op) == "OnTwo|-|0_1_OnTwo|kernel");
    CHECK(first.op->candidates.empty());
    CHECK(remarks_of(first) == "info device_renumbered");
    CHECK(contains(message_of(first, "device_renumbered"), "device 0, and the log lines name device 2. "));
    CHECK(contains(message_of(first, "device_renumbered"), "(log0:1)"));
    CHECK(shown(locate_in(map, dump_on_visible_device(1)).op) == "OnThree|-|0_1_OnThree|kernel");
}

TEST_CASE("visible devices: one who has the folder's number by the driver, but under another of its own, does not") {
    LogText on_one(10), on_two(20);
    launch(sees(on_one, 0, 1), 1, "0_1_OnOne");  // ASCEND_RT_VISIBLE_DEVICES=1,2: its device 1 is the driver's 2
    launch(sees(on_two, 1, 2), 2, "0_1_OnTwo");
    const auto map = task_map_of({on_one.text(), on_two.text()});
    const Location location = locate_in(map, dump_on_visible_device(1));
    CHECK(shown(location.op) == "OnTwo|-|0_1_OnTwo|kernel");
    CHECK(location.op->candidates.empty());
}

TEST_CASE("visible devices: ranks that each see their device as 0 are candidates, none is taken for the one") {
    LogText on_zero(10), on_one(20);
    launch(may_use(on_zero, "0", 1), 0, "0_1_OnZero");
    launch(may_use(on_one, "1", 1), 1, "0_1_OnOne");
    check_located(locate_in(task_map_of({on_zero.text(), on_one.text()}), dump_on_visible_device(0)),
                  {.candidates = "OnZero|-|0_1_OnZero|kernel; OnOne|-|0_1_OnOne|kernel"});
}

TEST_CASE("visible devices: a number that no line shows is the driver's, unless a lower one is another already") {
    LogText equal(10), list_only(20);
    launch(sees(equal, 0, 0), 1, "0_1_OnOne");
    CHECK(remarks_of(locate_in(task_map_of(equal), dump_on_visible_device(1))).empty());
    launch(may_use(list_only, "0,1", 2), 1, "0_1_OnOne");
    CHECK(remarks_of(locate_in(task_map_of(list_only), dump_on_visible_device(1))).empty());
    LogText other(30);
    launch(sees(other, 0, 1), 1, "0_1_OnOne");
    CHECK(remarks_of(locate_in(task_map_of(other), dump_on_visible_device(1))) == "warning uses_excluded");
}

TEST_CASE("visible devices: GE's number on a line is the process's own") {
    LogText log;
    sees(log, 0, 3).at(200).set_up_stream(5, 3);
    log.at(900).ge("SaveOpExceptionInfo",
                   "[Save][OpExceptionInfo] op[net/Exp] dev_id: 0, stream_id: 5, task_id: 7, context_id: 4294967295, "
                   "thread_id: 4294967295, args: 0x1, args_size: 8, tiling_key: 0, is_host_args:0.");
    launch(log, 3, "0_1_net/Exp");
    const Location location = locate_in(task_map_of(log), dump_on_visible_device(0));
    CHECK(shown(location.op) == "net/Exp|-|0_1_net/Exp|exact");
    CHECK(location.op->candidates.empty());
}

TEST_CASE("visible devices: a fact of a saved map that lacks one of the numbers shows nothing") {
    MadeUpFact device(logs::FactKind::visible_device, begin_ms, "toy.device", logs::LogKind::runtime_log);
    MadeUpFact launched(logs::FactKind::kernel_of_task, 1000, "toy.launch", logs::LogKind::runtime_log);
    launched.task(5, 7).fact.kernel_name = "0_1_OnFive";
    launched.fact.device_id = device.fact.device_id = 5;
    CHECK(remarks_of(locate_in(map_of({device, launched}), dump_on_visible_device(0))) == "warning device_differs");
    device.fact.user_device_id = 0;
    CHECK(remarks_of(locate_in(map_of({device, launched}), dump_on_visible_device(0))) == "info device_renumbered");
}
