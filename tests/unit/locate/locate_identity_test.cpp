// Whose ids they are: lines read twice, devices and containers that use the same numbers, ids that other tasks took
// over.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

LogText& launch_on(LogText& log, int device, int stream, int task, std::string_view kernel) {
    return log.runtime_2021("KernelTaskEventLogProc",
                            fmt::format("device_id={}, stream_id={}, task_id={}, kernel_name={}, devfunc_name = te_x "
                                        "task_type=AiCoreKernel, task_launched_num=1",
                                        device, stream, task, kernel));
}

}  // namespace

TEST_CASE("identity: a log that is read twice says the same as once") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_Gather").kernel_trace("net/Gather", 2, 6);
    const Location twice =
        locate_in(map_of_files({{"a/plog.log", log.text()}, {"b/plog.log", log.text()}}), dump_of({2, 6}, 1500));
    CHECK(shown(twice.op) == shown(locate_in(task_map_of(log), dump_of({2, 6}, 1500)).op));
    CHECK(shown(twice.op) == "net/Gather|-|2_0_11_Gather|exact");
}

TEST_CASE("identity: a line without a device speaks of the device on which its thread set the stream up") {
    LogText log;
    log.at(0).thread(1).set_up_stream(21, 0).bind(3, 21, "net_a").save_dump_task("a/Add", 21, 6);
    log.at(1000).thread(2).set_up_stream(21, 1).bind(3, 21, "net_b").save_dump_task("b/Mul", 21, 6);
    const auto map = task_map_of(log);
    Dump dump = dump_of({21, 6, 3}, 5000);
    dump.path_ids.device_id = 0;
    const Location first = locate_in(map, dump);
    check_located(first, {.op = "a/Add|-|-|exact", .model = "net_a|3|-|-"});
    dump.path_ids.device_id = 1;
    check_located(locate_in(map, dump), {.op = "b/Mul|-|-|exact", .model = "net_b|3|-|-"});
    CHECK(remarks_of(first).empty());
    dump.path_ids.device_id.reset();
    CHECK(candidates_of(locate_in(map, dump)) == "a/Add|-|-|type; b/Mul|-|-|type");
}

TEST_CASE("identity: lines of another device alone are reported with a warning") {
    LogText log;
    launch_on(log.at(1000), 3, 5, 7, "0_1_OnThree");
    Dump dump = dump_of({5, 7}, 3000);
    dump.path_ids.device_id = 1;
    CHECK(contains(message_of(locate_in(task_map_of(log), dump), "device_differs"), "device 3"));
}

TEST_CASE("identity: debug and run of one root, or of copies where only one tells of tasks, are one process") {
    LogText debug, run;
    debug.at(1000).save_dump_task("net/Exp", 21, 118);
    run.at(500).bind(3, 21, "toy_net");
    for (const char* run_file : {"root/run/plog/plog-5100_1.log", "elsewhere/plog-5100_1.log"}) {
        const auto map = map_of_files({{"root/debug/plog/plog-5100_1.log", debug.text()}, {run_file, run.text()}});
        const Location location = locate_in(map, dump_of({21, 118, 3}, 3000));
        CHECK_MESSAGE(shown(location.op) == "net/Exp|-|-|exact", run_file);
        CHECK_MESSAGE(shown(location.model) == "toy_net|3|-|-", run_file);
    }
}

TEST_CASE("identity: ids that a memory copy took over no longer mean the kernel before") {
    LogText log;
    log.at(1000).launch(5, 0, "Add_high_performance_1").sent(5, 7).at(9000).sent(5, 7, 5);
    check_located(locate_in(task_map_of(log), dump_of({5, 7}, 19'500)),
                  {.op = "none", .said = {"other_task", "type 5"}});
}

TEST_CASE("identity: mixed and FFTS+ kernels are kernels") {
    for (const int type : {51, 52, 108, 109}) {
        LogText log;
        log.at(1000).launch(5, 0, "Attention_0123456789abcdef0123456789abcdef_1_mix_aic").sent(5, 7, type);
        const Location location = locate_in(task_map_of(log), dump_of({5, 7}, 1500));
        REQUIRE(location.op.has_value());
        CHECK_MESSAGE(location.op->best.type == "Attention", type);
    }
}

TEST_CASE("identity: a model line after GE's line does not hide the operator") {
    LogText log;
    log.at(1000).save_dump_task("net/Exp", 5, 7);
    log.at(1001).runtime_2021("ModelGetTaskId", "model_id=3, get stream_id=5 task_id=7");
    CHECK(shown(locate_in(task_map_of(log), dump_of({5, 7, 3}, 3000)).op) == "net/Exp|-|-|exact");
}

TEST_CASE("identity: operator and model come from the same process") {
    LogText wrong(50), right(60);
    wrong.at(1000)
        .bind(4, 5, "wrong_net")
        .ge("DistributeTask", "EndGraphTaskInfo Distribute Success, task id is 7, stream id is 5, stream: 0x1.");
    right.at(1000).bind(3, 5, "right_net").save_dump_task("right/op", 5, 7);
    const Location location = locate_in(task_map_of({wrong.text(), right.text()}), dump_of({5, 7}, 3000));
    check_located(location, {.op = "right/op|-|-|exact", .model = "right_net|3|-|-"});
    CHECK(message_of(location, "end_of_graph_task").empty());
}

TEST_CASE("identity: a further dump in the file is looked up at its own time") {
    LogText log;
    log.at(1000).launch_2023(5, 7, "2_0_11_Early").at(50'000).launch_2023(5, 7, "2_0_11_Late");
    Dump dump = dump_of({5, 7}, 2000);
    dump.payloads.front().records.front().overflow = false;
    DecodedPayload further = dump_of({5, 7}, 2000).payloads.front();
    further.appended = true;
    further.timestamp_us = static_cast<std::uint64_t>(log_time_us(51'000));
    dump.payloads.push_back(further);
    CHECK(shown(locate_in(task_map_of(log), dump).op) == "Late|-|2_0_11_Late|kernel");
}
