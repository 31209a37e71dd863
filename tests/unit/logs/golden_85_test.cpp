// Logs from CANN 8.5 on: launch lines whose task id is not final, the submit lines that give it, captured graphs.
#include <doctest/doctest.h>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kernel = "ToyNorm_0123456789abcdef0123456789abcdef_high_performance_31000";

/// A line of the runtime since 2023, of second 1.
std::string runtime(std::string_view function, std::string_view text, int thread = 7155) {
    const std::string tid = std::to_string(thread);
    return "[INFO] RUNTIME(7100,python):2026-03-04-10:00:01.100.200 [context.cc:1301] " + tid + " " +
           std::string(function) + ": " + std::string(text) + "\n";
}

std::string launch_with_handle(std::string_view name, int stream, int printed_task = 0, int thread = 7155) {
    return runtime("StreamLaunchKernelWithHandle",
                   "kernel info : device_id=0, stream_id=" + std::to_string(stream) + ", task_id=" +
                       std::to_string(printed_task) + ", kernelAttrType=AICORE, kernel_name=" + std::string(name) +
                       ", arg_size=96, coreDim=24, mixType=0, taskRation=0, funcType=3, addr1=0x12c0c0012000, "
                       "addr2=0x0, kernelFlag=0x0, qos=0, partId=0, schemMode=0, infoAddr=(nil), atomicIndex=0, "
                       "isNoNeedH2DCopy=0, isUpdateSinkSqe=0.",
                   thread);
}

std::string sent(int stream, int task, int task_type = 0, int thread = 7155) {
    return runtime("AllocTaskAndSendStars",
                   "device_id=0, ts_id=0, sq_id=5, cq_id=5, stream_id=" + std::to_string(stream) +
                       ", task_id=" + std::to_string(task) + ", task_type=" + std::to_string(task_type) +
                       "(TASK), sendSqeNum=1, isSupportASyncRecycle=1, isNeedPostProc=0, davinciHead=0, "
                       "davinciTail=1, taskHead=0, taskTail=1, bindFlag=0, head=4, tail=5, delay recycle num=0.",
                   thread);
}

/// The same lines a second later: a line that is the same in all, also in its time, counts once.
std::string later(std::string lines) {
    for (std::size_t at = lines.find("10:00:01."); at != std::string::npos; at = lines.find("10:00:01.", at)) {
        lines.replace(at, 9, "10:00:02.");
    }
    return lines;
}

}  // namespace

TEST_CASE("golden 8.5: LaunchKernel, its task id is that of the submit line") {
    const Location location = located(
        runtime("LaunchKernel", "kernel info : stream_id=6, task_id=0, kernelType=0, arg_size=96, mixType=0") +
            runtime("LaunchKernel",
                    "device_id=0, stream_id=6, task_id=0, kernelType=0, kernel_name=" + kernel +
                        ", arg_size=96, taskRation=0, funcType=3, mixType=0, addr1=0x12c0c0012000, addr2=0x0, "
                        "stubFunc=0x55aa, flag=0, kernelFlag=0x0, qos=0, partId=0, schemMode=0, infoAddr=(nil), "
                        "atomicIndex=0.") +
            sent(6, 411),
        {6, 411}, 4000);
    CHECK(shown(location.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(operator_lines(location) == "plog-7100:2 plog-7100:3");
    CHECK(shown(location.model) == "none");
    CHECK(remarks_of(location).find("task_id_unconfirmed") == std::string::npos);
}

TEST_CASE("golden 8.5: LaunchKernelWithHandle, sent by an AI Core engine line") {
    const Location location =
        located(runtime("LaunchKernelWithHandle",
                        "kernel info : device_id=0, stream_id=6, task_id=0, kernelType=0, kernel_name=" + kernel +
                            ", arg_size=96, mixType=0, taskRation=0, funcType=3, addr1=0x12c0c0012000, addr2=0x0, "
                            "flag=0, kernelFlag=0x0, qos=0, partId=0, schemMode=0, infoAddr=(nil), atomicIndex=0.") +
                    runtime("SendTask",
                            "Sq task send finished, device_id=0, ts_id=0, sq_id=5, cq_id=5, stream_id=6, task_id=412, "
                            "task_type=0(KERNEL_AICORE), bindFlag=0, head=4, tail=5, delay recycle task num=0."),
                {6, 412}, 4000);
    CHECK(shown(location.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 8.5: the second form of LaunchKernel, sent directly; a full stop stands before the task") {
    const Location location =
        located(runtime("LaunchKernel",
                        "kernel info : device_id=0, stream_id=6, task_id=0, kernelType=0, kernel_name=" + kernel +
                            ", arg_size=96, coreDim=24, taskRation=0, funcType=3, addr1=0x12c0c0012000, addr2=0x0, "
                            "mixType=0, kernelFlag=0x0, qos=0, partId=0, schemMode=0, infoAddr=(nil), atomicIndex=0.") +
                    runtime("AllocTaskAndSendDc",
                            "task send ok: device_id=0, ts_id=0, sq_id=5, cq_id=5, stream_id=6. task_id=413, "
                            "task_type=66(KERNEL_AIVEC), reportCount=0, cmdCount=1."),
                {6, 413}, 4000);
    CHECK(shown(location.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 9.1: StreamLaunchKernelV1, V2 and WithHandle") {
    const std::string v1 =
        "device_id=0, stream_id=6, task_id=0, kernelAttrType=AICORE, kernel_name=" + kernel +
        ", arg_size=96, taskRation=0, funcType=3, coreDim=24, mixType=0, addr1=0x12c0c0012000, addr2=0x0, "
        "stubFunc=0x55aa, kernelFlag=0x0, qos=0, partId=0, schemMode=0, infoAddr=(nil), atomicIndex=0, "
        "isNoNeedH2DCopy=0, isUpdateSinkSqe=0.";
    const std::string v2 =
        "kernel info : device_id=0, stream_id=6, task_id=0, kernelAttrType=2, kernel_name=" + kernel +
        ", arg_size=96, coreDim=24, taskRation=0, funcType=3, addr1=0x12c0c0012000, addr2=0x0, "
        "mixType=0, kernelFlag=0x0, qos=0, partId=0, schemMode=0, infoAddr=(nil), atomicIndex=0, "
        "prefetchCnt1=1, prefetchCnt2=0, isNoNeedH2DCopy=0.";
    for (const std::string& launch :
         {runtime("StreamLaunchKernelV1", v1), runtime("StreamLaunchKernelV2", v2), launch_with_handle(kernel, 6)}) {
        const Location location = located(launch + sent(6, 414), {6, 414}, 4000);
        CHECK_MESSAGE(shown(location.op) == "-|ToyNorm|" + kernel + "|kernel", launch);
        CHECK_MESSAGE(operator_lines(location) == "plog-7100:1 plog-7100:2", launch);
    }
}

TEST_CASE("golden 8.5: submit lines of other tasks between launch and submit are passed over") {
    const std::string flip =
        runtime("AllocAndSendFlipTask", "SendFlipTask dev_id=0, stream_id=6, task_id=0, flipNum=3");
    const Location location =
        located(launch_with_handle(kernel, 6) + sent(6, 0, 6) + flip + sent(6, 1, 2) + sent(6, 2), {6, 2}, 4000);
    CHECK(shown(location.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:5");
}

TEST_CASE("golden 8.5: launches of two threads on one stream keep their own submit lines") {
    const std::string log = launch_with_handle("toy_first", 6, 0, 7155) + launch_with_handle("toy_second", 6, 0, 7156) +
                            sent(6, 21, 0, 7156) + sent(6, 22, 0, 7155);
    CHECK(shown(located(log, {6, 21}, 4000).op) == "-|-|toy_second|kernel");
    CHECK(operator_lines(located(log, {6, 21}, 4000)) == "plog-7100:2 plog-7100:3");
    CHECK(shown(located(log, {6, 22}, 4000).op) == "-|-|toy_first|kernel");
    CHECK(operator_lines(located(log, {6, 22}, 4000)) == "plog-7100:1 plog-7100:4");
}

TEST_CASE("golden 8.5: a launch that the thread's next launch overtook was never sent") {
    const std::string log = launch_with_handle("toy_failed", 6) + launch_with_handle("toy_sent", 6) + sent(6, 21);
    const Location location = located(log, {6, 21}, 4000);
    CHECK(shown(location.op) == "-|-|toy_sent|kernel");
    CHECK(operator_lines(location) == "plog-7100:2 plog-7100:3");
}

TEST_CASE("golden 8.5: the first task of a new stream has number 0 in both lines") {
    const Location location = located(launch_with_handle(kernel, 6) + sent(6, 0), {6, 0}, 4000);
    CHECK(shown(location.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(remarks_of(location).find("task_id_unconfirmed") == std::string::npos);
}

TEST_CASE("golden 8.5: without submit lines a printed number answers; 0, which stands for none yet, is not confirmed") {
    const Location numbered = located(launch_with_handle(kernel, 6, 37), {6, 37}, 4000);
    CHECK(shown(numbered.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(operator_lines(numbered) == "plog-7100:1");
    CHECK(remarks_of(numbered).find("task_id_unconfirmed") == std::string::npos);
    const Location zero = located(launch_with_handle(kernel, 6, 0), {6, 0}, 4000);
    CHECK(shown(zero.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(remarks_of(zero).find("warning task_id_unconfirmed") != std::string::npos);
}

TEST_CASE("golden 8.5: an empty kernel name is no kernel, and the launch before it under the same number is over") {
    const std::string log =
        launch_with_handle("toy_before", 6) + sent(6, 21) + later(launch_with_handle("", 6) + sent(6, 21));
    const Location location = located(log, {6, 21}, 9000);  // clocks differ by 5 s at most
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location).find("kernel_unnamed") != std::string::npos);
}

TEST_CASE("golden 8.5: an AICPU kernel ends with a full stop that is no part of its name") {
    const std::string launch = runtime("StreamLaunchCpuKernel",
                                       "device_id=0, stream_id=6, task_id=0, flag=0, kernelFlag=0x2, blkdim=1, "
                                       "soName=libtoy_kernels.so, kernel_name=RunToyKernel.");
    const Location location = located(launch + sent(6, 21, 1), {6, 21}, 4000);
    CHECK(shown(location.op) == "-|-|RunToyKernel|kernel");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 8.5: of a model, run log and debug log together tell node, kernel, both ids and name") {
    const LogFile run{"run/plog/plog-7100_20260304100000100.log",
                      "[INFO] RUNTIME(7100,python):2026-03-04-10:00:00.900.100 [api_error.cc:3940] 7155 "
                      "ModelBindStream: model_id=12, stream_id=48, model_name=toy_graph_3, flag=0, group_id=0.\n"};
    const LogFile debug{std::string(host_log),
                        launch_with_handle(kernel, 48) + sent(48, 3) +
                            "[INFO] GE(7100,python):2026-03-04-10:00:01.101.000 [data_dumper.cc:255]7155 "
                            "SaveDumpTask:Save dump task block_1/norm.1, task id: 3, stream id: 48, context id: "
                            "65535, thread id: 65535, is_op_debug: 1.\n"
                            "[INFO] GE(7100,python):2026-03-04-10:00:01.102.000 [davinci_model.cc:1480]7155 "
                            "InitRuntimeResource:Logical stream index: 0, rtstream: 48, model: 2, stream flag: 256.\n"};
    const Location location = located({run, debug}, {48, 3, 12}, 4000);
    CHECK(shown(location.op) == "block_1/norm.1|ToyNorm|" + kernel + "|exact");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2 plog-7100:3");
    CHECK(shown(location.model) == "toy_graph_3|12|2|-");
    CHECK(model_lines(location) == "plog-7100:1 plog-7100:4");
    CHECK(remarks_of(location).empty());
}

TEST_CASE("golden 8.5: captured graph, a launch on the origin stream is a task of the capture stream") {
    const std::string begin =
        runtime("StreamBeginCapture",
                "capture begin success, device_id=0, model_id=90 original stream_id=6, capture stream_id=52, "
                "stream_status=1, isSubmodel=0, parent model_id=4294967295.");
    const std::string task =
        runtime("AllocCaptureTask",
                "Alloc task in capture stream successfully, device id=0, origin stream_id=6, capture stream_id=52, "
                "task sequence id=7.");
    const std::string add =
        runtime("AddStreamToCaptureModel",
                "add stream to capture model, device_id=0, model_id=90, add stream_id=8, stream_status=1, capture "
                "stream_id=53, retCode=0.");
    const std::string end =
        runtime("StreamEndCapture",
                "capture end success, device_id=0, original stream_id=6, capture stream_id=52, capture model_id=90.");
    const std::string after = launch_with_handle("toy_after", 6) + sent(6, 7);
    const std::string log = begin + add + launch_with_handle(kernel, 6) + task + sent(52, 7) + end + after;
    const Location captured = located(log, {52, 7, 90}, 4000);
    CHECK(shown(captured.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(operator_lines(captured) == "plog-7100:3 plog-7100:5");
    CHECK(shown(captured.model) == "-|90|-|-");
    const Location single = located(log, {6, 7}, 4000);
    CHECK(shown(single.op) == "-|-|toy_after|kernel");
    CHECK(operator_lines(single) == "plog-7100:7 plog-7100:8");
    CHECK(shown(single.model) == "none");
}

TEST_CASE("golden 8.5: captured graph, a task that is updated runs the new kernel from then on") {
    const std::string begin =
        runtime("StreamBeginCapture",
                "capture begin success, device_id=0, model_id=90 original stream_id=6, capture stream_id=52, "
                "stream_status=1, isSubmodel=0, parent model_id=4294967295.");
    std::string update = runtime(
        "UpdateKernelTaskInfoWithArgsAndCfg",
        "device_id=0, stream_id=52, task_id=7, kernelAttrType=1, kernel_name=toy_new, arg_size=96, blockDim=24, "
        "taskRation=0, funcType=3, addr1=0x12c0c0013000, addr2=0x0, mixType=0, kernelFlag=0x0, qos=0, partId=0, "
        "schemMode=0, infoAddr=(nil), atomicIndex=0.");
    update.replace(update.find("10:00:01."), 9, "10:00:30.");
    const std::string log = begin + launch_with_handle("toy_old", 6) + sent(52, 7) + update;
    const Location before = located(log, {52, 7, 90}, 4000);
    CHECK(shown(before.op) == "-|-|toy_old|kernel");
    const Location after = located(log, {52, 7, 90}, 60'000);
    CHECK(shown(after.op) == "-|-|toy_new|kernel");
    CHECK(operator_lines(after) == "plog-7100:4");
    CHECK(shown(after.model) == "-|90|-|-");
}

TEST_CASE("golden 8.5: captured graph, a further stream of the user's goes to a capture stream of its own") {
    const std::string add =
        runtime("AddStreamToCaptureModel",
                "add stream to capture model, device_id=0, model_id=90, add stream_id=8, stream_status=1, capture "
                "stream_id=53, retCode=0.");
    const std::string log =
        add + launch_with_handle(kernel, 8) + sent(53, 1) + launch_with_handle("toy_after", 8) + sent(8, 7);
    const Location captured = located(log, {53, 1, 90}, 4000);
    CHECK(shown(captured.op) == "-|ToyNorm|" + kernel + "|kernel");
    CHECK(shown(captured.model) == "-|90|-|-");
    const Location single = located(log, {8, 7}, 4000);
    CHECK(shown(single.op) == "-|-|toy_after|kernel");
    CHECK(shown(single.model) == "none");
}
