// Logs of 2020 and 2021: runtime lines without spaces around the thread, GE's table of tasks without contexts.
#include <doctest/doctest.h>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// An offline model of 2021 on stream 9, with 60 ms of execution at 10:00:05. The device's clock is three seconds slow.
const LogFile host_2021{std::string(host_log), R"(
[INFO] ASCENDCL(7100,main):2026-03-04-10:00:01.100.602 [model.cpp:188]7100 ModelLoadFromFileWithMem: start to execute ModelLoadFromFileWithMem, modelPath[../model/toynet.om], workSize[4096], weightSize[81920], priority[0]
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.160.411 [npu_driver.cc:271]7100 StreamIdAlloc:Stream id alloc success, stream_id=9, device_id=0, tsId=0!
[INFO] GE(7100,main):2026-03-04-10:00:01.160.855 [davinci_model.cc:612]7100 Init:Logical stream index:0, stream:0x1a40010, rtstream: 9.
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.161.748 [logger.cc:611]7100 ModelCreate:model create ok, model=0x1b60020, modelId=4
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.200.910 [logger.cc:622]7100 ModelBindStream:model bind stream, model_id=4, stream_id=9, flag=0
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.210.442 [logger.cc:633]7100 ModelGetTaskId:model_id=4, get stream_id=9 task_id=31
[INFO] GE(7100,main):2026-03-04-10:00:01.210.447 [data_dumper.cc:251]7100 SaveDumpTask:Save dump task trans_TransData_77, task id: 31, stream id: 9
[INFO] GE(7100,main):2026-03-04-10:00:01.210.460 [data_dumper.cc:301]7100 SaveDumpTask:Save input dump task data, id: 31,stream id :9,data size :602112
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.210.477 [stream.cc:888]7113 AddTaskToStream:recorded persistent task to stream, stream_id=9, task_id=31, task_type=0, head=3, tail=30, delay recycle task num=30
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.210.483 [logger.cc:1101]7113 KernelTaskEventLogProc:device_id=0, stream_id=9, task_id=31, kernel_name=-1_0_2_trans_TransData_77, devfunc_name = te_transdata_11f0c0de_22aa_1__kernel0 task_type=AiCoreKernel, task_launched_num=39
[INFO] GE(7100,main):2026-03-04-10:00:01.220.100 [data_dumper.cc:251]7100 SaveDumpTask:Save dump task conv1conv1_relu, task id: 32, stream id: 9
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.220.120 [logger.cc:1101]7113 KernelTaskEventLogProc:device_id=0, stream_id=9, task_id=32, kernel_name=-1_0_2_conv1conv1_relu, devfunc_name = te_fused_op_conv2d_relu_33bb_44cc_1__kernel0 task_type=AiCoreKernel, task_launched_num=40
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.230.001 [logger.cc:1202]7113 TaskLaunchedEx:device_id=0, stream_id=9, task_id=40, task_type=67,task_launched_num=48
[INFO] GE(7100,main):2026-03-04-10:00:01.230.964 [data_dumper.cc:750]7100 SetEndGraphIdToAicpu:Add end_graph_info to aicpu, model_name is toynet, task_id is 40, stream_id is 9
[INFO] ASCENDCL(7100,main):2026-03-04-10:00:01.280.913 [model.cpp:560]7100 aclmdlLoadFromFileWithMem: Load model from file[../model/toynet.om] with memory success, modelId[2]
[INFO] RUNTIME(7100,main):2026-03-04-10:00:09.316.463 [logger.cc:644]7100 ModelUnbindStream:model unbind stream, model_id=4, stream_id=9, 
)"};
const LogFile device_2021{"debug/device-0/device-7100_20260304095958000.log", R"(
[INFO] CCECPU(990,aicpu_scheduler):2026-03-04-09:59:58.299.001 [dump_task.cpp:230][PreProcessOpMappingInfo][tid:995][AICPU_SCHEDULE] Base path[./out], has model name[1], model name[toynet], has model id[1], model id[2].
[INFO] CCECPU(990,aicpu_scheduler):2026-03-04-09:59:58.299.196 [dump_task.cpp:231][PreProcessOpMappingInfo][tid:995][AICPU_SCHEDULE] [stream id:9, task id:31], op name[trans_TransData_77], op type[TransData]
[EVENT] CCECPU(990,aicpu_scheduler):2026-03-04-10:00:02.001.400 [dump_task.cpp:801][DumpOpInfo][tid:997][AICPU_SCHEDULE] start to dump op info, stream id=9, task id=31, op name=trans_TransData_77
)"};

}  // namespace

TEST_CASE("golden 2020-06: the event line of a launch gives the kernel as it stands") {
    const Location location = located({{"host-0/host-0_20260304100000000.log", R"(
[EVENT] RUNTIME(7100,toy_main):2026-03-04-10:00:01.522.076 [runtime/feature/src/logger.cc:1002]7102 TaskLaunched:device_id=0, stream_id=530, sq_id=530, task_id=7, kernel_name=toy_case/4_8_16_float16/1/toy_4_8_16.om/Crop_tvmbin, devfunc_name = te_crop_2be0a1_0__kernel0 task_type=AiCoreKernel, task_launched_num=9
)"},
                                       {"device-0/device-0_20260304100000000.log", R"(
[ERROR] TSCH(-1,null):2026-03-04-10:00:02.520.395 31 (cpuid:0) ai_core_dispatcher.c:1001 bs_done_exception_proc_timeout: slot_id=1, fault_task=8
)"}},
                                      {530, 7}, 5000);
    CHECK(shown(location.op) == "-|-|toy_case/4_8_16_float16/1/toy_4_8_16.om/Crop_tvmbin|kernel");
    CHECK(operator_lines(location) == "host-0:1");
    CHECK(shown(location.model) == "none");
}

TEST_CASE("golden 2020-09: online session, node and graph from the kernel's name, model from its binding") {
    const std::string_view log = R"(
[TRACE] GE(7100,python3):2026-03-04-10:00:00.030.284 [status:INIT] [framework/domi/client/ge_api.cc:71]7100 GEInitialize:GEInitialize start
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.960.886 [runtime/feature/src/npu_driver.cc:131]7149 StreamIdAlloc:StreamIdAlloc stream_id=611, device_id=0, tsId=0.
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.961.088 [runtime/feature/src/logger.cc:1302]7143 TaskLaunchedEx:device_id=0, stream_id=611, task_id=0, task_type=7,task_launched_num=3
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.962.693 [runtime/feature/src/logger.cc:895]7149 ModelCreate:model create ok, model=0xfffd11006700, modelId=640
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:02.815.154 [runtime/feature/src/logger.cc:917]7149 ModelBindStream:model bind stream, model_id=640, stream_id=611, flag=0
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:02.817.188 [runtime/feature/src/logger.cc:969]7149 ModelGetTaskId:model_id=640, get stream_id=611 task_id=4
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:02.817.515 [runtime/feature/src/stream.cc:758]7143 AddTaskToStream:recorded persistent task to stream, stream_id=611, task_id=4, task_type=0,head=0, tail=1, delay recycle task num=1
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:02.817.608 [runtime/feature/src/logger.cc:1318]7143 KernelTaskEventLogProc:device_id=0, stream_id=611, task_id=4, kernel_name=0_3_TopKD, devfunc_name = te_topkd_0a1b_2c3d__kernel0 task_type=AiCoreKernel, task_launched_num=5
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:02.825.055 [runtime/feature/src/logger.cc:957]7250 ModelExecute:model execute  model_id=640, stream_id=613, flag=0
)";
    const Location location = located({{"host-0/host-0_20260304100000000.log", std::string(log)}}, {611, 4, 640}, 4000);
    CHECK(shown(location.op) == "TopKD|-|0_3_TopKD|kernel");
    CHECK(operator_lines(location) == "host-0:8");
    CHECK(shown(location.model) == "-|640|-|3");
    CHECK(model_lines(location) == "host-0:5 host-0:8");
    CHECK(remarks_of(location).empty());
}

TEST_CASE("golden 2020-09: without launch and binding, the lines of a failure give kernel and model") {
    const Location location = located({{"host-0/host-0_20260304100000000.log", R"(
[ERROR] RUNTIME(7100,python3):2026-03-04-10:00:03.229.933 [runtime/feature/src/task.cc:1476]7144 PrintErrorInfo:model execute task failed, device_id=0, model stream_id=613, model task_id=1, model_id=640, first_task_id=65535
[ERROR] RUNTIME(7100,python3):2026-03-04-10:00:03.229.976 [runtime/feature/src/task.cc:521]7144 PrintErrorInfo:aicore kernel execute failed, device_id=0, stream_id=611, task_id=4, fault kernel_name=0_3_TopKD, func_name=te_topkd_0a1b_2c3d__kernel0
)"}},
                                      {611, 4}, 4000);
    CHECK(shown(location.op) == "TopKD|-|0_3_TopKD|kernel");
    CHECK(shown(location.model) == "-|640|-|3");
    CHECK(model_lines(location) == "host-0:1 host-0:2");
}

TEST_CASE("golden 2020-11: the console form without process name and time, the operator in what the kernel sent") {
    const Location location = located({{"train.log", R"(
[ERROR] RUNTIME(7100)model execute task failed, device_id=0, model stream_id=575, model task_id=1, model_id=622, first_task_id=65535
[ERROR] RUNTIME(7100)aicpu kernel execute failed, device_id=0, stream_id=631, task_id=17, fault so_name=, fault kernel_name=, extend_info=(info_type:4, info_len:7, msg_info:Tile_12).
)"}},
                                      {631, 17}, 4000);
    CHECK(shown(location.op) == "Tile_12|-|-|exact");
    CHECK(operator_lines(location) == "train:2");
}

TEST_CASE("golden 2020-12: a process without name; GE's model is the third number of the kernel's name") {
    const Location location = located({{"plog/plog_20260304100000000.log", R"(
[ERROR] RUNTIME(7100,None):2026-03-04-10:00:03.177.528 [../../../../../../runtime/feature/src/task.cc:534]7105 PrintErrorInfo:aicore kernel execute failed, device_id=0, stream_id=519, task_id=6, fault kernel_name=-1_0_2_trans_TransData_5, func_name=te_transdata_a1b2_c3d4_1__kernel0
)"}},
                                      {519, 6}, 4000);
    CHECK(shown(location.op) == "trans_TransData_5|-|-1_0_2_trans_TransData_5|kernel");
    CHECK(operator_lines(location) == "plog:1");
    CHECK(shown(location.model) == "-|-|2|-");
    CHECK(model_lines(location) == "plog:1");
}

TEST_CASE("golden 2021: GE's table, the device's table and the launch agree, and the kernel's name holds GE's model") {
    const Location location = located({host_2021, device_2021}, {9, 31, 4}, 5000);
    CHECK(shown(location.op) == "trans_TransData_77|TransData|-1_0_2_trans_TransData_77|exact");
    CHECK(candidates_of(location).empty());
    CHECK(operator_lines(location) == "device-7100:1 device-7100:2 device-7100:3 plog-7100:7 plog-7100:10");
    CHECK(shown(location.model) == "toynet|4|2|-");
    CHECK(model_lines(location) == "plog-7100:5 plog-7100:10 plog-7100:14");
    CHECK(remarks_of(location).empty());
}

TEST_CASE("golden 2021: without GE's lines the kernel's name holds node and GE's model") {
    const Location location = located(R"(
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.200.910 [logger.cc:622]7100 ModelBindStream:model bind stream, model_id=4, stream_id=9, flag=0
[INFO] RUNTIME(7100,main):2026-03-04-10:00:01.220.120 [logger.cc:1101]7113 KernelTaskEventLogProc:device_id=0, stream_id=9, task_id=32, kernel_name=-1_0_2_conv1conv1_relu, devfunc_name = te_fused_op_conv2d_relu_33bb_44cc_1__kernel0 task_type=AiCoreKernel, task_launched_num=40
)",
                                      {9, 32, 4}, 5000);
    CHECK(shown(location.op) == "conv1conv1_relu|-|-1_0_2_conv1conv1_relu|kernel");
    CHECK(shown(location.model) == "-|4|2|-");
    CHECK(model_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 2021: a fused operator has the joined name of its parts") {
    const Location location = located({host_2021}, {9, 32, 4}, 5000);
    CHECK(shown(location.op) == "conv1conv1_relu|-|-1_0_2_conv1conv1_relu|exact");
    CHECK(operator_lines(location) == "plog-7100:11 plog-7100:12");
}

TEST_CASE("golden 2021: the task that ends the graph is no operator, its model is known") {
    const Location location = located({host_2021}, {9, 40, 4}, 5000);
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location).find("end_of_graph_task") != std::string::npos);
    CHECK(shown(location.model) == "toynet|4|-|-");
}

TEST_CASE("golden 2021: after the unbinding the ids mean nothing, though the device's table is still there") {
    const Location location = located({host_2021, device_2021}, {9, 31, 4}, 20'000);
    CHECK(shown(location.op) == "none");
}

TEST_CASE("golden 2021-09: AICPU kernel and model of the failure, the node in the framework's own log") {
    const Location location = located({{std::string(host_log), R"(
[ERROR] RUNTIME(7100,python):2026-03-04-10:00:01.014.355 [engine.cc:904]7160 ReportExceptProc:Task exception! device_id=0, stream_id=217, task_id=29, type=13, retCode=0x91.
[ERROR] RUNTIME(7100,python):2026-03-04-10:00:01.014.485 [task.cc:590]7160 PrintAicpuErrorInfo:Aicpu kernel execute failed, device_id=0, stream_id=216, task_id=5, fault so_name=libaicpu_kernels.so, fault kernel_name=RandomShuffle, fault op_name=, extend_info=.
[ERROR] RUNTIME(7100,python):2026-03-04-10:00:01.014.506 [task.cc:2259]7160 PrintErrorInfo:model execute task failed, device_id=0, model stream_id=217, model task_id=29, model_id=6, first_task_id=65535
)"},
                                       {"train.log", R"(
[ERROR] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.177 [mindspore/ccsrc/runtime/device/ascend/ascend_kernel_runtime.cc:675] DumpTaskExceptionInfo] Task fail infos task_id: 5, stream_id: 216, tid: 7160, device_id: 0, retcode: 507011 ( model execute failed)
[ERROR] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.209 [mindspore/ccsrc/runtime/device/ascend/ascend_kernel_runtime.cc:688] DumpTaskExceptionInfo] Dump node (Default/RandomShuffle-op7) task error input/output data to: ./rank_0/node_dump trace:
)"}},
                                      {216, 5}, 4000);
    CHECK(shown(location.op) == "Default/RandomShuffle-op7|-|RandomShuffle|exact");
    CHECK(operator_lines(location) == "plog-7100:2 train:1 train:2");
    CHECK(shown(location.model) == "-|6|-|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3");
}

TEST_CASE("golden 2021 to 2023: MindSpore tells of the overflow, in its own log alone") {
    const std::string_view named = R"(
[WARNING] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:04.015.177 [mindspore/ccsrc/runtime/device/ascend/ascend_kernel_runtime.cc:611] TaskFailCallback] Node run task overflow, node name: Default/network/Mul-op12Task overflow infos task_id: 5, stream_id: 216, tid: 7160, device_id: 0, retcode: 207003 ( aicore over flow), trace: 
In file /home/toy/train.py(41)/        return self.mul(x, y)/
)";
    CHECK(shown(located({{"train.log", std::string(named)}}, {216, 5}, 4000).op) ==
          "Default/network/Mul-op12|-|-|exact");
    CHECK(shown(located({{"train.log", std::string(named)}}, {216, 5}, 90000).op) ==
          "Default/network/Mul-op12|-|-|exact");  // a task of a model: reported at its first overflow
    CHECK(shown(located({{"train.log", std::string(named)}}, {216, 6}, 4000).op) == "none");
    // Kernel by kernel: the operator is in the list of what is dumped, the numbers hold two wraps (2 * 65536 + 5).
    const Location location = located({{"train.log", R"(
[INFO] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:03.015.177 [mindspore/ccsrc/plugin/device/ascend/hal/device/dump/kernel_dumper.cc:104] OpLoadDumpInfo] [DataDump] Get runtime info graph_id:1 stream_id:16 task_id:131077 fullname:Default/network/Add-op3
[WARNING] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:04.015.177 [mindspore/ccsrc/plugin/device/ascend/hal/device/ascend_kernel_runtime.cc:674] TaskFailCallback] Graph in kernelByKernel mode task overflow, Task overflow infos task_id: 131077, stream_id: 16
)"}},
                                      {16, 5}, 4000);
    CHECK(shown(location.op) == "Default/network/Add-op3|-|-|exact");
    CHECK(operator_lines(location) == "train:1");
    CHECK(message_of(location, "overflow_in_log").find("stream 16 task 5") != std::string::npos);
}

TEST_CASE("golden 2021 to 2023: MindSpore's list of what is dumped, two lines for each operator") {
    const std::string_view log = R"(
[INFO] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.177 [mindspore/ccsrc/runtime/device/ascend/dump/data_dumper.cc:96] LoadDumpInfo] [DataDump] LoadDumpInfo kernel:Default/network/Mul-op12
[INFO] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.190 [mindspore/ccsrc/runtime/device/ascend/dump/data_dumper.cc:237] ConstructDumpTask] [DataDump] Get runtime info task_id:5 stream_id:216
[INFO] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.207 [mindspore/ccsrc/runtime/device/ascend/dump/data_dumper.cc:96] LoadDumpInfo] [DataDump] LoadDumpInfo kernel:Default/network/Sub-op13
[INFO] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.220 [mindspore/ccsrc/runtime/device/ascend/dump/data_dumper.cc:237] ConstructDumpTask] [DataDump] Get runtime info task_id:6 stream_id:216
[INFO] DEVICE(7100,ffff1effd1e0,python):2026-03-04-10:00:01.015.230 [mindspore/ccsrc/runtime/device/ascend/dump/data_dumper.cc:311] OpDebugRegister] [DataDump] Distribute op debug task, task id = 2, stream id = 218
)";
    CHECK(shown(located({{"train.log", std::string(log)}}, {216, 5}, 4000).op) == "Default/network/Mul-op12|-|-|exact");
    CHECK(shown(located({{"train.log", std::string(log)}}, {216, 6}, 4000).op) == "Default/network/Sub-op13|-|-|exact");
    CHECK(message_of(located({{"train.log", std::string(log)}}, {218, 2}, 4000), "debug_task") != "");
}
