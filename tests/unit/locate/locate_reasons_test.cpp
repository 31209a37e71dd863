// Why no operator was found, and what a task is that is none.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// A log that has INFO lines of both modules, one task of a model and one single execution.
LogText ordinary_log() {
    LogText log;
    log.at(0).set_up_stream(21).bind(3, 21, "toy_net").save_dump_task("net/Exp", 21, 118);
    log.at(1000).launch_2023(2, 6, "2_0_11_A");
    return log;
}

}  // namespace

TEST_CASE("reason: without logs and operator dumps it says which logs to give") {
    const Location location = locate(dump_of({21, 118, 3}, 5000), {});
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location) == "warning no_logs");
    CHECK(message_of(location, "no_logs").find("ASCEND_GLOBAL_LOG_LEVEL=1") != std::string::npos);
    CHECK(message_of(location, "no_logs").find("stream 21 task 118") != std::string::npos);
    CHECK(shown(location.model) == "-|3|-|-");
}

TEST_CASE("reason: the log begins after the overflow") {
    LogText log;
    log.at(600'000).set_up_stream(21).bind(3, 21).save_dump_task("late", 21, 118).at(900'000).ge("Run", "noise");
    Dump dump = dump_of({21, 118, 3}, 5000);
    const Location location = locate_in(task_map_of(log), dump);
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location) == "warning task_set_up_later");
    CHECK(message_of(location, "task_set_up_later").find("2026-03-04 10:10:00") != std::string::npos);
}

TEST_CASE("reason: only lines of level ERROR were logged") {
    LogText log;
    log.at(0).runtime("Other", "something failed", "ERROR").at(9000).ge("Other", "something failed", "ERROR");
    const Location location = locate_in(task_map_of(log), dump_of({21, 118, 3}, 5000));
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location) == "warning logs_without_info");
    CHECK(message_of(location, "logs_without_info").find("ASCEND_GLOBAL_LOG_LEVEL=1") != std::string::npos);
}

TEST_CASE("reason: ids of 65535 or 4294967295 are not set and are not looked up") {
    LogText log;
    log.at(0).launch_2023(65535, 6, "2_0_11_A").launch_2023(2, 65535, "2_0_11_B");
    const auto map = task_map_of(log);
    for (const RecordIds& ids : {RecordIds{65535, 6}, RecordIds{2, 65535}, RecordIds{4294967295, 4294967295}}) {
        const Location location = locate_in(map, dump_of(ids, 5000));
        CHECK(shown(location.op) == "none");
        CHECK(remarks_of(location) == "warning ids_not_set");
    }
}

TEST_CASE("reason: the end-of-graph task is not an operator") {
    LogText log = ordinary_log();
    log.ge("Distribute", "EndGraphTaskInfo Distribute Success, task id is 64, stream id is 21, stream: 0x10.");
    const Location location = locate_in(task_map_of(log), dump_of({21, 64, 3}, 5000));
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location) == "warning end_of_graph_task");
    CHECK(message_of(location, "end_of_graph_task").find("log0:5") != std::string::npos);
}

TEST_CASE("reason: the end-of-graph task is told from its announcement to the AICPU as well") {
    for (const char* text : {"Add end_graph_info to aicpu, model_name is toy_net, task_id is 64, stream_id is 21",
                             "Add end_graph_info to aicpu, task_id is 64, stream_id is 21",
                             "add end_graph_info to aicpu, task_id is 64, stream_id is 21"}) {
        LogText log = ordinary_log();
        log.ge("SetEndGraphIdToAicpu", text);
        const Location location = locate_in(task_map_of(log), dump_of({21, 64, 3}, 5000));
        CHECK_MESSAGE(remarks_of(location) == "warning end_of_graph_task", text);
    }
}

TEST_CASE("reason: the overflow-debug task is not an operator") {
    LogText of_runtime = ordinary_log(), of_ge = ordinary_log(), updated = ordinary_log(), of_om2 = ordinary_log();
    of_runtime.runtime("DebugRegister", "model_id=3, flag=3, streamId=21, taskId=2");
    of_ge.ge("SetOpDebugIdToAicpu", "add op_debug_info to aicpu, task_id is 2, stream_id is 21.");
    updated.ge("UpdateOpMappingInfo", "update op_debug_info to aicpu, task_id is 2, stream_id is 21.");
    of_om2.ge("RegisterModel", "Set overflow debug info: task_id=2, stream_id=21, addr=0x10");
    for (const LogText& log : {of_runtime, of_ge, updated, of_om2}) {
        const Location location = locate_in(task_map_of(log), dump_of({21, 2, 3}, 5000));
        CHECK(shown(location.op) == "none");
        CHECK(remarks_of(location) == "warning debug_task");
    }
}

TEST_CASE("time: a dump without time is looked up all the same, with a warning") {
    const auto map = task_map_of(ordinary_log());
    const Location of_model = locate_in(map, dump_of({21, 118, 3}, std::nullopt));
    CHECK(shown(of_model.op) == "net/Exp|-|-|exact");
    CHECK(remarks_of(of_model) == "warning time_unknown");
    CHECK(shown(locate_in(map, dump_of({2, 6}, std::nullopt)).op) == "A|-|2_0_11_A|kernel");
}

TEST_CASE("time: a dump without time has every use of its ids as candidate") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A").at(60'000).launch_2023(2, 6, "2_0_11_B");
    const Location location = locate_in(task_map_of(log), dump_of({2, 6}, std::nullopt));
    CHECK(candidates_of(location) == "A|-|2_0_11_A|kernel; B|-|2_0_11_B|kernel");
}

TEST_CASE("time: days away from the log only tasks of models are looked up, with a warning") {
    const auto map = task_map_of(ordinary_log());
    constexpr std::int64_t three_days = 3 * 86'400'000;
    for (const std::int64_t away : {three_days, -three_days}) {
        const Location of_model = locate_in(map, dump_of({21, 118, 3}, away));
        CHECK(shown(of_model.op) == "net/Exp|-|-|exact");
        CHECK(remarks_of(of_model) == "warning time_outside_logs");
        const Location single = locate_in(map, dump_of({2, 6}, away));
        CHECK(shown(single.op) == "none");
        CHECK(remarks_of(single).starts_with("warning time_outside_logs, warning task_not_in_logs"));
    }
}

TEST_CASE("time: the warning names the dump's and the log's times") {
    const auto map = task_map_of(ordinary_log());
    const std::string message = message_of(locate_in(map, dump_of({2, 6}, 3 * 86'400'000)), "time_outside_logs");
    CHECK(message.find("2026-03-07 10:00:00") != std::string::npos);
    CHECK(message.find("2026-03-04 10:00:00") != std::string::npos);
    CHECK(message.find("2026-03-04 10:00:01") != std::string::npos);
}
