// The operator of a single execution (no model): ids are used once and come back after the wrap.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("locate: of several launches of the same ids the latest before the overflow counts") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A").at(60'000).launch_2023(2, 6, "2_0_11_B");
    log.at(120'000).launch_2023(2, 6, "2_0_11_C");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 1005)).op) == "A|-|2_0_11_A|kernel");
    CHECK(candidates_of(locate_in(map, dump_of({2, 6}, 59'900))) == "A|-|2_0_11_A|kernel; B|-|2_0_11_B|kernel");
    CHECK(candidates_of(locate_in(map, dump_of({2, 6}, 60'000))) == "B|-|2_0_11_B|kernel; A|-|2_0_11_A|kernel");
    CHECK(shown(locate_in(map, dump_of({2, 6}, 150'000)).op) == "C|-|2_0_11_C|kernel");
}

TEST_CASE("locate: a single execution is not told for a dump that came minutes after the log ended") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A");
    const Location location = locate_in(task_map_of(log), dump_of({2, 6}, 500'000));
    CHECK(shown(location.op) == "none");
    CHECK(message_of(location, "log_ended").find("another execution") != std::string::npos);
}

TEST_CASE("locate: GE's trace line names the node of the launch beside it, its kernel the type") {
    LogText log;
    log.at(1000).launch(2, 0, "Cast_0123456789abcdef0123456789abcdef_1").sent(2, 6).kernel_trace("net/Cast_1", 2, 6);
    log.at(60'000).kernel_trace("net/Mul_2", 2, 6).at(60'001).launch(2, 0, "Mul_0123456789abcdef0123456789abcdef_3");
    log.sent(2, 6);
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 1005)).op) ==
          "net/Cast_1|Cast|Cast_0123456789abcdef0123456789abcdef_1|exact");
    CHECK(shown(locate_in(map, dump_of({2, 6}, 60'005)).op) ==
          "net/Mul_2|Mul|Mul_0123456789abcdef0123456789abcdef_3|exact");
}

TEST_CASE("locate: the trace line keeps underscores, slashes and numbers of the node's name") {
    LogText log;
    log.at(1000).ge("OnExecuteEvent",
                    "[KernelTrace][AtomicLaunchKernelWithFlag_net_a/layer_3/Mul_2_417]stream_id=2, "
                    "task_id=6, flip_num=0, flip_task_id=6");
    CHECK(shown(locate_in(task_map_of(log), dump_of({2, 6}, 1005)).op) == "net_a/layer_3/Mul_2|-|-|exact");
}

TEST_CASE("locate: without launch lines the latest operator line before the overflow counts") {
    LogText log;
    log.at(1000).kernel_trace("first", 2, 6).at(60'000).kernel_trace("second", 2, 6);
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 59'000)).op) == "first|-|-|exact");
    CHECK(shown(locate_in(map, dump_of({2, 6}, 61'000)).op) == "second|-|-|exact");
}

TEST_CASE("locate: device and host clocks differ, a launch up to five seconds after the dump is taken") {
    LogText log;
    log.at(10'000).launch_2023(2, 6, "2_0_11_A");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 9000)).op) == "A|-|2_0_11_A|kernel");
    const Location earlier = locate_in(map, dump_of({2, 6}, 4900));
    CHECK(shown(earlier.op) == "none");
    CHECK(remarks_of(earlier) == "warning task_set_up_later");
}

TEST_CASE("locate: a launch within the second after the dump does not push out an earlier one") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A").at(10'000).launch_2023(2, 6, "2_0_11_B");
    CHECK(shown(locate_in(task_map_of(log), dump_of({2, 6}, 9900)).op) == "A|-|2_0_11_A|kernel");
}

TEST_CASE("locate: a kernel of 2024 and later tells only the operator type") {
    LogText log;
    log.at(1000).launch(2, 0, "RealDiv_0123456789abcdef0123456789abcdef_high_precision_210000000").sent(2, 6);
    const Location location = locate_in(task_map_of(log), dump_of({2, 6}, 1005));
    CHECK(shown(location.op) == "-|RealDiv|RealDiv_0123456789abcdef0123456789abcdef_high_precision_210000000|kernel");
    CHECK(proof_of_operator(location) == "runtime_log log0:1, runtime_log log0:2");
}

TEST_CASE("locate: kernels of 2021 and 2023 tell the node") {
    LogText log;
    log.at(1000).launch_2021(8, 21, "-1_0_2_block1/conv_a").launch_2023(140, 5, "00_3_scale/Mul");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({8, 21}, 1005)).op) == "block1/conv_a|-|-1_0_2_block1/conv_a|kernel");
    CHECK(shown(locate_in(map, dump_of({140, 5}, 1005)).op) == "scale/Mul|-|00_3_scale/Mul|kernel");
}

TEST_CASE("locate: the launch line of 2020 has the level EVENT") {
    LogText log;
    log.at(1000).line("EVENT", "RUNTIME",
                      "[logger.cc:7]5107 TaskLaunched:device_id=0, stream_id=514, sq_id=514, "
                      "task_id=9, kernel_name=0_1_Blend, devfunc_name = te_blend_1__kernel0 "
                      "task_type=AiCoreKernel, task_launched_num=2");
    CHECK(shown(locate_in(task_map_of(log), dump_of({514, 9}, 1005)).op) == "Blend|-|0_1_Blend|kernel");
}

TEST_CASE("locate: the line of a failure names the kernel where the launch is not logged") {
    LogText log;
    log.at(900)
        .ge("Run", "noise")
        .at(1000)
        .runtime(
            "PrintErrorInfoForDavinciTask",
            "Aicore kernel execute failed, device_id=0, stream_id=2, report_stream_id=2, task_id=6, flip_num=3, fault "
            "kernel_name=RealDiv_0123456789abcdef0123456789abcdef_high_precision_210000000, fault kernel info "
            "ext=none, "
            "program id=9, hash=1.",
            "ERROR");
    CHECK(shown(locate_in(task_map_of(log), dump_of({2, 6}, 1005)).op) ==
          "-|RealDiv|RealDiv_0123456789abcdef0123456789abcdef_high_precision_210000000|kernel");
}

TEST_CASE("locate: a launch line's provisional id is not taken for the task's") {
    LogText log;
    log.at(1000).launch(46, 0, "Mul_0123456789abcdef0123456789abcdef_7").sent(46, 12);
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({46, 12}, 1005)).op) == "-|Mul|Mul_0123456789abcdef0123456789abcdef_7|kernel");
    CHECK(shown(locate_in(map, dump_of({46, 0}, 1005)).op) == "none");
}

TEST_CASE("locate: the type and the node of a failure report join") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_Gather");
    log.at(1010).ge("LogExceptionTvmOpInfo",
                    "[AIC_INFO] node_name:net/Gather, node_type:GatherV2, stream_id:2, "
                    "task_id:6, context_id:65535, thread_id:65535");
    CHECK(shown(locate_in(task_map_of(log), dump_of({2, 6}, 1015)).op) == "net/Gather|GatherV2|2_0_11_Gather|exact");
}
