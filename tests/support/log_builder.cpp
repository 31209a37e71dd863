// Log lines of our own in the texts of each module.
#include "log_builder.hpp"

#include <iterator>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "logs/processes/builder.hpp"
#include "match_lines.hpp"

namespace opdebug::test {

LogText& LogText::at(std::int64_t milliseconds) {
    return at_us(milliseconds * 1000);
}

LogText& LogText::at_us(std::int64_t microseconds) {
    microseconds_ = microseconds;
    return *this;
}

LogText& LogText::thread(int tid) {
    tid_ = tid;
    return *this;
}

LogText& LogText::line(std::string_view level, std::string_view module, std::string_view rest) {
    const std::int64_t of_day = 10 * 3'600'000'000 + microseconds_, seconds = of_day / 1'000'000;
    fmt::format_to(std::back_inserter(text_), "[{}] {}({},train):2026-03-04-{:02}:{:02}:{:02}.{:03}.{:03} {}\n", level,
                   module, pid_, seconds / 3600, seconds / 60 % 60, seconds % 60, of_day / 1000 % 1000, of_day % 1000,
                   rest);
    return *this;
}

LogText& LogText::ge(std::string_view function, std::string_view message, std::string_view level) {
    return line(level, "GE", fmt::format("[model.cc:12]{} {}:{}", tid_, function, message));
}

LogText& LogText::runtime(std::string_view function, std::string_view message, std::string_view level) {
    return line(level, "RUNTIME", fmt::format("[context.cc:12] {} {}: {}", tid_, function, message));
}

LogText& LogText::runtime_2021(std::string_view function, std::string_view message, std::string_view level) {
    return line(level, "RUNTIME", fmt::format("[logger.cc:12]{} {}:{}", tid_, function, message));
}

LogText& LogText::acl(std::string_view function, std::string_view message) {
    return line("INFO", "ASCENDCL", fmt::format("[model.cpp:12]{} {}: {}", tid_, function, message));
}

LogText& LogText::device(std::string_view function, std::string_view message) {
    return line("INFO", "CCECPU", fmt::format("[dump_task.cpp:12][{}][tid:{}] {}", function, tid_, message));
}

LogText& LogText::set_up_stream(int stream, int device) {
    return runtime("Setup", fmt::format("stream setup end, stream_id={}, IsTaskSink=0, sqId=8, cqId=9, deviceId={}, "
                                        "streamResId=3",
                                        stream, device));
}

LogText& LogText::free_stream(int stream) {
    return runtime("StreamIdFree", fmt::format("Stream id free success, stream_id={}, device_id=0, tsId=0", stream));
}

LogText& LogText::bind(int model, int stream, std::string_view name) {
    return runtime("ModelBindStream",
                   fmt::format("model_id={}, stream_id={}, model_name={}, flag=0, group_id=0.", model, stream, name));
}

LogText& LogText::unbind(int model, int stream, std::string_view name) {
    return runtime("ModelUnbindStream",
                   fmt::format("model_id={}, stream_id={}, model_name={}, group_id=0.", model, stream, name));
}

LogText& LogText::save_dump_task(std::string_view op, int stream, int task) {
    return save_dump_context(op, stream, task, 65535, 65535);
}

LogText& LogText::save_dump_context(std::string_view op, int stream, int task, unsigned context, unsigned thread) {
    return ge("SaveDumpTask",
              fmt::format("Save dump task {}, task id: {}, stream id: {}, context id: {}, thread id: {}, "
                          "is_op_debug: 1.",
                          op, task, stream, context, thread));
}

LogText& LogText::kernel_trace(std::string_view node, int stream, int task) {
    return ge("OnExecuteEvent", fmt::format("[KernelTrace][LaunchKernelWithHandle_{}_417]stream_id={}, task_id={}, "
                                            "flip_num=0, flip_task_id={}",
                                            node, stream, task, task));
}

LogText& LogText::launch(int stream, int printed_task, std::string_view kernel) {
    return runtime(
        "StreamLaunchKernelWithHandle",
        fmt::format("kernel info : device_id=0, stream_id={}, task_id={}, kernelAttrType=AICORE, kernel_name={}, "
                    "arg_size=64, coreDim=24, mixType=0, taskRation=0, funcType=0",
                    stream, printed_task, kernel));
}

LogText& LogText::sent(int stream, int task, int task_type) {
    return runtime(
        "AllocTaskAndSendStars",
        fmt::format("device_id=0, ts_id=0, sq_id=5, cq_id=6, stream_id={}, task_id={}, task_type={}(KERNEL), "
                    "sendSqeNum=1, isSupportASyncRecycle=0, isNeedPostProc=0",
                    stream, task, task_type));
}

LogText& LogText::launch_2023(int stream, int task, std::string_view kernel) {
    return runtime("LaunchKernel", fmt::format("stream_id={}, task_id={}, kernelType=0, kernel_name={}, arg_size=32",
                                               stream, task, kernel));
}

LogText& LogText::launch_2021(int stream, int task, std::string_view kernel) {
    return runtime_2021("KernelTaskEventLogProc",
                        fmt::format("device_id=0, stream_id={}, task_id={}, kernel_name={}, devfunc_name = "
                                    "te_toy_1_2_1__kernel0 task_type=AiCoreKernel, task_launched_num=30",
                                    stream, task, kernel));
}

LogText rank_on(int pid, int device, std::string_view kernel) {
    LogText log(pid);
    log.at(1000 + pid)
        .runtime_2021("KernelTaskEventLogProc",
                      fmt::format("device_id={}, stream_id=5, task_id=7, kernel_name={}, devfunc_name = te_x "
                                  "task_type=AiCoreKernel, task_launched_num=1",
                                  device, kernel));
    return log;
}

std::shared_ptr<const TaskMap> map_of_files(const std::vector<LogFileText>& files) {
    logs::TaskMapBuilder builder;
    for (const auto& [path, text] : files) {
        builder.begin_file(path);
        builder.add(match_lines(text, *logs::built_in_log_formats()));
    }
    return builder.finish();
}

std::shared_ptr<const TaskMap> task_map_of(const std::vector<std::string>& texts) {
    std::vector<LogFileText> files;
    for (const std::string& text : texts) {
        files.emplace_back("log" + std::to_string(files.size()), text);
    }
    return map_of_files(files);
}

const logs::Process& process_of(const TaskMap& map, std::int64_t pid, bool on_device) {
    const logs::Process* found = nullptr;
    for (const logs::Process& process : map.contents().processes) {
        if (process.pid == pid && process.on_device == on_device) {
            found = &process;
        }
    }
    REQUIRE_MESSAGE(found != nullptr, pid);
    return *found;
}

}  // namespace opdebug::test
