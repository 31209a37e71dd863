// The operator of a model's task, from host and device logs. Rules: docs/internals/logs.md, "Joining".
#include <string>

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

/// A model on stream 21 with three operators, of which task 118 is an exponential.
LogText model_log(int pid = 5100, std::string_view op = "net/softmax/Exp", int model = 3) {
    LogText log(pid);
    log.at(0).set_up_stream(21).at(10).bind(model, 21, "toy_net");
    log.at(20).save_dump_task("net/softmax/Sub", 21, 117).at(30).save_dump_task(op, 21, 118);
    log.at(31).save_dump_task("net/softmax/Sum", 21, 119);
    return log;
}

/// What the device states about the task: the whole map at load time, then the dump itself.
std::string device_log(std::string_view op = "net/softmax/Exp") {
    LogText log(990);
    log.at(40).device("PreProcessOpMappingInfo",
                      "[stream id:21, task id:118, context id:65535] op name[" + std::string(op) + "], op type[Exp]");
    log.at(5000).device("DumpOpInfo",
                        "start to dump op info, stream id=21, task id=118, context id=65535, thread "
                        "id=65535, op name=" +
                            std::string(op));
    return log.text();
}

/// GE's line on an FFTS+ task, which means all its contexts.
constexpr const char* whole_task =
    "FftsPlusTaskInfo Distribute Success, node_name:[part/ffts_call], subgraph_name:[part_graph] stream_id:21, "
    "task_id:40.";

}  // namespace

TEST_CASE("locate: launch and device lines add kernel, type and their proof") {
    LogText log = model_log();
    log.at(50).launch(21, 0, "Exp_0123456789abcdef0123456789abcdef_high_performance_7").sent(21, 118);
    check_located(
        locate_in(task_map_of({log.text(), device_log()}), dump_of({21, 118, 3}, 5000)),
        {.op = "net/softmax/Exp|Exp|Exp_0123456789abcdef0123456789abcdef_high_performance_7|exact",
         .remarks = "",
         .proof = "ge_log log0:4, device_log log1:1, device_log log1:2, runtime_log log0:6, runtime_log log0:7"});
}

TEST_CASE("locate: device lines that name another operator are remarked, the host's is kept") {
    const auto map = task_map_of({model_log().text(), device_log("net/other/Exp")});
    check_located(locate_in(map, dump_of({21, 118, 3}, 6000)), {.op = "net/softmax/Exp|-|-|exact",
                                                                .remarks = "warning sources_disagree",
                                                                .said = {"sources_disagree", "net/other/Exp"}});
}

TEST_CASE("locate: GE's unloading of its model ends what the task meant, though no line unbinds the stream") {
    LogText log;
    log.at(0).set_up_stream(21).bind(3, 21).save_dump_task("op", 21, 118);
    log.ge("InitRuntimeResource", "Logical stream index: 0, rtstream: 21, model: 1, stream flag: 0.");
    log.at(1000).ge("UnloadModel", "UnLoad model success, model id:1.").at(60'000).ge("Run", "noise");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({21, 118, 3}, 999)).op) == "op|-|-|exact");
    CHECK(remarks_of(locate_in(map, dump_of({21, 118, 3}, 30'000))) == "warning stream_closed");
}

TEST_CASE("locate: a stream that the host log closed is not revived by the device log") {
    LogText log = model_log();
    log.at(4000).unbind(3, 21).free_stream(21);
    CHECK(shown(locate_in(task_map_of({log.text(), device_log()}), dump_of({21, 118, 3}, 30'000)).op) == "none");
}

TEST_CASE("locate: lines about the graph compiler's streams on device 64 name no operator") {
    LogText log;
    log.at(0).set_up_stream(21, 64).bind(9, 21).save_dump_task("compiled", 21, 118);
    log.at(100).unbind(9, 21).free_stream(21);
    log.at(200).set_up_stream(21, 0).bind(3, 21).save_dump_task("executed", 21, 118);
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({21, 118, 3}, 5000)).op) == "executed|-|-|exact");
    CHECK(shown(locate_in(map, dump_of({21, 118, 3}, 50)).op) != "compiled|-|-|exact");
}

TEST_CASE("locate: FFTS+, the device's line on the record's context counts more than GE's on the whole task") {
    LogText log, device(990);
    log.at(0).bind(3, 21).ge("Distribute", whole_task);
    for (unsigned context : {0U, 1U}) {
        device.at(10).device("DumpOpInfo",
                             "start to dump op info, stream id=21, task id=40, context id=" + std::to_string(context) +
                                 ", thread id=0, op name=part/op" + std::to_string(context));
    }
    const auto map = task_map_of({log.text(), device.text()});
    const auto located = [&map](std::optional<std::uint64_t> context) {
        const std::optional<std::uint64_t> thread = context ? std::optional<std::uint64_t>(0) : std::nullopt;
        const Location location = locate_in(map, dump_of({21, 40, 3, context, thread}, 5000));
        CHECK(candidates_of(location).empty());
        CHECK_FALSE(contains(remarks_of(location), "sources_disagree"));
        return shown(location.op);
    };
    CHECK(located(1) == "part/op1|-|-|exact");
    CHECK(located(7) == "part/ffts_call|-|-|type");  // one of its contexts, which no line names
    CHECK(remarks_of(locate_in(map, dump_of({21, 40, 3, 7, 0}, 5000))) == "warning context_unnamed");
    CHECK(located(std::nullopt) == "part/ffts_call|-|-|exact");
    // A kernel of another node: the device's lines are of another use of the ids.
    log.at(20).launch_2021(21, 40, "-1_0_1_part/ffts_call");
    CHECK(shown(locate_in(task_map_of({log.text(), device.text()}), dump_of({21, 40, 3, 1, 0}, 5000)).op) ==
          "part/ffts_call|-|-1_0_1_part/ffts_call|type");
}

TEST_CASE("locate: FFTS+, a device's line on the record's context counts also where its log is in a zone after") {
    constexpr std::int64_t kHours = 8 * 3'600'000;
    LogText log, device(990);
    log.at(kHours).bind(3, 21).ge("Distribute", whole_task).at(kHours + 60'000).ge("Run", "noise");
    device.at(10).device(
        "DumpOpInfo", "start to dump op info, stream id=21, task id=40, context id=1, thread id=0, op name=part/op1");
    device.at(60'000).device("Run", "noise");
    const auto map = task_map_of({log.text(), device.text()});
    const Location location = locate_in(map, dump_of({21, 40, 3, 1, 0}, kHours + 30'000));
    CHECK(shown(location.op) == "part/op1|-|-|exact");
    CHECK_FALSE(contains(remarks_of(location), "sources_disagree"));
}

TEST_CASE("locate: FFTS+, where no context is known the node of the whole task stands first, wherever its line is") {
    for (const bool whole_is_first : {true, false}) {
        LogText log;
        log.at(0).bind(3, 21).at(whole_is_first ? 10 : 30).ge("Distribute", whole_task);
        log.at(20).save_dump_context("part/Add", 21, 40, 0, 0).save_dump_context("part/Mul", 21, 40, 1, 0);
        check_located(locate_in(task_map_of(log), dump_of({21, 40, 3}, 5000)),
                      {.op = "part/ffts_call|-|-|type",
                       .candidates = "part/ffts_call|-|-|type; part/Add|-|-|type; part/Mul|-|-|type"});
        CHECK(shown(locate_in(task_map_of(log), dump_of({21, 40, 3, 1, 0}, 5000)).op) == "part/Mul|-|-|exact");
    }
}

TEST_CASE("locate: the kernel's name decides between operators that lines name for one task") {
    LogText log;
    log.at(0).bind(3, 21).save_dump_task("a/Add", 21, 40).save_dump_task("b/Mul", 21, 40);
    log.at(10).launch_2023(21, 40, "00_1_b/Mul");
    check_located(locate_in(task_map_of(log), dump_of({21, 40, 3}, 5000)),
                  {.op = "b/Mul|-|00_1_b/Mul|exact", .candidates = ""});
}

TEST_CASE("locate: GE's trace line names the node of the launch next to it, its kernel the type") {
    LogText log;
    log.at(1000).launch(2, 0, "Cast_0123456789abcdef0123456789abcdef_1").sent(2, 6).kernel_trace("net/Cast_1", 2, 6);
    log.at(60'000).kernel_trace("net/Mul_2", 2, 6).at(60'001).launch(2, 0, "Mul_0123456789abcdef0123456789abcdef_3");
    log.sent(2, 6);
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 1005)).op) ==
          "net/Cast_1|Cast|Cast_0123456789abcdef0123456789abcdef_1|exact");
    CHECK(shown(locate_in(map, dump_of({2, 6}, 60'005)).op) ==
          "net/Mul_2|Mul|Mul_0123456789abcdef0123456789abcdef_3|type");
}

TEST_CASE("locate: device and host clocks differ, a launch up to five seconds after the dump is taken") {
    LogText log;
    log.at(10'000).launch_2023(2, 6, "2_0_11_A");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 9000)).op) == "A|-|2_0_11_A|kernel");
    check_located(locate_in(map, dump_of({2, 6}, 4900)), {.op = "none", .remarks = "warning task_set_up_later"});
}

TEST_CASE("many: of more than a hundred operators the first hundred are listed") {
    LogText log;
    log.at(0).bind(3, 21);
    for (unsigned context = 0; context < 101; ++context) {
        log.save_dump_context("part/op" + std::to_string(context), 21, 40, context, 0);
    }
    const Location location = locate_in(task_map_of(log), dump_of({21, 40, 3}, 5000));
    REQUIRE(location.op);
    CHECK(location.op->candidates.size() == 100);
    CHECK(location.op->candidates.back().name == "part/op99");
    CHECK(contains(message_of(location, "candidates_cut"), "100 of 101"));
}
