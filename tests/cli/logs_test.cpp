// `opdebug logs`: tasks that logs report, without any dump.
#include <optional>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "build_paths.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// Task 118 of stream 21 overflows, task 119 fails 20 s later; both again in device 0's words.
std::string log_text() {
    const auto line = [](const char* level, const char* module, const char* time, const std::string& text) {
        return std::string("[") + level + "] " + module + "(4711,python3):2026-10-12-" + time + ".318.452 " + text +
               "\n";
    };
    return line(
               "INFO", "GE", "09:30:00",
               "[data_dumper.cc:265]4711 SaveDumpTask:Save dump task layer_3/softmax/Exp, task id: 118, stream id: 21, "
               "context id: 65535, thread id: 65535, is_op_debug: 1.") +
           line("INFO", "IDEDD", "09:41:27",
                "[logger.cc:7] 4711 Notify: notify [AdumpException] task start, notify task_id=118, stream_id=21, "
                "retcode:207003.") +
           line("WARNING", "RUNTIME", "09:41:27",
                "[logger.cc:7] 4711 ProcLogicCqReport: CQE warning, device_id=0, stream_id=21, task_id=118, "
                "sqe_type=0(ffts), errType=0x1(task exception), sqSwStatus=0x2f") +
           line("ERROR", "RUNTIME", "09:41:47",
                "[davinci_kernel_task.cc:7]4711 PrintErrorInfoForDavinciTask:[DFX_INFO]Aicore kernel execute failed, "
                "device_id=0, stream_id=21, report_stream_id=21, task_id=119, flip_num=0, fault "
                "kernel_name=Blend_0a1b_3, fault kernel info ext=none, program id=0, hash=95.");
}

ordered_json tasks_of(const std::string& path, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"logs", path});
    const ProcessResult run = run_tool(std::move(more));
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    const ordered_json document = ordered_json::parse(run.out);
    CHECK(document["schema"] == "opdebug.log_report/1");
    return document["tasks"];
}

}  // namespace

TEST_CASE("logs: each task that overflowed or failed once, the first one first") {
    const TemporaryDirectory directory;
    const std::string logs = directory / "logs";
    write_file(logs + "/run/plog/plog-4711_20261012092958123.log", log_text());
    const ordered_json tasks = tasks_of(logs);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0]["kind"] == "overflow");
    CHECK(tasks[0]["time"] == "2026-10-12 09:41:27.318452");
    CHECK(tasks[0]["device_id"] == 0);
    CHECK(tasks[0]["stream_id"] == 21);
    CHECK(tasks[0]["task_id"] == 118);
    CHECK(tasks[0]["return_code"] == 207003);
    CHECK(tasks[0]["operator"]["name"] == "layer_3/softmax/Exp");
    CHECK(tasks[0]["evidence"].size() == 2);
    CHECK(tasks[0]["evidence"][0]["line"] == 2);
    CHECK(tasks[1]["kind"] == "failed");
    CHECK(tasks[1]["task_id"] == 119);
    CHECK(tasks[1]["return_code"].is_null());
    CHECK(tasks[1]["operator"]["kernel"] == "Blend_0a1b_3");
}

TEST_CASE("logs: reports of two devices with equal ids are two tasks") {
    const TemporaryDirectory directory;
    for (const auto& [device, name] : {std::pair(0, "GatherV2"), std::pair(1, "Cast")}) {
        write_file(directory / fmt::format("logs/debug/device-{0}/device-4711_2026101209295812{0}.log", device),
                   fmt::format("[ERROR] CCECPU(4711,aicpu_scheduler):2026-10-12-09:41:27.318.450 [a.cc:7][tid:4711][F]:"
                               "Aicpu engine process failed, result[11002], opName[{}], streamId[2], taskId[6].\n",
                               name));
    }
    const ordered_json tasks = tasks_of(directory / "logs");
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0]["device_id"] == 0);
    CHECK(tasks[0]["operator"]["name"] == "GatherV2");
    CHECK(tasks[1]["device_id"] == 1);
    CHECK(tasks[1]["operator"]["name"] == "Cast");
}

TEST_CASE("logs: filters, and the exit status for overflows") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-4711_1.log", log_text());
    CHECK(tasks_of(log, {"--until", "2026-10-12 09:41:30"}).size() == 1);
    const ordered_json later = tasks_of(log, {"--since", "2026-10-12 09:41:30"});
    REQUIRE(later.size() == 1);
    CHECK(later[0]["task_id"] == 119);
    CHECK(tasks_of(log, {"--device", "0"}).size() == 2);
    CHECK(tasks_of(log, {"--device", "5"}).empty());
    CHECK(run_tool({"logs", log, "--fail-on", "overflow"}).exit_status == 3);
    CHECK(run_tool({"logs", log, "--fail-on", "overflow", "--since", "2026-10-12 09:41:30"}).exit_status == 0);
}

TEST_CASE("logs: tasks without a time stay, and their number is said") {
    const TemporaryDirectory directory;
    const std::string log = write_file(
        directory / "train.log",
        std::string("EZ9999: Inner Error!\n        Aicore kernel execute failed, device_id=0, stream_id=14, "
                    "report_stream_id=17, task_id=13, fault kernel_name=add_1_0__kernel0, func_name=add_1_0__kernel0, "
                    "program id=8, hash=1404.[FUNC:GetError][FILE:stream.cc][LINE:701]\n"));
    const std::string said = "1 task has no time and is listed despite --since and --until";
    const ProcessResult filtered = run_tool({"logs", log, "--since", "2026-10-12", "--format", "json"});
    CHECK(ordered_json::parse(filtered.out)["tasks"].size() == 1);
    CHECK(contains(filtered.err, said));
    CHECK_FALSE(contains(run_tool({"logs", log}).err, said));
}

TEST_CASE("logs: one task by its numbers, without a report on it") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-4711_1.log", log_text());
    const ordered_json tasks = tasks_of(log, {"--stream", "21", "--task", "118", "--time", "2026-10-12 09:35:00"});
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0]["kind"].is_null());
    CHECK(tasks[0]["operator"]["name"] == "layer_3/softmax/Exp");
    CHECK(tasks_of(log, {"--stream", "21", "--task", "7"})[0]["operator"].is_null());
}

TEST_CASE("logs: text explains the first task and lists the later ones") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-4711_1.log", log_text());
    const ProcessResult run = run_tool({"logs", log, "--format", "text"});
    CHECK(run.exit_status == 0);
    const std::vector<std::string> lines = lines_of(run.out);
    REQUIRE(lines.size() > 6);
    CHECK(lines[0].rfind("OVERFLOW  layer_3/softmax/Exp  ", 0) == 0);
    CHECK(contains(lines[0], "exact: 1 log line"));
    CHECK(lines[1] == "  device 0   stream 21   task 118   2026-10-12 09:41:27.318 (local time)");
    CHECK(lines[3] == "Why   207003  ACL_ERROR_RT_AICORE_OVER_FLOW");
    CHECK(contains(run.out, "plog-4711_1.log\n    line 1   SaveDumpTask"));
    CHECK(contains(run.out, "\nLater   (-v: full details)\n"));
    CHECK(contains(run.out, "  +20.000 s  FAILED  Blend_0a1b_3  device 0   stream 21   task 119  plog-4711_1.log:4\n"));
    const ProcessResult whole = run_tool({"logs", log, "--format", "text", "-v"});
    CHECK(contains(whole.out, "\nFAILED  Blend_0a1b_3  "));
    CHECK(contains(whole.out, log + ":2\n"));
    CHECK(contains(run_tool({"logs", log, "--format", "text", "--lang", "zh"}).out, "溢出  layer_3/softmax/Exp"));
}

TEST_CASE("logs: the code of a failure, as a return code of the runtime where it is one") {
    const TemporaryDirectory directory;
    const std::string fault = "Task run failed, device_id=0, stream_id=2, task_id=6, sqe_type=7(notify wait), ";
    struct Case {
        std::string line;
        std::optional<int> return_code;
        std::string why;
    };
    for (const Case& one :
         {Case{"RUNTIME Task exception! device_id=0, stream_id=2, task_id=6, type=0(KERNEL_AICORE), retCode=0x26, "
               "[aicore exception]",
               507015, "507015 (retCode 0x26)  ACL_ERROR_RT_AICORE_EXCEPTION"},
          {"RUNTIME Aicpu kernel execute failed, device_id=0, stream_id=2, task_id=6, soName=, funcName=, kernelName=, "
           "errorCode=0x91.",
           507011, "507011 (errorCode 0x91)  ACL_ERROR_RT_MODEL_EXECUTE"},
          {"RUNTIME fftsplus task execute failed, dev_id=0, stream_id=2, task_id=6, context_id=6, thread_id=0, "
           "err_type=13[hccl fftsplus timeout]",
           std::nullopt, "err_type 13: hccl fftsplus timeout"},
          {"RUNTIME " + fault + "errType=0x20(sq sw status error), sqSwStatus=0x103a000c", std::nullopt,
           "errType 0x20: sq sw status error"},
          {"CCECPU Aicpu engine process failed, result[11002], opName[GatherV2], streamId[2], taskId[6].", std::nullopt,
           "result 11002"}}) {
        CAPTURE(one.line);
        const std::size_t module = one.line.find(' ');
        const std::string log = write_file(
            directory / "device-4711_1.log",
            "[ERROR] " + one.line.substr(0, module) +
                "(4711,python3):2026-10-12-09:41:27.318.452 [a.cc:7]4711 F:" + one.line.substr(module + 1) + "\n");
        const ordered_json tasks = tasks_of(log);
        REQUIRE(tasks.size() == 1);
        CHECK(tasks[0]["kind"] == "failed");
        CHECK(tasks[0]["return_code"] == (one.return_code ? ordered_json(*one.return_code) : ordered_json()));
        CHECK(contains(run_tool({"logs", log, "--format", "text"}).out, "\nWhy   " + one.why + "\n"));
    }
    CHECK(tasks_of(directory / "device-4711_1.log")[0]["operator"]["name"] == "GatherV2");
}

TEST_CASE("logs: the code of a failure on a line before or after it") {
    const TemporaryDirectory directory;
    const auto printed = [](const std::string& text) { return text + "[FUNC:GetError][FILE:stream.cc][LINE:7]\n"; };
    const std::string fault = printed(
        "Aicore kernel execute failed, device_id=0, stream_id=2, report_stream_id=2, task_id=6, flip_num=0, fault "
        "kernel_name=Blend_0a1b_3, fault kernel info ext=none, program id=7, hash=94.");
    const std::string core =
        "The extend info: errcode:(0, 0x8000, 0) errorStr: out of its memory. fixp_error0 info: 0x3, ";
    struct Case {
        std::string text;
        std::optional<int> return_code;
        std::string why;
    };
    for (const Case& one :
         {Case{printed("Kernel task happen error, retCode=0x31, [vector core exception].") + fault, 507035,
               "507035 (retCode 0x31)  ACL_ERROR_RT_VECTOR_CORE_EXCEPTION"},
          {printed(core) + fault, std::nullopt, "errcode 0, 0x8000, 0: out of its memory"},
          // Re-wrapped by an editor.
          {core + "\n  " + fault.substr(0, fault.find("flip_num")) + "\n  " + fault.substr(fault.find("flip_num")),
           std::nullopt, "errcode 0, 0x8000, 0: out of its memory"},
          // Two codes of one failure.
          {printed(core) + printed("Kernel task happen error, retCode=0x31, [vector core exception].") + fault, 507035,
           "507035 (retCode 0x31)  ACL_ERROR_RT_VECTOR_CORE_EXCEPTION\n"
           "      A vector core task failed with an exception, for example an invalid address. This is not a\n"
           "      numeric overflow.\n"
           "      errcode 0, 0x8000, 0: out of its memory"},
          // The first result is of another call.
          {fault + printed("destroy event failed, runtime result = 107000.") +
               printed("synchronize stream with timeout failed, runtime result = 507015."),
           507015, "507015  ACL_ERROR_RT_AICORE_EXCEPTION"},
          {printed("fftsplus task execute failed, dev_id=0, stream_id=2, task_id=6, context_id=6, thread_id=0, "
                   "err_type=13[hccl fftsplus timeout]") +
               printed("wait for compute device to finish failed, runtime result = 507011."),
           507011,
           "507011  ACL_ERROR_RT_MODEL_EXECUTE\n"
           "      The execution of a model failed. Logs of level ERROR name the failed task.\n"
           "      err_type 13: hccl fftsplus timeout"}}) {
        CAPTURE(one.text);
        const std::string log = write_file(directory / "screen.log", one.text);
        const ordered_json tasks = tasks_of(log);
        REQUIRE(tasks.size() == 1);
        CHECK(tasks[0]["return_code"] == (one.return_code ? ordered_json(*one.return_code) : ordered_json()));
        CHECK(contains(run_tool({"logs", log, "--format", "text"}).out, "\nWhy   " + one.why + "\n"));
    }
    // The line before is about a vector core. Nothing is before a failure on line 1.
    const std::string aicpu =
        printed("Aicpu kernel execute failed, device_id=0, stream_id=46, task_id=13, fault op_name=");
    const std::string alone = write_file(directory / "alone.log", aicpu);
    const std::string after = write_file(
        directory / "after.log", printed("Kernel task happen error, retCode=0x31, [vector core exception].") + aicpu);
    CHECK(tasks_of(after)[0]["return_code"].is_null());
    CHECK(contains(run_tool({"logs", after, "--format", "text"}).out, "Read the ERROR lines around "));
    CHECK_FALSE(contains(run_tool({"logs", alone, "--format", "text"}).out, "Read the ERROR lines"));
    // Without times, lines of two files are not known to be of one failure.
    write_file(directory / "two/a.log", printed("Kernel task happen error, retCode=0x31, [vector core exception]."));
    write_file(directory / "two/b.log", fault);
    CHECK(tasks_of(directory / "two")[0]["return_code"].is_null());
}

TEST_CASE("logs: wrong usage and logs without reports") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-4711_1.log", log_text().substr(0, log_text().find('\n') + 1));
    const ProcessResult none = run_tool({"logs", log, "--format", "text"});
    CHECK(none.exit_status == 0);
    CHECK(none.out.empty());
    CHECK(contains(none.err, "no task that overflowed or failed"));
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"logs"},
                                                      {"logs", directory / "absent"},
                                                      {"logs", log, "--stream", "21"},
                                                      {"logs", log, "--since", "soon"},
                                                      {"logs", log, "--task", "x", "--stream", "1"}}) {
        CHECK(run_tool(arguments).exit_status == 2);
    }
}
