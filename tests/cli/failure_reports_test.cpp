// `opdebug scan`: operators, kernels and other tasks that reports of failures name: printed error stacks, device logs.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "reference_data.hpp"
#include "scan_job.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// The record of the one dump of a folder.
ordered_json record_of(const std::string& dump, const std::string& logs) {
    const ProcessResult run = scan_in(dump, "json", {"--logs", logs});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    const ordered_json report = report_of(run);
    REQUIRE(report["timeline"].size() == 1);
    return report["timeline"][0];
}

ordered_json record_of_case(const std::string& folder) {
    return record_of(folder + "/dump", folder + "/logs");
}

/// The dump of stream 563, task 57 with a log of these lines: 2026-03-04, 10:00:05 UTC, which is the log's zone.
ordered_json record_with(const std::string& log, const std::string& log_name = "train.log") {
    const TemporaryDirectory folder;
    const std::string root = folder.path();
    write_file(root + "/dump/20260304100000/0/net/1/0/" + dump_name(57), legacy());
    write_file(root + "/logs/" + log_name, log);
    return record_of_case(root);
}

std::string codes_of(const ordered_json& record) {
    std::string codes;
    for (const auto& remark : record["diagnostics"]) {
        codes += remark["code"].get<std::string>() + " ";
    }
    return codes;
}

std::string message_of(const ordered_json& record, const std::string& code) {
    for (const auto& remark : record["diagnostics"]) {
        if (remark["code"] == code) {
            return remark["message"].get<std::string>();
        }
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

constexpr const char* kTrailer = "[FUNC:ErrorTrackingCallback][FILE:error_tracking.cc][LINE:117]\n";

}  // namespace

TEST_CASE("failure reports: GE's sentence of a printed stack names the operator (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json record = record_of_case(*folder / "field/logs/02-vllm-compose-moe");
    CHECK(record["operator"]["name"] == "MoeDistributeDispatchV2");
    CHECK(contains(codes_of(record), "task_failed"));
    CHECK(contains(codes_of(record), "line_time_unusable"));
}

TEST_CASE("failure reports: sentences of any module are read in a printed stack, whatever stands in front of them") {
    const std::string sentence =
        "Op execute failed. origin_op_name [mul_b], op_name [block2/mul_b], error_info: task_id 57, stream_id 563, tid "
        "833, device_id 0, retcode 0x26";
    for (const char* front : {"", "        ", "\t", "E19999  ", "worker-0 | (RayWorkerWrapper pid=77) ", "[rank3]: "}) {
        CAPTURE(front);
        CHECK(record_with(front + sentence + kTrailer)["operator"]["name"] == "block2/mul_b");
    }
}

TEST_CASE("failure reports: sentences without a kernel report the failure, on another device too (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json record = record_of_case(*folder / "field/logs/09-llamafactory5347-fftsplus");
    CHECK(record["operator"].is_null());
    CHECK(contains(codes_of(record), "printed_errors_only"));
    CHECK_FALSE(contains(codes_of(record), "no_host_logs"));
    CHECK(contains(message_of(record, "failed_on_other_device"), "on device 7 "));
}

TEST_CASE("failure reports: a failure on another device is a warning that names the device, no failure of this task") {
    const auto printed = [](const std::string& device) {
        return record_with(
            "        Aicore kernel execute failed, device_id=" + device +
            ", stream_id=563, report_stream_id=563, task_id=57, flip_num=0, fault kernel_name=add_5, "
            "fault kernel info ext=none, program id=3, hash=94.[FUNC:GetError][FILE:stream.cc][LINE:7]\n");
    };
    CHECK(contains(codes_of(printed("0")), "task_failed "));
    const ordered_json elsewhere = printed("5");
    CHECK_FALSE(contains(codes_of(elsewhere), "task_failed "));
    CHECK(contains(message_of(elsewhere, "failed_on_other_device"), "failed on device 5 "));
}

TEST_CASE("failure reports: a sentence of a printed stack that names no kernel reports the failure") {
    const std::string ids = "device_id=0, stream_id=563, task_id=57";
    const std::string trailer = "[FUNC:GetError][FILE:stream.cc][LINE:7]\n";
    for (const std::string& sentence : std::vector<std::string>{
             "Aicpu kernel execute failed, " + ids + ", flip_num=0, kernel_type=5, fault op_name=, extend_info=.",
             "AI CPU kernel execution failed, " + ids + ", soName=, funcName=, kernelName=, errorCode=0x2a",
             "FftsPlus task execution failed, dev_id=0, stream_id=563, task_id=57, context_id=3, thread_id=0, "
             "err_type=13[hccl fftsplus timeout]",
             "Sdma for some task in model stream execute failed, " + ids}) {
        CAPTURE(sentence);
        const ordered_json record = record_with("        " + sentence + trailer);
        CHECK(record["operator"].is_null());
        CHECK(contains(codes_of(record), "printed_errors_only task_failed "));
    }
}

TEST_CASE("failure reports: an AI CPU line of the device log names the operator (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json record = record_of_case(*folder / "field/logs/07-device-gatherv2");
    CHECK(record["operator"]["name"] == "GatherV2");
    CHECK(record["operator"]["confidence"] == "kernel");
}

TEST_CASE("failure reports: AI CPU lines of the device log count within 10 s, and \"null\" is no name") {
    const auto record_at = [](const std::string& time, const std::string& text) {
        return record_with("[ERROR] CCECPU(11,aicpu_scheduler):2026-03-04-" + time +
                               ".000.000 [aicpusd_monitor.cpp:437][HandleTaskTimeout][tid:12] " + text + "\n",
                           "device-0/device-77_20260304095900000.log");
    };
    const auto timeout = [](const std::string& name) {
        return "Send timeout to tsdaemon, tsdaemon will kill aicpu-sd process, thread index[2], op name[" + name +
               "], serialNo=279, stream_id=563, task_id=57, nowTick:18, startTick:17, timeOut:1, tickFreq:5.";
    };
    CHECK(record_at("10:00:06", timeout("RealDiv"))["operator"]["name"] == "RealDiv");
    CHECK(record_at("10:00:16", timeout("RealDiv"))["operator"].is_null());
    CHECK(record_at("09:59:54", timeout("RealDiv"))["operator"].is_null());
    for (const std::string name : {"null", "(null)", "None", ""}) {
        CAPTURE(name);
        CHECK(record_at("10:00:06", timeout(name))["operator"].is_null());
        CHECK(record_at("10:00:06", "Aicpu engine process failed, result[11002], opName[" + name +
                                        "], streamId[563], taskId[57].")["operator"]
                  .is_null());
    }
}

TEST_CASE("failure reports: a task that is no operator is named as what it is (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json record = record_of_case(*folder / "field/logs/28-notifywait");
    CHECK(record["operator"].is_null());
    CHECK(contains(message_of(record, "other_task"), "is not an operator: notify wait ("));
    CHECK_FALSE(contains(codes_of(record), "logs_without_info"));
}

TEST_CASE("failure reports: events, copies and waits are no operators, kernels are") {
    const auto record_of_line = [](const std::string& text) {
        return record_with(
            "[ERROR] RUNTIME(413,python):2026-03-04-10:00:05.100.000 [stars_engine.cc:1534]472 Report:" + text + "\n");
    };
    const std::string ids = "device_id=0, stream_id=563, task_id=57, ";
    const auto run_failed = [&](const std::string& type) {
        return record_of_line("Task run failed, " + ids + "sqe_type=" + type + ", errType=0x20(x), sqSwStatus=0");
    };
    CHECK(contains(message_of(run_failed("5(event wait)"), "other_task"), ": event wait ("));
    CHECK(contains(message_of(run_failed("11(sdma)"), "other_task"), ": sdma ("));
    for (const char* type : {"0(ffts)", "1(aicpu)", "15(dsa)", "40(unknown)"}) {
        CHECK_FALSE(contains(codes_of(run_failed(type)), "other_task"));
    }
    const ordered_json copy = record_of_line("Memory async copy failed, " + ids + "flip_num=0, copy_type=2");
    CHECK(contains(message_of(copy, "other_task"), ": Memory async copy ("));
    const auto exception = [&](const std::string& type) {
        return record_of_line("Task exception! " + ids + "type=" + type + ", failuremode =0, retCode=0x26, [x]");
    };
    CHECK(contains(message_of(exception("3(EVENT_WAIT)"), "other_task"), ": EVENT_WAIT ("));
    CHECK(contains(message_of(exception("70(CAPTURE_WAIT)"), "other_task"), ": CAPTURE_WAIT ("));
    CHECK(contains(message_of(exception("19(LABEL_SWITCH)"), "other_task"), ": LABEL_SWITCH ("));
    for (const char* type : {"0(KERNEL_AICORE)", "13(MODEL_EXECUTE)", "90(REDUCE_ASYNC_V2)"}) {
        CHECK_FALSE(contains(codes_of(exception(type)), "other_task"));
    }
}
