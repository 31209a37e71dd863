// Logs of Ascend 950: launch lines without task id, AICPU launches without any id, tasks with two numbers.
#include <doctest/doctest.h>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string runtime_950(std::string_view function, std::string_view text) {
    return "[INFO] RUNTIME(7100,python):2026-03-04-10:00:01.100.200 [aix_starsv2.cc:391] 7155 " +
           std::string(function) + ": " + std::string(text) + "\n";
}

std::string launch(std::string_view function, std::string_view kernel) {
    return runtime_950(function, "stream_id=61, kernel_name=" + std::string(kernel) +
                                     ", kernelAttrType=AICORE, funcType=3, arg_size=96, coreDim=8");
}

/// Task at position 12, number 70012: its low 16 bits are 70012 - 65536 = 4476.
const std::string sent_line = runtime_950("DavidSendTask",
                                          "device_id=0, ts_id=0, sq_id=5, stream_id=61, task_id=12, flip_num=0, "
                                          "task_sn=70012, task_type=0(KERNEL_AICORE), drvRet=0.");
const std::string added = runtime_950("StarsAddTaskToStream",
                                      "single-operator stream, stream_id=61, task_id=12, task_sn=70012, "
                                      "type=66(KERNEL_AIVEC), sqe_num=1, device_id=0");

}  // namespace

TEST_CASE("golden 950: the launch gets its position from the line that sent it") {
    for (const std::string_view function :
         {"StreamLaunchKernelV1", "StreamLaunchKernelV2", "StreamLaunchKernelWithHandle"}) {
        const Location location = located(launch(function, "toy_scale_200000000") + sent_line, {61, 12}, 4000);
        CHECK_MESSAGE(shown(location.op) == "-|-|toy_scale_200000000|kernel", function);
        CHECK_MESSAGE(operator_lines(location) == "plog-7100:1 plog-7100:2", function);
    }
}

TEST_CASE("golden 950: or from the line that put it on its stream") {
    const Location location = located(launch("StreamLaunchKernelV1", "toy_scale_200000000") + added, {61, 12}, 4000);
    CHECK(shown(location.op) == "-|-|toy_scale_200000000|kernel");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 950: the kernel is also found under the low bits of its number, with a warning") {
    const Location location =
        located(launch("StreamLaunchKernelV1", "toy_scale_200000000") + sent_line, {61, 4476}, 4000);
    CHECK(shown(location.op) == "-|-|toy_scale_200000000|kernel");
    CHECK(remarks_of(location).find("warning task_number_unclear") != std::string::npos);
}

TEST_CASE("golden 950: an AICPU kernel, whose line has no ids at all") {
    const std::string aicpu =
        runtime_950("StreamLaunchCpuKernel", "flag=0, kernelFlag=0x2, blkdim=1, soName=libtoy.so, kernel_name=RunToy.");
    const std::string sent_to_cpu = runtime_950("DavidSendTask",
                                                "device_id=0, ts_id=0, sq_id=5, stream_id=61, task_id=13, flip_num=0, "
                                                "task_sn=70013, task_type=1(KERNEL_AICPU)");
    const Location location = located(aicpu + sent_to_cpu, {61, 13}, 4000);
    CHECK(shown(location.op) == "-|-|RunToy|kernel");
    CHECK(operator_lines(location) == "plog-7100:1 plog-7100:2");
}

TEST_CASE("golden 950: without a line that sent it a launch has no task") {
    CHECK(shown(located(launch("StreamLaunchKernelV1", "toy_scale"), {61, 0}, 4000).op) == "none");
    CHECK(shown(located(launch("StreamLaunchKernelV1", "toy_scale"), {61, 12}, 4000).op) == "none");
}
