// Sentences on failures: what each states, in log lines and in lines that an application printed.
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "line_facts.hpp"

using namespace opdebug::logs;
using opdebug::test::definition;
using opdebug::test::fact_of;
using opdebug::test::stated;

namespace {

using Number = std::optional<std::uint64_t>;

Fact printed(std::string_view text) {
    LogLine line = printed_line(text);
    line.module = LogFormats::kPrinted;
    const std::optional<Match> match = built_in_log_formats()->match(line);
    REQUIRE_MESSAGE(match.has_value(), text);
    return match->fact;
}

struct Row {
    std::string_view module;  ///< "": printed
    std::string_view text;
    FactKind kind;
    Number stream_id, task_id, code, device_id, chip_id, process_id;
    std::string_view words;  ///< type, reason or location
};

}  // namespace

TEST_CASE("fault formats: codes, devices and processes of failures") {
    constexpr FactKind kFailure = FactKind::failure, kTask = FactKind::task_fault;
    const Number none;
    const std::string_view core_2023 =
        "The error from device(chipId:2, dieId:0), serial number is 4, there is an exception of aivec error, core id "
        "is 3, error code = 0x800000, dump info: pc start: 0x12c0.";
    const std::string_view core_2026 =
        "An error occurs on the device(chipId:2, dieId:1), the serial number is 9, the error is aivec error, core id "
        "is 3, error code = 0, dump info: pc start: 0x12c0.";
    const Row rows[] = {
        {"RUNTIME", "Kernel task happen error, retCode=0x31, [vector core exception].", kFailure, none, none, 0x31,
         none, none, none, ""},
        {"RUNTIME", "An error occurred in the kernel task, retCode=0x31, [vector core exception].", kFailure, none,
         none, 0x31, none, none, none, ""},
        {"", "  An error occurred in the AI CPU task, retCode=0x2a, [aicpu exception].", kFailure, none, none, 0x2a,
         none, none, none, ""},
        {"RUNTIME", "AI Core kernel task execution failed, retCode=0x26.", kFailure, none, none, 0x26, none, none, none,
         ""},
        {"", "Vector Core kernel execution failed, retCode=0x31.", kFailure, none, none, 0x31, none, none, none, ""},
        {"RUNTIME", "The extend info: errcode:(286) errorStr: The trap instruction reports an error. subErrType: 0x4.",
         kFailure, none, none, 286, none, none, none, ""},
        {"", "The extend info: errcode:(0x10, 0, 0) errorStr: Illegal instruction. fixp_error0 info: 0", kFailure, none,
         none, 0x10, none, none, none, ""},
        {"RUNTIME", core_2023, kFailure, none, none, 0x800000, none, 2, none, ""},
        {"", core_2026, kFailure, none, none, none, none, 2, none, ""},
        {"",
         "EZ9999[PID: 41] 2026-01-02-03:04:05.006.007 (EZ9999):  The error from device(chipId:7, dieId:0), serial "
         "number is 6, there is an exception of fftsplus aicore error, core id is 12, error code = 0x20000, dump",
         kFailure, none, none, 0x20000, none, 7, 41, ""},
        {"",
         "The error from device(1), serial number is 3, there is an aivec error, core id is 0, error code = 0x10, "
         "dump info: pc start: 0x8, errorStr: Illegal instruction.",
         kFailure, none, none, 0x10, none, 1, none, ""},
        {"RUNTIME",
         "The error from device(chipId:3, dieId:0), serial number is 9. there is a sdma error, sdma channel "
         "is 2, cqeStatus=0x3",
         kFailure, none, none, none, none, 3, none, ""},
        {"",
         "The error from device(chipId:1, dieId:0), serial number is 6. there is a fftsplus sdma error, sdma "
         "channel is 2, cqeStatus=0x70000.",
         kFailure, none, none, none, none, 1, none, ""},
        {"RUNTIME", "Fault RAS occurs in the system: [event_id:0x80e01801] Uncorrectable ECC error. For details",
         kFailure, none, none, 0x80e01801, none, none, none, ""},
        {"",
         "EH9999: [PID: 41] 2026-01-02-03:04:05.006.007 wait for compute device to finish failed, runtime result = "
         "507013.",
         kFailure, none, none, 507013, none, none, 41, ""},
        {"ASCENDCL", "wait for compute device to finish failed, runtime result = 107020.", kFailure, none, none, 107020,
         none, none, none, ""},
        {"", "RuntimeError: copy:a.cpp:4 NPU function error: AclrtSynchronizeDeviceWithTimeout, error code is 507048",
         kFailure, none, none, 507048, none, none, none, ""},
        {"", "RuntimeError: ACL stream synchronize failed, error code:507018", kFailure, none, none, 507018, none, none,
         none, ""},
        {"", "LaunchAscendKernel ret 507011", kFailure, none, none, 507011, none, none, none, ""},
        {"", "[PID: 41] aclrtLaunchKernelWithHostArgs failed: 507011", kFailure, none, none, 507011, none, none, none,
         ""},
        {"", "[ERROR] 2026-01-02-03:04:05 (PID:41, Device:1, RankID:-1) ERR00100 PTA call acl api failed", kFailure,
         none, none, none, 1, none, 41, "ERR00100 PTA call acl api failed"},
        {"", "DEVICE[1] PID[41]: ", kFailure, none, none, none, 1, none, 41, ""},
        {"", "  Message info[0]:RTS_HWTS: hwts sdma error, slot_id=15, stream_id=1", kFailure, 1, none, none, none,
         none, none, ""},
        {"", "  rtStreamSynchronize execution failed, reason=device mem error", kFailure, none, none, none, none, none,
         none, "device mem error"},
        {"RUNTIME", "rtDeviceSynchronizeWithTimeout execute failed, reason=[sdma copy error]", kFailure, none, none,
         none, none, none, none, "sdma copy error"},
        {"HCCL",
         "Cluster Exception Location[IP/ID]:[192.0.2.7/1], Arrival Time:[x], Discoverer:[192.0.2.8/0], "
         "ExceptionType:[Heartbeat Lost Occurred], Possible Reason:1.",
         kFailure, none, none, none, none, none, none, "192.0.2.7/1"},
        {"RUNTIME", "add error register: core_id=3, stream_id=61, task_id=7", kFailure, 61, 7, none, none, none, none,
         ""},
        {"RUNTIME",
         "The error from device(chipId:5, dieId:0), serial number is 17, hccl fftsplus task timeout occurred "
         "during task execution, stream_id:7, sq_id:7, task_id:9865, stuck notify num:3, timeout:1836.",
         kFailure, 7, 9865, none, none, 5, none, "hccl fftsplus task"},
        {"",
         "EI9999  The error from device(chipId:5, dieId:0), serial number is 4, event wait timeout occurred during "
         "task execution, stream_id:6, sq_id:6, task_id:13408, event_id=313, timeout=1868.",
         kFailure, 6, 13408, none, none, 5, none, "event wait"},
        {"RUNTIME",
         "The error from device(chipId:0, dieId:0), serial number is 3, an exception occurred during AICPU "
         "execution, stream_id:2, task_id:19016, errcode:21008, msg:inner error.",
         kFailure, 2, 19016, 21008, none, none, none, ""},
        {"HCCL",
         "[TaskExecStage][Timeout][HOST]Task run failed, base information is streamID:[1740], taskID[23], "
         "tag[AllReduce_127.0.0.1%lo_60000_0_1], AlgType(level 0-1-2):[fullmesh-ring-ring].",
         kTask, 1740, 23, none, none, none, none, "AllReduce"},
        {"",
         "EI0002: The wait execution of the Notify register times out. base information: [streamID:[1], "
         "taskID[131079], tag[ReduceScatter_group_1], AlgType(level 0-1-2):[ring].] task information: [",
         kTask, 1, 7, none, none, none, none, "ReduceScatter"},
        {"IDEDD",
         "[Dump][Exception] dump exception to file, file: /data/extra-info/data-dump/3/"
         "exception_info.61.131079.20261011121314015",
         kTask, 61, 7, none, none, none, none, ""}};
    for (const Row& row : rows) {
        CAPTURE(row.text);
        const std::string rest = (row.module == "IDEDD" ? "[a.cpp:7][tid:9] " : "[a.cc:7]9 F:") + std::string(row.text);
        const Fact fact = row.module.empty() ? printed(row.text) : stated(row.module, rest);
        CHECK(fact.kind == row.kind);
        CHECK(fact.stream_id == row.stream_id);
        CHECK(fact.task_id == row.task_id);
        CHECK(fact.fault_code == row.code);
        CHECK(fact.device_id == row.device_id);
        CHECK(fact.chip_id == row.chip_id);
        CHECK(fact.process_id == row.process_id);
        CHECK(fact.operator_type + fact.reason + fact.suspect == row.words);
    }
}

TEST_CASE("fault formats: other results and errors state nothing") {
    for (const std::string_view text :
         {"NPU function error: aclrtMalloc, error code is 107000", "error code: 404", "LaunchAscendKernel ret 0",
          "destroy event failed, runtime result = 107000.", "device id : none", "rtMalloc failed, reason=[no memory]",
          "the loss is 507015", "worker pid=41 ready", "error code is 507035", "LaunchAscendKernel ret 500000",
          "base information is streamID:[61], taskID[7], tag[MyTag_1]",
          "Kernel task happen error, retCode=0x2f, [aicore over flow]."}) {
        CAPTURE(text);
        LogLine line = printed_line(text);
        line.module = LogFormats::kPrinted;
        CHECK_FALSE(built_in_log_formats()->match(line));
    }
}

TEST_CASE("fault formats: the carrier of a printed line shows whose it is") {
    CHECK(printed_line("(Worker_TP0 pid=10) ERROR 09-17 05:36:01 [a.py:654]     text").tid == 10);
    CHECK(printed_line("> (WorkerDict pid=12031, ip=192.0.2.7) text").tid == 12031);
    CHECK(printed_line("[rank3]:  text").tid == 3);
    CHECK(printed_line("worker-1:  text").tid == 1);
    CHECK_FALSE(printed_line("EZ9999: text").tid);
}
