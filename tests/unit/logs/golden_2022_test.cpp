// Logs of 2022 to 2025: reported failures with flip numbers, static and dynamic graphs of 2023, kernel names with a
// hash from 2024 on.
#include <doctest/doctest.h>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// 2023: a static model on stream 145 from 10:00:01 to 10:01:00, a dynamic graph on stream 3 at 10:00:50.
constexpr std::string_view log_2023 = R"(
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.184.236 [stream.cc:852] 7143 Setup: stream setup end, stream_id=145, IsTaskSink=0, sqId=8, cqId=9, deviceId=0 streamResId=4294967295
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.184.241 [logger.cc:371] 7143 StreamCreate: Succ, flag=257, stream_id=145
[INFO] GE(7100,python3):2026-03-04-10:00:01.184.246 [davinci_model.cc:726]7143 InitRuntimeResource:Logical stream index:0, rtstream: 145, model: 4.
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.184.416 [logger.cc:967] 7143 ModelCreate: model create ok, modelId=46
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.185.943 [logger.cc:994] 7143 ModelBindStream: model_id=46, stream_id=145, flag=0.
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.186.946 [context.cc:703] 7143 LaunchKernel: stream_id=145, task_id=5, kernelType=0, kernel_name=00_7_Counter/AssignAdd, arg_size=32
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.186.952 [engine.cc:458] 7143 SubmitTask: stream_id=145, task_id=5, task_type=0 (KERNEL_AICORE)
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.186.961 [stream.cc:1389] 7143 AddTaskToStream: persistent task, stream_id=145, task_id=5, task_type=0 (KERNEL_AICORE), head=0, tail=1, delay recycle task num=1.
[INFO] GE(7100,python3):2026-03-04-10:00:01.187.083 [exception_dumper.cc:140]7143 SaveOpDescInfo:[Save][OpExceptionInfo] Start to save dump op [Counter/AssignAdd] info of task_id: 5, stream_id: 145
[INFO] GE(7100,python3):2026-03-04-10:00:01.187.300 [model_manager.cc:480]7143 LoadModelOnline:Set graph id to model map, graph id: 7, model id: 4.
[INFO] GE(7100,python3):2026-03-04-10:00:01.188.725 [davinci_model.cc:3509]7171 Run:rtModelExecute start, model id:4.
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:01.188.731 [logger.cc:1030] 7171 ModelExecute: model_id=46, stream_id=146, flag=0.
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:50.496.016 [context.cc:703] 7232 LaunchKernel: stream_id=3, task_id=8, kernelType=0, kernel_name=2_0_11_ScatterNd, arg_size=336
[INFO] RUNTIME(7100,python3):2026-03-04-10:00:50.496.028 [stream.cc:1368] 7232 AddTaskToList: public task, stream_id=3, task_id=8, task_type=0 (KERNEL_AICORE), head=8, tail=9
[INFO] GE(7100,python3):2026-03-04-10:00:50.496.290 [executor_tracer.cc:51]7232 OnExecuteEvent:[KernelTrace][LaunchKernelWithFlag_ScatterNd_308]stream_id=3, task_id=8, flip_num=0, flip_task_id=8
[INFO] RUNTIME(7100,python3):2026-03-04-10:01:00.698.871 [logger.cc:1007] 7234 ModelUnbindStream: model_id=46, stream_id=145, 
[INFO] RUNTIME(7100,python3):2026-03-04-10:01:00.699.356 [npu_driver.cc:300] 7234 StreamIdFree: Stream id free success, stream_id=145, device_id=0, tsId=0
)";

/// What the log of 2023 states when the dynamic graph's task failed; the runtime states it a second time in GetError.
constexpr std::string_view failure_2023 = R"(
[ERROR] RUNTIME(7100,python3):2026-03-04-10:00:50.515.526 [engine.cc:1367]7232 ReportExceptProc:[EXEC][EXEC]Task exception! device_id=0, stream_id=3, task_id=8, type=0(KERNEL_AICORE), failuremode =0, retCode=0x26, [aicore exception]
[ERROR] RUNTIME(7100,python3):2026-03-04-10:00:50.517.144 [task.cc:1331]7232 PrintErrorInfo:[EXEC][EXEC]Aicore kernel execute failed, device_id=0, stream_id=3, report_stream_id=3, task_id=8, flip_num=0, fault kernel_name=2_0_11_ScatterNd, program id=1, hash=1111222233334444.
[WARNING] RUNTIME(7100,python3):2026-03-04-10:00:50.517.224 [task.cc:168] 7232 TaskFailCallBack: stream_id=3, task_id=8, retCode=0x7150026,[aicore exception]
[INFO] GE(7100,python3):2026-03-04-10:00:50.517.823 [exception_dumper.cc:245]7232 LogExceptionTvmOpInfo:[AIC_INFO] node_name:ScatterNd, node_type:ScatterNd, stream_id:3, task_id:8
[ERROR] RUNTIME(7100,python3):2026-03-04-10:00:50.565.016 [stream.cc:1183]7232 GetError:[EXEC][EXEC]Aicore kernel execute failed, device_id=0, stream_id=3, report_stream_id=3, task_id=8, flip_num=0, fault kernel_name=2_0_11_ScatterNd, program id=1, hash=1111222233334444.
)";

std::string fault_line(std::string_view kernel, int stream, int task, std::string_view function, int pid = 7100) {
    return "[ERROR] RUNTIME(" + std::to_string(pid) + ",python):2026-03-04-10:00:03.186.318 [task_info.cc:1668]7158 " +
           std::string(function) +
           ":[INIT][DEFAULT]Aicore kernel execute failed, device_id=0, stream_id=" + std::to_string(stream) +
           ", report_stream_id=" + std::to_string(stream) + ", task_id=" + std::to_string(task) +
           ", flip_num=3, fault kernel_name=" + std::string(kernel) +
           ", fault kernel info ext=none, program id=9, hash=1061203922965803.\n";
}

}  // namespace

TEST_CASE("golden 2022: the failure's line names node, GE's model and, with the model's line, the runtime's") {
    const Location location = located(R"(
[ERROR] RUNTIME(7100,msame):2026-03-04-10:00:03.100.200 [task.cc:1011]7100 PrintErrorInfo:[EXEC][DEFAULT]Aicore kernel execute failed, device_id=0, stream_id=27, report_stream_id=21, task_id=33, flip_num=0, fault kernel_name=15505736118314610000-1_0_2_Mul_44, func_name=te_mul_0a0b0c_1__kernel0, program id=22, hash=3338199064661472.
[ERROR] RUNTIME(7100,msame):2026-03-04-10:00:03.100.300 [task.cc:3237]7100 PrintErrorInfo:[EXEC][DEFAULT]model execute task failed, device_id=0, model stream_id=21, model task_id=1, flip_num=0, model_id=5, first_task_id=65535
[ERROR] ASCENDCL(7100,msame):2026-03-04-10:00:03.100.400 [model.cpp:1537]7100 aclmdlExecute: [EXEC][DEFAULT][Exec][Model]modelId[2] execute failed, result[507011]
)",
                                      {27, 33}, 4000);
    CHECK(shown(location.op) == "Mul_44|-|15505736118314610000-1_0_2_Mul_44|kernel");
    CHECK(operator_lines(location) == "plog-7100:1");
    CHECK(shown(location.model) == "-|5|2|-");
    CHECK(model_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 2022: a node of nested scopes behind session and graph") {
    const Location location = located(R"(
[ERROR] RUNTIME(7100,xtoy):2026-03-04-10:00:03.100.200 [task.cc:1019]7139 PrintErrorInfo:[EXEC][DEFAULT]Aicore kernel execute failed, device_id=0, stream_id=0, report_stream_id=0, task_id=715, flip_num=0, fault kernel_name=12646006_1663210912148832_-1_0_loop/block_0/decoder/cell/Select, func_name=te_select_7b31_1__kernel0, program id=131, hash=147360951263.
[ERROR] GE(7100,xtoy):2026-03-04-10:00:03.100.300 [graph_execute.cc:547]7139 GetOpDescInfo: ErrorNo: 4294967295(failed) [EXEC][DEFAULT][Get][OpDescInfo] failed, device_id:0, stream_id:0, task_id:715.
[ERROR] ASCENDCL(7100,xtoy):2026-03-04-10:00:03.100.400 [model.cpp:2206]7139 aclmdlCreateAndGetOpDesc: [EXEC][DEFAULT][Get][OpDescInfo]get op desc failed, ge result[-1], deviceId[0], streamId[0], taskId[715]
)",
                                      {0, 715}, 4000);
    CHECK(shown(location.op) ==
          "loop/block_0/decoder/cell/Select|-|12646006_1663210912148832_-1_0_loop/block_0/decoder/cell/Select|kernel");
    CHECK(operator_lines(location) == "plog-7100:1");
    CHECK(shown(location.model) == "none");
}

TEST_CASE("golden 2023: the static model by binding, stream line and graph line") {
    const Location location = located(log_2023, {145, 5, 46}, 30'000);
    CHECK(shown(location.op) == "Counter/AssignAdd|-|00_7_Counter/AssignAdd|exact");
    CHECK(operator_lines(location) == "plog-7100:6 plog-7100:9");
    CHECK(shown(location.model) == "-|46|4|7");
    CHECK(model_lines(location) == "plog-7100:3 plog-7100:5 plog-7100:10");
    CHECK(remarks_of(location).empty());
}

TEST_CASE("golden 2023: the dynamic graph by its trace; its stream belongs to no model of the runtime") {
    const Location location = located(log_2023, {3, 8}, 50'600);
    CHECK(shown(location.op) == "ScatterNd|-|2_0_11_ScatterNd|exact");
    CHECK(operator_lines(location) == "plog-7100:13 plog-7100:15");
    CHECK(shown(location.model) == "none");
}

TEST_CASE("golden 2023: after the stream was freed its ids mean nothing") {
    const Location location = located(log_2023, {145, 5, 46}, 67'000);  // clocks differ by 5 s at most
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location).find("warning stream_closed") != std::string::npos);
}

TEST_CASE("golden 2023: the report on a failure adds the type; its repetition by GetError is no second answer") {
    const Location location = located(std::string(log_2023) + std::string(failure_2023.substr(1)), {3, 8}, 50'600);
    CHECK(shown(location.op) == "ScatterNd|ScatterNd|2_0_11_ScatterNd|exact");
    CHECK(candidates_of(location).empty());
    CHECK(operator_lines(location) == "plog-7100:13 plog-7100:15 plog-7100:21");
}

TEST_CASE("golden 2024: type before the hash, and nothing else, from the kernel's name") {
    const std::string kernel = "ToyDiv_0123456789abcdef0123456789abcdef_high_precision_210000000";
    const Location location = located(fault_line(kernel, 4, 57003, "PrintErrorInfoForDavinciTask"), {4, 57003}, 4000);
    CHECK(shown(location.op) == "-|ToyDiv|" + kernel + "|kernel");
    CHECK(operator_lines(location) == "plog-7100:1");
    CHECK(shown(location.model) == "none");
}

TEST_CASE("golden 2024: the lines of a child stand in the file that is named after its parent") {
    const std::string kernel = "ToyAttention_fedcba9876543210fedcba9876543210_10000000000022420943_mix_aic";
    const std::string printed = fault_line(kernel, 42, 1, "PrintErrorInfoForDavinciTask", 7170);
    const std::string again = fault_line(kernel, 42, 1, "GetError", 7170);
    const Location location = located(
        "[ERROR] RUNTIME(7100,python3):2026-03-04-10:00:01.335.920 [stars_engine.cc:1396]7100 "
        "ProcLogicCqReport:[INIT][DEFAULT]Task run failed, device_id=0, stream_id=41, task_id=1, sqe_type=0(ffts), "
        "errType=0x1(task exception), sqSwStatus=0\n" +
            printed + again,
        {42, 1}, 4000);
    CHECK(shown(location.op) == "-|ToyAttention|" + kernel + "|kernel");
    CHECK(candidates_of(location).empty());
    CHECK(operator_lines(location) == "plog-7100:2");
}

TEST_CASE("golden 2025: without stages, beside a firmware log whose clock is hours away and whose task is another") {
    const LogFile host{std::string(host_log), R"(
[ERROR] RUNTIME(7100,run_toy_op):2026-03-04-10:00:03.390.201 [davinci_kernel_task.cc:1238]7100 PrintErrorInfoForDavinciTask:Aicore kernel execute failed, device_id=0, stream_id=2, report_stream_id=2, task_id=1, flip_num=0, fault kernel_name=ToyCustom_ab00b6750d7f510985325b603cb06d00_0, fault kernel info ext=none, program id=1, hash=2798503433.
[ERROR] RUNTIME(7100,run_toy_op):2026-03-04-10:00:03.390.336 [task_info.cc:1607]7100 GetArgsInfo:[AIC_INFO] args(0 to 9) after execute:0x4f453840, 0x124201ea7400, 
)"};
    const LogFile firmware{"firmware/debug/device-0/device-0_20260304033003000.log", R"(
[ERROR] TSCH(-1,null):2026-03-04-03:30:03.198.791 2170 (dieid:0,cpuid:0) [stars_interrupt.c:3932] proc_stars_acc_exception_inner: rtsq_id=2, sq_head=0, sq_tail=1, acsq_id=78, stream_id=2, task_id=0, sqe_type=0
)"};
    const Location location = located({host, firmware}, {2, 1}, 4000);
    CHECK(shown(location.op) == "-|ToyCustom|ToyCustom_ab00b6750d7f510985325b603cb06d00_0|kernel");
    CHECK(operator_lines(location) == "plog-7100:1");
    CHECK(shown(located({host, firmware}, {2, 0}, 4000).op) == "none");
}

TEST_CASE("golden 2025: type before formats and data types, where the name has no hash") {
    const std::string kernel = "ToyDispatchV2_ND_ND_BF16_INT8_high_performance_2000001002";
    CHECK(shown(located(fault_line(kernel, 2, 7267, "PrintErrorInfoForDavinciTask"), {2, 7267}, 4000).op) ==
          "-|ToyDispatchV2|" + kernel + "|kernel");
}

TEST_CASE("golden 2025: kernels of users are shown as they are; a mangled one is explained") {
    CHECK(shown(located(fault_line("gather_and_store_200000000", 2, 9, "PrintErrorInfo"), {2, 9}, 4000).op) ==
          "-|-|gather_and_store_200000000|kernel");
    const Location mangled = located(fault_line("_Z9toy_scalePfj", 2, 9, "PrintErrorInfo"), {2, 9}, 4000);
    CHECK(shown(mangled.op) == "-|-|_Z9toy_scalePfj|kernel");
    CHECK(message_of(mangled, "kernel_demangled").find("toy_scale(float*, unsigned int)") != std::string::npos);
}

TEST_CASE("golden 2025: the dump module's line has type and call exchanged for operators of the aclnn interface") {
    const std::string kernel = "RangeV3_00112233445566778899aabbccddeeff_high_performance_10330";
    const Location location = located(
        "[INFO] IDEDD(7100,python3):2026-03-04-10:00:03.767.890 [dump_operator.cpp:140][tid:7100] [AIC_INFO] "
        "node_name:RangeV3AiCore, node_type:aclnnToySelect_0_L0, stream_id:2, task_id:1, context_id:4294967295, "
        "thread_id:\n" +
            fault_line(kernel, 2, 1, "PrintErrorInfoForDavinciTask"),
        {2, 1}, 4000);
    CHECK(shown(location.op) == "aclnnToySelect_0_L0|RangeV3|" + kernel + "|exact");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 2025: a kernel whose name is none or empty is no kernel") {
    for (const std::string_view kernel : {"none", ""}) {
        const Location location = located(fault_line(kernel, 2, 9, "PrintErrorInfoForDavinciTask"), {2, 9}, 4000);
        CHECK_MESSAGE(shown(location.op) == "none", kernel);
    }
}
