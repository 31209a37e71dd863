#include "task_lines.hpp"

#include <fmt/format.h>

namespace opdebug::bench {
namespace {

constexpr int kSendThread = 9043;  ///< which wrote the launch lines until 2021

std::string submitted(const LaunchedTask& task) {
    return fmt::format(
        "{} task, stream_id={}, task_id={}, task_type=0 (KERNEL_AICORE), head={}, tail={}, delay recycle "
        "task num={}.",
        task.of_model ? "persistent" : "public", task.stream, task.task, task.number % 1024, task.number % 1024 + 1,
        task.number % 64);
}

void add_launch_2021(test::LogText& log, const LaunchedTask& task) {
    const std::string_view kind = task.of_model ? "persistent" : "public";
    log.thread(kSendThread)
        .runtime_2021(
            "AddTaskToStream",
            fmt::format("recorded {} task to stream, stream_id={}, task_id={}, task_type=0, head={}, tail={}, "
                        "delay recycle task num={}",
                        kind, task.stream, task.task, task.number % 1024, task.number % 1024 + 1, task.number % 64))
        .runtime_2021(
            "KernelTaskEventLogProc",
            fmt::format("device_id={}, stream_id={}, task_id={}, kernel_name={}, devfunc_name = te_{:x}_{}_1__"
                        "kernel0 task_type=AiCoreKernel, task_launched_num={}",
                        task.device, task.stream, task.task, task.of.kernel, task.number * 0x9E3779B9, task.of.type,
                        task.number));
}

void add_launch_2023(test::LogText& log, const LaunchedTask& task) {
    const int stream = static_cast<int>(task.stream), id = static_cast<int>(task.task);
    log.launch_2023(stream, id, task.of.kernel)
        .runtime("SubmitTask", fmt::format("stream_id={}, task_id={}, task_type=0 (KERNEL_AICORE)", stream, id))
        .runtime(task.of_model ? "AddTaskToStream" : "AddTaskToList", submitted(task));
    if (!task.of_model) {
        log.kernel_trace(task.of.name, stream, id);
    }
}

/// What all launch lines from 8.5 on end with.
std::string launch_end(const LaunchedTask& task) {
    return fmt::format(
        "addr1=0x12c0c00{:05x}, addr2=0x0, stubFunc=0xffff8cc3{:04x}, kernelFlag=0x0, qos=0, partId=0, "
        "schemMode=0, infoAddr=(nil), atomicIndex={}",
        task.number % 977, task.number % 977, task.number % 8);
}

void add_sent(test::LogText& log, const LaunchedTask& task) {
    log.runtime("AllocTaskAndSendStars",
                fmt::format("device_id={}, ts_id=0, sq_id={}, cq_id={}, stream_id={}, task_id={}, "
                            "task_type=0(KERNEL_AICORE), sendSqeNum=1, isSupportASyncRecycle=1, isNeedPostProc=0, "
                            "davinciHead=0, davinciTail=0, taskHead={}, taskTail={}, bindFlag=0, head={}, tail={}, "
                            "delay recycle num=0.",
                            task.device, task.stream, task.stream, task.stream, task.task, task.number % 1024,
                            task.number % 1024 + 1, task.number % 2048, task.number % 2048 + 1));
}

void add_launch_8_5(test::LogText& log, const LaunchedTask& task) {
    log.runtime("LaunchKernel", fmt::format("device_id={}, stream_id={}, task_id={}, kernelType=0, kernel_name={}, "
                                            "arg_size={}, taskRation=0, funcType=0, mixType=0, {}.",
                                            task.device, task.stream, task.task, task.of.kernel, 64 + task.number % 9,
                                            launch_end(task)));
    add_sent(log, task);
}

/// From 9.x on the launch line may print task 0: only the submission shows the id.
void add_launch_9_1(test::LogText& log, const LaunchedTask& task) {
    if (task.number % 16 == 5) {
        log.runtime(
            "UpdateKernelTaskInfoWithArgsAndCfg",
            fmt::format("device_id={}, stream_id={}, task_id={}, kernelAttrType=AICORE, kernel_name={}, "
                        "arg_size={}, blockDim=24, taskRation=0, funcType=0, mixType=0, {}, "
                        "dynamicShareMemSize=0, simtDcuSmSize=0.",
                        task.device, task.stream, task.task, task.of.kernel, 64 + task.number % 9, launch_end(task)));
    } else {
        log.runtime("StreamLaunchKernelV1",
                    fmt::format("device_id={}, stream_id={}, task_id=0, kernelAttrType=AICORE, kernel_name={}, "
                                "arg_size={}, taskRation=0, funcType=0, coreDim=24, mixType=0, {}, "
                                "isNoNeedH2DCopy=0, isUpdateSinkSqe=0.",
                                task.device, task.stream, task.of.kernel, 64 + task.number % 9, launch_end(task)));
    }
    add_sent(log, task);
}

void add_binding(test::LogText& log, CannTime cann, int stream) {
    switch (cann) {
        case CannTime::y2021:
            log.runtime_2021("ModelBindStream",
                             fmt::format("model bind stream, model_id={}, stream_id={}, flag=0", kModelId, stream));
            break;
        case CannTime::y2023:
            log.runtime("ModelBindStream", fmt::format("model_id={}, stream_id={}, flag=0.", kModelId, stream));
            break;
        case CannTime::v8_5:
        case CannTime::v9_1: log.bind(static_cast<int>(kModelId), stream, "net"); break;
    }
    log.ge("InitRuntimeResource",
           fmt::format("Logical stream index: {}, rtstream: {}, model: 1, stream flag: 257.", stream, stream));
}

}  // namespace

void add_launch(test::LogText& log, CannTime cann, const LaunchedTask& task) {
    switch (cann) {
        case CannTime::y2021: add_launch_2021(log, task); break;
        case CannTime::y2023: add_launch_2023(log, task); break;
        case CannTime::v8_5: add_launch_8_5(log, task); break;
        case CannTime::v9_1: add_launch_9_1(log, task); break;
    }
    if (task.of_model) {
        log.save_dump_task(task.of.name, static_cast<int>(task.stream), static_cast<int>(task.task));
    }
}

void add_set_up(test::LogText& log, std::uint64_t rank) {
    const CannTime cann = cann_time_of(rank);
    const int device = static_cast<int>(rank);
    for (std::uint64_t stream = kFirstStream; stream < kFirstStream + kStreams; ++stream) {
        log.set_up_stream(static_cast<int>(stream), device);
    }
    for (std::uint64_t stream = kModelStream; stream < kModelStream + 2; ++stream) {
        log.set_up_stream(static_cast<int>(stream), device);
        add_binding(log, cann, static_cast<int>(stream));
    }
    log.ge("Init", fmt::format("[GEPERFTRACE] The time cost of GraphLoader::DavinciModel::Init is [{}] micro seconds, "
                               "name[net]model_id[1]graph_id[1].",
                               5120 + rank));
    for (std::uint64_t number = 0; number < kModelOperators; ++number) {
        const Operator of = operator_of(number, cann, true);
        add_launch(log, cann, {rank, kModelStream + number % 2, 2 + number, number, true, of});
    }
}

}  // namespace opdebug::bench
