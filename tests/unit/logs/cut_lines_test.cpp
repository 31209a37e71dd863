// Lines that were cut at their length limit inside a name: 1022 bytes, for errors of the runtime 895 bytes of text.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::size_t longest_line = 1022;

std::string launch_line(int second, const std::string& kernel, std::string_view ids = "device_id=0, stream_id=6, ") {
    return "[INFO] RUNTIME(7100,python):2026-03-04-10:00:0" + std::to_string(second) +
           ".000.100 [aix_stars.cc:803] 7155 StreamLaunchKernelV1: " + std::string(ids) +
           "task_id=7, kernelAttrType=AICORE, kernel_name=" + kernel + ", arg_size=64, taskRation=0, addr1=0x12c0";
}

/// After the kernel name of a line of that many bytes nothing is left.
std::string cut_launch_line(int second, const std::string& begin, std::size_t size = longest_line) {
    return launch_line(second, begin + std::string(size, 'n')).substr(0, size);
}

std::string kernel_in(const std::string& line) {
    return line.substr(line.find("kernel_name=") + 12);
}

/// What a device's log states about a dump of stream 5 task 3, cut where it is too long.
std::string dump_line(const std::string& op, std::string_view begin = "start to dump op info, ") {
    const std::string line =
        "[INFO] CCECPU(22345,aicpu_scheduler):2026-03-04-10:00:02.000.100 [dump_task_manager.cpp:372][DumpOpInfo]"
        "[tid:5] " +
        std::string(begin) + "stream id=5, task id=3, context id=65535, thread id=65535, op name=" + op;
    return line.substr(0, longest_line);
}

constexpr std::string_view device_file = "debug/device-0/device-7100_20260304100000000.log";

}  // namespace

TEST_CASE("cut lines: a launch line that was cut inside the kernel's name ends the older use of its ids") {
    const std::string cut = cut_launch_line(2, "Newer_");
    const Location location = located(launch_line(1, "Older_0") + "\n" + cut + "\n", {6, 7}, 4000);
    REQUIRE(location.op);
    CHECK(location.op->best.kernel == kernel_in(cut));
    CHECK(remarks_of(location).find("warning name_truncated") != std::string::npos);
    CHECK(operator_lines(location) == "plog-7100:2");
}

TEST_CASE("cut lines: a short line without the keys behind the name is no launch line") {
    const std::string broken = cut_launch_line(2, "Newer_", 600);
    const Location location = located(launch_line(1, "Older_0") + "\n" + broken + "\n", {6, 7}, 4000);
    REQUIRE(location.op);
    CHECK(location.op->best.kernel == "Older_0");
}

TEST_CASE("cut lines: a launch line that was cut behind the kernel's name has the whole name") {
    const std::string begin = launch_line(2, "");
    const std::string name(longest_line - begin.find(", arg_size=") - 5, 'n');
    const std::string line = launch_line(2, name).substr(0, longest_line);
    CHECK(line.substr(line.size() - 5) == ", arg");
    const Location location = located(line + "\n", {6, 7}, 4000);
    REQUIRE(location.op);
    CHECK(location.op->best.kernel == name);
    CHECK(remarks_of(location).find("name_truncated") == std::string::npos);
}

TEST_CASE("cut lines: a launch line of 2021 has its final task id, cut or not") {
    const std::string prefix =
        "[INFO] RUNTIME(7100,main):2026-03-04-10:00:02.000.100 [logger.cc:1194]7156 "
        "KernelTaskEventLogProc:device_id=0, "
        "stream_id=6, task_id=0, kernel_name=-1_0_1_";
    const std::string line = prefix + std::string(longest_line - prefix.size(), 'n');
    const Location location = located(line + "\n", {6, 0}, 4000);
    REQUIRE(location.op);
    CHECK(location.op->best.name == std::string(longest_line - prefix.size(), 'n'));
    CHECK(remarks_of(location) == "warning name_truncated");
}

TEST_CASE("cut lines: an error of the runtime ends after 895 bytes of text") {
    const std::string prefix =
        "[ERROR] RUNTIME(7100,python):2026-03-04-10:00:03.000.100 [task_info.cc:1678]7155 Print:";
    const std::string text =
        "Aicore kernel execute failed, device_id=0, stream_id=6, report_stream_id=6, task_id=7, flip_num=3, fault "
        "kernel_name=Toy_";
    for (const std::size_t size : {std::size_t{895}, std::size_t{700}}) {
        const std::string name = "Toy_" + std::string(size - text.size(), 'n');
        const std::string line = prefix + text + name.substr(4);
        const Location location = located(line + "\n", {6, 7}, 4000);
        CHECK(shown(location.op) == (size == 895 ? "-|-|" + name + "|kernel" : std::string("none")));
        CHECK((remarks_of(location).find("name_truncated") != std::string::npos) == (size == 895));
    }
}

TEST_CASE("cut lines: a device's line that was cut inside the operator's name agrees with the host's whole name") {
    const std::string name = "net/" + std::string(880, 'n');
    const std::string host =
        "[INFO] GE(7100,python):2026-03-04-10:00:01.000.100 [data_dumper.cc:264]7155 SaveDumpTask:Save dump task " +
        name + ", task id: 3, stream id: 5\n";
    const std::string bind =
        "[INFO] RUNTIME(7100,python):2026-03-04-10:00:00.500.100 [logger.cc:1004] 7155 ModelBindStream: model_id=36, "
        "stream_id=5, flag=0.\n";
    REQUIRE(host.size() < longest_line);
    const std::string device = dump_line(name);
    REQUIRE(device.size() == longest_line);
    const Location location =
        located({{std::string(host_log), bind + host}, {std::string(device_file), device + "\n"}}, {5, 3, 36}, 4000);
    CHECK(shown(location.op) == name + "|-|-|exact");
    CHECK(operator_lines(location) == "device-7100:1 plog-7100:2");
    CHECK(remarks_of(location).empty());
}

TEST_CASE("cut lines: a device's log alone gives the longest cut name, with a remark") {
    const std::string name = "net/" + std::string(1000, 'n');
    const std::string begin = dump_line(name);
    const std::string end = dump_line(name, "end of dump op info, result=0, ");
    REQUIRE(begin.size() == longest_line);
    const Location location = located({{std::string(device_file), end + "\n" + begin + "\n"}}, {5, 3}, 4000);
    REQUIRE(location.op);
    CHECK(location.op->best.name == begin.substr(begin.find("op name=") + 8));
    CHECK(candidates_of(location).empty());
    CHECK(remarks_of(location).find("warning name_truncated") != std::string::npos);
}
