// Lines of GE, of the dump module and of the device scheduler that name the operator: eager mode, dynamic graphs,
// FFTS+.
#include <doctest/doctest.h>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// FFTS+: one task with two contexts, of which the second has two threads.
constexpr std::string_view ffts_log = R"(
[INFO] RUNTIME(7100,python):2026-03-04-10:00:00.900.100 [api_error.cc:3940] 7155 ModelBindStream: model_id=12, stream_id=48, model_name=toy_graph, flag=0, group_id=0.
[INFO] GE(7100,python):2026-03-04-10:00:01.000.100 [ffts_plus_task_info.cc:420]7155 Distribute:FftsPlusTaskInfo Distribute Success, node_name:[part/call_1], subgraph_name:[part_graph_1] stream_id:48, task_id:9.
[DEBUG] GE(7100,python):2026-03-04-10:00:01.000.200 [ffts_plus_task_info.cc:530]7155 InitDumpArgs:ffts dump, ctx id:3, ctx type:1, op index:5, op name:part/Mul_1, task id:9, stream id:48, args_size:[96]
[DEBUG] GE(7100,python):2026-03-04-10:00:01.000.300 [ffts_plus_task_info.cc:585]7155 SaveDump:Save ctx op part/Exp_2, ctx id:4, ctx type:1, op index:6, task id:9, stream id:48, thread id:0
[INFO] GE(7100,python):2026-03-04-10:00:01.000.400 [data_dumper.cc:255]7155 SaveDumpTask:Save dump task part/Exp_2_slice, task id: 9, stream id: 48, context id: 4, thread id: 1, is_op_debug: 1.
)";

}  // namespace

TEST_CASE("golden eager: the dump module names operator and type, its next line on the thread has the ids") {
    const std::string_view log = R"(
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.100 [operator_dumper.cpp:140][tid:7155] Start to launch dump with cfg for op aclnnToyAdd_0_ToyAdd[ToyAdd], inputSize(2), outputSize(1).
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.150 [operator_dumper.cpp:140][tid:7156] Start to launch dump with cfg for op aclnnToyMul_4_ToyMul[ToyMul], inputSize(2), outputSize(1).
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.200 [operator_dumper.cpp:290][tid:7156] Task id is 61, stream id is 2
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.300 [operator_dumper.cpp:290][tid:7155] Task id is 62, stream id is 2
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.400 [operator_dumper.cpp:290][tid:7155] Task id is 63, stream id is 2
)";
    const Location location = located(log, {2, 62}, 4000);
    CHECK(shown(location.op) == "aclnnToyAdd_0_ToyAdd|ToyAdd|-|exact");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:4");
    CHECK(shown(located(log, {2, 61}, 4000).op) == "aclnnToyMul_4_ToyMul|ToyMul|-|exact");
    CHECK(operator_lines(located(log, {2, 61}, 4000)) == "plog-7100:2 plog-7100:3");
    CHECK(shown(located(log, {2, 63}, 4000).op) == "none");  // the announcement was for the task before
}

TEST_CASE("golden eager: the same ids again after a wrap, the last announcement before the overflow counts") {
    const std::string_view log = R"(
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.100 [operator_dumper.cpp:140][tid:7155] Start to launch dump with cfg for op aclnnToyAdd_0_ToyAdd[ToyAdd], inputSize(2), outputSize(1).
[INFO] IDEDD(7100,python):2026-03-04-10:00:01.000.300 [operator_dumper.cpp:290][tid:7155] Task id is 62, stream id is 2
[INFO] IDEDD(7100,python):2026-03-04-10:00:20.000.100 [operator_dumper.cpp:140][tid:7155] Start to launch dump with cfg for op aclnnToySub_9_ToySub[ToySub], inputSize(2), outputSize(1).
[INFO] IDEDD(7100,python):2026-03-04-10:00:20.000.300 [operator_dumper.cpp:290][tid:7155] Task id is 62, stream id is 2
)";
    CHECK(shown(located(log, {2, 62}, 4000).op) == "aclnnToyAdd_0_ToyAdd|ToyAdd|-|exact");
    CHECK(shown(located(log, {2, 62}, 30'000).op) == "aclnnToySub_9_ToySub|ToySub|-|exact");
    CHECK(operator_lines(located(log, {2, 62}, 30'000)) == "plog-7100:3 plog-7100:4");
}

TEST_CASE("golden dynamic: the node stands between the kernel type and the last number of the tag") {
    const std::string_view log = R"(
[INFO] GE(7100,python):2026-03-04-10:00:01.000.100 [hybrid_model_async_executor.cc:120]7155 RunInternal:Model thread Run begin, model id:3, data index:0.
[INFO] GE(7100,python):2026-03-04-10:00:01.000.200 [hybrid_model.cc:540]7155 PrintDynamicType:current execute mode is dynamic input, model id = 3, model_name = "toy_dynamic".
[INFO] GE(7100,python):2026-03-04-10:00:01.000.300 [executor_tracer.cc:61]7155 OnExecuteEvent:[KernelTrace][LaunchKernelWithHandle_dec/layer_0/Toy_Mul_1_1204]stream_id=2, task_id=71, flip_num=0, flip_task_id=71
[INFO] GE(7100,python):2026-03-04-10:00:01.000.400 [executor_tracer.cc:61]7155 OnExecuteEvent:[KernelTrace][AicpuLaunchCCKernel_dec/Where_7]stream_id=2, task_id=72, flip_num=0, flip_task_id=72
[INFO] GE(7100,python):2026-03-04-10:00:01.000.500 [hybrid_model_async_executor.cc:130]7155 RunInternal:Model run end, model id:3
)";
    const Location location = located(log, {2, 71}, 4000);
    CHECK(shown(location.op) == "dec/layer_0/Toy_Mul_1|-|-|exact");
    CHECK(operator_lines(location).find("plog-7100:3") != std::string::npos);
    CHECK(shown(location.model) == "toy_dynamic|-|3|-");
    CHECK(model_lines(location) == "plog-7100:1 plog-7100:2 plog-7100:3");
    CHECK(shown(located(log, {2, 72}, 4000).op) == "dec/Where|-|-|exact");
}

TEST_CASE("golden dynamic: of two traces of one task the last before the overflow counts") {
    const std::string_view log = R"(
[INFO] GE(7100,python):2026-03-04-10:00:01.000.300 [executor_tracer.cc:61]7155 OnExecuteEvent:[KernelTrace][LaunchKernelWithHandle_dec/Mul_1204]stream_id=2, task_id=71, flip_num=0, flip_task_id=71
[INFO] GE(7100,python):2026-03-04-10:00:20.000.300 [executor_tracer.cc:61]7155 OnExecuteEvent:[KernelTrace][LaunchKernelWithHandle_dec/Add_1205]stream_id=2, task_id=71, flip_num=1, flip_task_id=65607
)";
    CHECK(shown(located(log, {2, 71}, 4000).op) == "dec/Mul|-|-|exact");
    CHECK(operator_lines(located(log, {2, 71}, 4000)) == "plog-7100:1");
    CHECK(shown(located(log, {2, 71}, 30'000).op) == "dec/Add|-|-|exact");
    CHECK(operator_lines(located(log, {2, 71}, 30'000)) == "plog-7100:2");
}

TEST_CASE("golden FFTS+: context and thread choose the operator, in each of GE's wordings") {
    CHECK(shown(located(ffts_log, {48, 9, 12, 3, 0}, 4000).op) == "part/Mul_1|-|-|exact");
    CHECK(operator_lines(located(ffts_log, {48, 9, 12, 3, 0}, 4000)) == "plog-7100:3");
    CHECK(shown(located(ffts_log, {48, 9, 12, 4, 0}, 4000).op) == "part/Exp_2|-|-|exact");
    CHECK(operator_lines(located(ffts_log, {48, 9, 12, 4, 0}, 4000)) == "plog-7100:4");
    CHECK(shown(located(ffts_log, {48, 9, 12, 4, 1}, 4000).op) == "part/Exp_2_slice|-|-|exact");
    CHECK(operator_lines(located(ffts_log, {48, 9, 12, 4, 1}, 4000)) == "plog-7100:5");
    CHECK(shown(located(ffts_log, {48, 9, 12, 4, 1}, 4000).model) == "toy_graph|12|-|-");
}

TEST_CASE("golden FFTS+: a context that no line names is of the node that holds them all") {
    const Location location = located(ffts_log, {48, 9, 12, 77, 0}, 4000);
    CHECK(shown(location.op) == "part/call_1|-|-|type");
    CHECK(operator_lines(location) == "plog-7100:2");
}

TEST_CASE("golden FFTS+: the device's lines have contexts as well") {
    const LogFile device{"run/device-0/device-7100_20260304100000500.log", R"(
[INFO] CCECPU(990,aicpu_scheduler):2026-03-04-10:00:01.001.100 [dump_task_manager.cpp:372][DoDump][tid:997] start to dump op info, stream id=48, task id=9, context id=3, thread id=0, op name=part/Mul_1
[INFO] CCECPU(990,aicpu_scheduler):2026-03-04-10:00:01.001.200 [dump_task_manager.cpp:372][DoDump][tid:997] start to dump op info, stream id=48, task id=9, context id=4, thread id=0, op name=part/Exp_2
)"};
    const Location location = located({device}, {48, 9, 12, 4, 0}, 4000);
    CHECK(shown(location.op) == "part/Exp_2|-|-|exact");
    CHECK(operator_lines(location) == "device-7100:2");
    CHECK(candidates_of(location).empty());
}

TEST_CASE("golden GE: each of the lines that GE prints after it placed a task names its operator") {
    for (const std::string_view text :
         {"Distribute:KernelTaskInfo Distribute Success, op: blk/Toy.3, taskid: 9, blockdim: 8, streamid: 48, stream: "
          "0x10, dump_flag: 1",
          "Distribute:KernelTaskInfo Distribute Success, op: blk/Toy.3, taskid: 9, stubfunc: 0x20, blockdim: 8, "
          "streamid: 48, stream: 0x10, dump_flag: 1",
          "Distribute:FusionTaskInfo Distribute Success, op: blk/Toy.3, taskid: 9, stub func: 0x20, tiling key: 7, "
          "streamid: 48, stream: 0x10, dump_flag: 1",
          "Distribute:KernelExTaskInfo blk/Toy.3 Distribute Success. task id: 9, stream id: 48, stream: 0x10.",
          "Distribute:DSATaskInfo blk/Toy.3 Distribute TaskId[9], stream id [48], dumpflag [1] Success.",
          "Distribute:SuperKernelV2TaskInfo Distribute Success, node: blk/Toy.3, task_type: 4, args: 0x30, argsize: "
          "64, "
          "block dim: 8, stream_id: 48, stream: 0x10, task_id: 9, local memory size: 0, ",
          "Distribute:CustomTaskInfo Distribute Success, node: blk/Toy.3, stream_id: 48, stream: 0x10, task_id: 9",
          "Distribute:CmoAddrTaskInfo Distribute Success, op: blk/Toy.3, stream: 0x10, stream_id: 48, task_id: 9.",
          "BuildTaskInfo:Op blk/Toy.3 add task to op_mapping_info, stream_id: 48, task_id:9."}) {
        const Location location = located(
            "[INFO] GE(7100,python):2026-03-04-10:00:01.000.100 [x_task_info.cc:420]7155 " + std::string(text) + "\n",
            {48, 9}, 4000);
        CHECK_MESSAGE(shown(location.op) == "blk/Toy.3|-|-|exact", text);
        CHECK_MESSAGE(operator_lines(location) == "plog-7100:1", text);
    }
}

TEST_CASE("golden GE: the list of dumps names producers of inputs, too, which are not the task's operator") {
    const std::string_view log = R"(
[INFO] GE(7100,python):2026-03-04-10:00:01.000.100 [data_dumper.cc:255]7155 SaveDumpTask:Save dump task blk/Toy_3, task id: 9, stream id: 48, context id: 0, thread id: 0, is_op_debug: 1.
[INFO] GE(7100,python):2026-03-04-10:00:01.000.200 [data_dumper.cc:325]7155 SaveDumpTask:Save input dump task: toy_data, id: 9, stream id: 48, data size: 64, input index: 0, output index: 0
[INFO] GE(7100,python):2026-03-04-10:00:01.900.100 [data_dumper.cc:1650]7155 BuildTaskInfo:Op blk/Toy_3 add task to op_mapping_info, stream_id: 48, task_id:9.
[INFO] GE(7100,python):2026-03-04-10:00:01.900.200 [data_dumper.cc:1650]7155 BuildTaskInfo:Op toy_data add task to op_mapping_info, stream_id: 48, task_id:9.
)";
    const Location location = located(log, {48, 9}, 4000);
    CHECK(shown(location.op) == "blk/Toy_3|-|-|exact");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:3");
    CHECK(candidates_of(location).empty());
}

TEST_CASE("golden GE: of the list of dumps alone each name may be the operator's, one name is") {
    const std::string_view log = R"(
[INFO] GE(7100,python):2026-03-04-10:00:01.900.100 [data_dumper.cc:1650]7155 BuildTaskInfo:Op blk/Toy_3 add task to op_mapping_info, stream_id: 48, task_id:9.
[INFO] GE(7100,python):2026-03-04-10:00:01.900.200 [data_dumper.cc:1650]7155 BuildTaskInfo:Op toy_data add task to op_mapping_info, stream_id: 48, task_id:9.
[INFO] GE(7100,python):2026-03-04-10:00:01.900.300 [data_dumper.cc:1650]7155 BuildTaskInfo:Op blk/Toy_4 add task to op_mapping_info, stream_id: 48, task_id:10.
)";
    CHECK(candidates_of(located(log, {48, 9}, 4000)) == "blk/Toy_3|-|-|type; toy_data|-|-|type");
    CHECK(shown(located(log, {48, 10}, 4000).op) == "blk/Toy_4|-|-|exact");
    CHECK(candidates_of(located(log, {48, 10}, 4000)).empty());
}
