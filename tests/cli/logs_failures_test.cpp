// `opdebug logs`: failures that no line ties to a task, waits for other ranks, and reasons of interleaved processes.
#include <doctest/doctest.h>

#include <string>

#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ordered_json tasks_in(const std::string& path) {
    const ProcessResult run = run_tool({"logs", path});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    return ordered_json::parse(run.out).at("tasks");
}

std::string text_of(const std::string& path) {
    const ProcessResult run = run_tool({"logs", path, "--format", "text"});
    CHECK(run.exit_status == 0);
    CHECK(run.err == "");
    return run.out;
}

std::string printed(const std::string& text, const std::string& after = "") {
    return text + "[FUNC:GetError][FILE:stream.cc][LINE:7]" + after + "\n";
}

std::string kernel_failed(int device, int task, const std::string& kernel) {
    return "Aicore kernel execute failed, device_id=" + std::to_string(device) +
           ", stream_id=2, report_stream_id=2, task_id=" + std::to_string(task) +
           ", flip_num=0, fault kernel_name=" + kernel + ", fault kernel info ext=none, program id=3, hash=12.";
}

std::string plog(const std::string& second, const std::string& text, int pid = 4711) {
    return "[ERROR] RUNTIME(" + std::to_string(pid) + ",python3):2026-10-12-09:41:" + second +
           ".318.452 [a.cc:7]4711 F:" + text + "\n";
}

const std::string core_error =
    "The extend info: errcode:(0x800000, 0, 0) errorStr: The DDR address of the MTE instruction is out of range. "
    "fixp_error0 info: 0x3, subErrType:4.";
const std::string torch_error =
    "RuntimeError: copy:a.cpp:25 NPU function error: AclrtSynchronizeStreamWithTimeout(stream), error code is 507035\n"
    "[ERROR] 2026-10-12-09:41:27 (PID:40123, Device:1, RankID:-1) ERR00100 PTA call acl api failed\n"
    "[Error]: The vector core execution is abnormal.\n";

}  // namespace

TEST_CASE("logs: a failure without its task is reported with device, process, code and next step") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "train.log", torch_error +
                                                                    printed("  rtDeviceSynchronizeWithTimeout execute "
                                                                            "failed, reason=[vector core exception]") +
                                                                    printed("EH9999: [PID: 40123] 2026-10-12-09:41:27."
                                                                            "318.452 wait for compute device to finish "
                                                                            "failed, runtime result = 507035."));
    const ordered_json tasks = tasks_in(log);
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0]["kind"] == "failed");
    CHECK(tasks[0]["device_id"] == 1);
    CHECK(tasks[0]["process_id"] == 40123);
    CHECK(tasks[0]["stream_id"].is_null());
    CHECK(tasks[0]["task_id"].is_null());
    CHECK(tasks[0]["return_code"] == 507035);
    const std::vector<std::string> lines = lines_of(text_of(log));
    CHECK(lines[0] == "FAILED  no task is named");
    CHECK(lines[1] == "  next: read the logs of process 40123: opdebug logs ~/ascend/log (plog-40123_*.log)");
    CHECK(lines[2] == "  device 1   process 40123   2026-10-12 09:41:27 (local time)");
    CHECK(lines[4] == "Why   507035  ACL_ERROR_RT_VECTOR_CORE_EXCEPTION");
    CHECK(contains(run_tool({"logs", log, "--format", "text", "--lang", "zh"}).out, "执行失败  没有给出任务"));
}

TEST_CASE("logs: failures without tasks, one for each device") {
    const TemporaryDirectory directory;
    std::string other = torch_error;
    other.replace(other.find("PID:40123, Device:1"), 19, "PID:40777, Device:5");
    const std::string both = write_file(directory / "both.log", torch_error + other);
    const ordered_json tasks = tasks_in(both);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0]["device_id"] == 1);
    CHECK(tasks[1]["device_id"] == 5);
    CHECK(tasks[1]["process_id"] == 40777);
    // The failed task of device 1 explains the error of its process, not that of device 5.
    const std::string one =
        write_file(directory / "one.log", torch_error + printed(kernel_failed(1, 7, "Add_0a1b")) + other);
    const ordered_json with_task = tasks_in(one);
    REQUIRE(with_task.size() == 2);
    CHECK(with_task[0]["task_id"] == 7);
    CHECK(with_task[0]["return_code"] == 507035);
    CHECK(with_task[1]["task_id"].is_null());
    CHECK(with_task[1]["device_id"] == 5);
}

TEST_CASE("logs: the chip, the core's error and a fault of the hardware") {
    const TemporaryDirectory directory;
    const std::string log = write_file(
        directory / "run.log",
        "[PID: 40123] 2026-10-12-09:41:27.318.452 Execution_Error(EZ2001): An error occurs on the device(chipId:3, "
        "dieId:0), the serial number is 4, the error is aicore error, core id is 14, error code = 0x800000, dump info: "
        "pc start: 0x12c0.\n"
        "Fault RAS occurs in the system: [event_id:0x80e01801] Uncorrectable ECC error. For details, see the "
        "manual.\n" +
            printed("        An error occurred in the kernel task, retCode=0x26, [aicore exception]."));
    const ordered_json tasks = tasks_in(log);
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0]["device_id"] == 3);
    CHECK(tasks[0]["return_code"] == 507015);
    const std::string text = text_of(log);
    CHECK(contains(text, "\n      RAS event_id 0x80e01801: Uncorrectable ECC error\n"));
    CHECK(contains(text, "\n      errcode 0x800000: A core"));
}

TEST_CASE("logs: errType is a reason only where no other is known") {
    const TemporaryDirectory directory;
    const std::string run_failed = plog(
        "27", "Task run failed, device_id=0, stream_id=2, task_id=6, sqe_type=0(ffts), errType=0x1(task exception)");
    const std::string core = plog("28", core_error);
    const std::string kernel = plog("29", kernel_failed(0, 6, "Blend_0a1b_3"));
    const std::string code = plog("28", "Kernel task happen error, retCode=0x31, [vector core exception].");
    CHECK(contains(text_of(write_file(directory / "plog-4711_1.log", run_failed + kernel)),
                   "\nWhy   errType 0x1: task exception\n"));
    const std::string errcode = "errcode 0x800000, 0, 0: The DDR address of the MTE instruction is out of range\n";
    const std::string both = text_of(write_file(directory / "plog-4711_1.log", run_failed + core + code + kernel));
    CHECK(contains(both, "\nWhy   507035 (retCode 0x31)  ACL_ERROR_RT_VECTOR_CORE_EXCEPTION\n"));
    CHECK(contains(both, "\n      " + errcode));
    CHECK_FALSE(contains(both, "errType"));
    // No line on the kernel follows, or none names it.
    CHECK(contains(text_of(write_file(directory / "plog-4711_1.log", run_failed + core)), "\nWhy   " + errcode));
}

TEST_CASE("logs: a wait for other ranks names them or asks for them") {
    const TemporaryDirectory directory;
    const std::string timeout =
        "The error from device(chipId:5, dieId:0), serial number is 17, hccl fftsplus task timeout occurred during "
        "task "
        "execution, stream_id:7, sq_id:7, task_id:9865, stuck notify num:3, timeout:1836.";
    const std::string log = write_file(directory / "serve.log", printed(timeout));
    const ordered_json tasks = tasks_in(log);
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0]["device_id"] == 5);
    CHECK(tasks[0]["stream_id"] == 7);
    CHECK(tasks[0]["task_id"] == 9865);
    CHECK(tasks[0]["task_type"] == "hccl fftsplus task");
    const std::string text = text_of(log);
    CHECK(contains(text,
                   "FAILED  not an operator, but a wait for other tasks: hccl fftsplus task\n"
                   "  next: check the ranks that did not report, and their logs\n"));
    const std::string located = write_file(
        directory / "located.log",
        "EI0002: [PID: 41] The wait execution of the Notify register times out. base information: [streamID:[1], "
        "taskID[131079], tag[AllReduce_group_1], AlgType(level 0-1-2):[ring].] task information: [\n"
        "Cluster Exception Location[IP/ID]:[192.0.2.7/1], Arrival Time:[x], Discoverer:[192.0.2.8/0], "
        "ExceptionType:[Heartbeat Lost Occurred], Possible Reason:1. Process has exited\n");
    CHECK(tasks_in(located)[0]["waited_for"][0] == "192.0.2.7/1");
    CHECK(contains(text_of(located),
                   "a wait for other tasks: AllReduce\n  next: check 192.0.2.7/1, which did not report\n"));
    // The task that failed comes before the wait that was reported first, and before the execution of its model.
    const std::string both = write_file(
        directory / "plog-4711_1.log",
        plog("27", "Task run failed, device_id=3, stream_id=4, task_id=9, sqe_type=7(notify wait), errType=0x20(x)") +
            plog("27", "Task exception! device_id=3, stream_id=0, task_id=1, type=13, retCode=0x91, [model failed].") +
            plog("28", "add error register: core_id=0, stream_id=74, task_id=12") + plog("28", core_error));
    const ordered_json ordered = tasks_in(both);
    REQUIRE(ordered.size() == 3);
    CHECK(ordered[0]["task_id"] == 12);
    CHECK(ordered[0]["evidence"].size() == 2);
    CHECK(contains(text_of(both), "FAILED  notify wait       device 3   stream 4   task 9"));
}

TEST_CASE("logs: lines of interleaved workers are joined by their process") {
    const TemporaryDirectory directory;
    const std::string a = "(Worker_TP0 pid=10) ERROR 09-17 05:36:01 [executor.py:654]        ";
    const std::string b = "(Worker_TP1 pid=11) ERROR 09-17 05:36:01 [executor.py:654]        ";
    const std::string log =
        write_file(directory / "serve.log",
                   printed(a + core_error) + printed(a + "Kernel task happen error, retCode=0x31, [vector core].") +
                       printed(b + kernel_failed(1, 8, "Add_0a1b")) + printed(a + kernel_failed(0, 7, "Gather_0a1b")));
    const ordered_json tasks = tasks_in(log);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0]["device_id"] == 1);
    CHECK(tasks[0]["return_code"].is_null());
    CHECK(tasks[1]["device_id"] == 0);
    CHECK(tasks[1]["return_code"] == 507035);
}

TEST_CASE("logs: printed errors with remarks after them") {
    const TemporaryDirectory directory;
    for (const char* remark :
         {"\x1b[32m [repeated 7x across cluster] (Ray deduplicates logs by default.)\x1b[0m", "^M"}) {
        CAPTURE(remark);
        const std::string log = write_file(directory / "serve.log", printed(kernel_failed(5, 8, "Add_0a1b"), remark));
        CHECK(tasks_in(log)[0]["operator"]["kernel"] == "Add_0a1b");
    }
}

TEST_CASE("logs: what is no failure, and which lines belong together") {
    struct Row {
        const char* subject;
        std::string file, text;
        std::string answer;  ///< of each task its kind, device and codes; "": none
    };
    const std::string kernel = plog("10", kernel_failed(0, 7, "Gather_0a1b"));
    const auto by_thread = [](std::string line, const std::string& thread) {
        return line.replace(line.find("]4711"), 5, "]" + thread);
    };
    const std::string sync =
        "RuntimeError: copy:a.cpp:25 NPU function error: AclrtSynchronizeStreamWithTimeout(stream), error code is ";
    const auto process = [](int pid, int device, const std::string& error = "ERR00100 PTA call acl api failed") {
        return "[ERROR] 2026-10-12-09:41:27 (PID:" + std::to_string(pid) + ", Device:" + std::to_string(device) +
               ", RankID:-1) " + error + "\n";
    };
    const std::string profile = "device id    : 0\nstream id    : 21\ntask id      : 118\nkernel name  : my_matmul\n";
    const std::string codes =
        "error code:500123\nHTTP call returned error code is 503001\n{\"error code\":507035}\n"
        "error code is 507035\nlatency error code:507018us\nExample: aclrtSynchronizeStream failed: 507015\n" +
        sync + "507035.5\n" + sync + "500001\n";
    const std::string other_errors = process(41, 0, "ERR01001 OPS invalid parameter") +
                                     process(41, 0, "ERR99999 UNKNOWN applicaiton exception") +
                                     process(41, 0, "ERR00006 PTA memory error");
    const std::string overflows =
        "An error occurred in the kernel task, retCode=0x0, [none]\n"
        "Kernel task happen error, retCode=0x2f, [aicore over flow].\n";
    const std::string sdma = "The error from device(chipId:5, dieId:0), serial number is 4, there is a sdma error, x";
    std::string recovered = plog("10", "Kernel task happen error, retCode=0x31, [vector core exception].");
    recovered.replace(recovered.find("ERROR"), 5, "INFO");
    const Row rows[] = {
        {"a profile", "prof.log", profile, ""},
        {"codes of other programs", "run.log", codes, ""},
        {"errors that are no task's", "run.log", other_errors, ""},
        {"... after a task", "run.log", printed(kernel_failed(0, 7, "Gather_0a1b")) + other_errors, "failed 0 -;"},
        {"codes of overflows", "run.log", overflows, ""},
        {"an overflow", "plog-4711_1.log",
         plog("10", "Task exception! device_id=0, stream_id=2, task_id=6, type=0, retCode=0x2f, [aicore over flow].") +
             plog("12", "Kernel task happen error, retCode=0x2f, [aicore over flow]."),
         "overflow 0 207003;"},
        {"another unit", "plog-4711_1.log",
         kernel + plog("12", "Kernel task happen error, retCode=0x28, [aicpu timeout]."),
         "failed 0 -;failed - 507017;"},
        {"another thread", "plog-4711_1.log",
         by_thread(kernel, "2") + plog("12", "Kernel task happen error, retCode=0x26, [aicore exception]."),
         "failed 0 -;"},
        {"the same thread", "plog-4711_1.log",
         kernel + plog("12", "Kernel task happen error, retCode=0x26, [aicore exception]."), "failed 0 507015;"},
        {"another chip", "plog-4711_1.log", by_thread(kernel, "2") + plog("12", sdma), "failed 0 -;failed 5 -;"},
        {"a code of two processes", "run.log",
         sync + "507015\n" + sync + "507011\n" + process(100, 0) + process(200, 1), "failed 0 -;failed 1 -;"},
        {"far lines", "run.log", sync + "507018\n" + std::string(120, '\n') + process(100, 0), "failed 0 -;"},
        {"level INFO", "plog-4711_1.log", recovered + kernel, "failed 0 -;"}};
    for (const Row& row : rows) {
        CAPTURE(row.subject);
        const TemporaryDirectory directory;
        const ProcessResult run = run_tool({"logs", write_file(directory / row.file, row.text)});
        std::string answer;
        if (run.exit_status == 0) {
            const ordered_json document = ordered_json::parse(run.out);
            for (const ordered_json& task : document.at("tasks")) {
                const auto shown = [&task](const char* key) { return task[key].is_null() ? "-" : task[key].dump(); };
                answer += task["kind"].get<std::string>() + " " + shown("device_id") + " " + shown("return_code") + ";";
            }
        }
        CHECK(answer == row.answer);
    }
}
