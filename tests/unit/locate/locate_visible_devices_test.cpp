// ASCEND_RT_VISIBLE_DEVICES: a process numbers the devices that it may use from 0 on. The folders of its dumps and the
// lines of GE have its own numbers, the lines of the runtime the driver's.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "made_up_map.hpp"

using namespace opdebug;
using namespace opdebug::test;

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
    CHECK(message_of(first, "device_renumbered").find("device 0, and the log lines name device 2. ") !=
          std::string::npos);
    CHECK(message_of(first, "device_renumbered").find("(log0:1)") != std::string::npos);
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
    const Location location = locate_in(task_map_of({on_zero.text(), on_one.text()}), dump_on_visible_device(0));
    CHECK(candidates_of(location) == "OnZero|-|0_1_OnZero|kernel; OnOne|-|0_1_OnOne|kernel");
}

TEST_CASE("visible devices: a number that no line tells is the driver's, unless a lower one is another already") {
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

TEST_CASE("visible devices: a fact of a saved map that lacks one of the numbers tells nothing") {
    MadeUpFact device(logs::FactKind::visible_device, begin_ms, "toy.device", logs::LogKind::runtime_log);
    MadeUpFact launched(logs::FactKind::kernel_of_task, 1000, "toy.launch", logs::LogKind::runtime_log);
    launched.task(5, 7).fact.kernel_name = "0_1_OnFive";
    launched.fact.device_id = device.fact.device_id = 5;
    CHECK(remarks_of(locate_in(map_of({device, launched}), dump_on_visible_device(0))) == "warning device_differs");
    device.fact.user_device_id = 0;
    CHECK(remarks_of(locate_in(map_of({device, launched}), dump_on_visible_device(0))) == "info device_renumbered");
}
