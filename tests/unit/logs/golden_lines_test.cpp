// Lines that are odd, moved or damaged: what the same statement looks like after collectors, consoles and limits.
#include <doctest/doctest.h>

#include <string>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

using namespace std::string_literals;

/// GE's statement on task 9 of stream 48 after a prefix.
constexpr std::string_view statement =
    "[data_dumper.cc:255]7155 SaveDumpTask:Save dump task blk/Toy_1, task id: 9, "
    "stream id: 48, context id: 65535, thread id: 65535, is_op_debug: 1.";
constexpr std::string_view prefix = "[INFO] GE(7100,python):2026-03-04-10:00:01.000.100 ";
const std::string whole = std::string(prefix) + std::string(statement) + "\n";
/// A line that states nothing, for the numbering.
const std::string other = std::string(prefix) + "[model.cc:7]7155 Run:nothing to see here\n";

void check_named(const std::string& log, std::string_view lines = "plog-7100:2") {
    const Location location = located(log, {48, 9}, 4000);
    CHECK_MESSAGE(shown(location.op) == "blk/Toy_1|-|-|exact", log);
    CHECK_MESSAGE(operator_lines(location) == lines, log);
    CHECK_MESSAGE(candidates_of(location).empty(), log);
}

/// A launch of an AICPU kernel, which ends with the name, made `size` bytes long by it; without its line break.
std::string launch_line(std::size_t size) {
    std::string line =
        "[INFO] RUNTIME(7100,python):2026-03-04-10:00:01.000.100 [aicpu_stars.cc:230] 7155 StreamLaunchCpuKernel: "
        "device_id=0, stream_id=6, task_id=7, flag=0, kernelFlag=0x2, blkdim=1, soName=libtoy.so, kernel_name=RunToy";
    REQUIRE(line.size() < size);
    return line + std::string(size - line.size(), 'n');
}

}  // namespace

TEST_CASE("golden lines: in the JSON of Docker's log files, and with colours of a terminal") {
    const std::string line = whole.substr(0, whole.size() - 1);
    check_named(other + R"({"log":")" + line + R"(\n","stream":"stdout","time":"2026-03-04T02:00:01.5Z"})" + "\n");
    check_named(other + R"({"log": ")" + line + R"(\n", "stream": "stdout"})" + "\n");
    check_named(other + R"({"stream":"stdout","log":")" + line + R"(\n","time":"2026-03-04T02:00:01.5Z"})" + "\n");
    check_named(other + R"({"labels": {"log": "x"}, "message": ")" + line + R"("})" + "\n");
    check_named(other + R"({"@timestamp": "2026-03-04T02:00:01.5Z", "message": ")" + line + R"("})" + "\n");
    check_named(other + "\x1b[32m" + line + "\x1b[0m\n");
    check_named(other + "\x1b[1;32m[INFO]\x1b[0m" + line.substr(std::string_view("[INFO]").size()) + "\n");
    const std::string launch = launch_line(250);
    const std::string kernel = launch.substr(launch.find("RunToy"));
    for (const std::string& wrapped :
         {R"({"log":")" + launch + R"(.\r\n","stream":"stdout"})", "\x1b[32m" + launch + ".\x1b[m"}) {
        CHECK(shown(located(wrapped + "\n" + other, {6, 7}, 4000).op) == "-|-|" + kernel + "|kernel");
    }
    const std::string text =
        "Aicore kernel execute failed, device_id=0, stream_id=6, report_stream_id=6, task_id=7, "
        "flip_num=0, fault kernel_name=ToyK, fault kernel info ext=none, program id=1, "
        "hash=2.[FUNC:GetError][FILE:stream.cc][LINE:9]";
    CHECK(shown(located(R"({"log":"\t)" + text + R"(\n","stream":"stderr"})" + "\n", {6, 7}, 4000).op) ==
          "-|-|ToyK|kernel");
}

TEST_CASE("golden lines: entries that run together, as of processes that write to one place") {
    const std::string line = whole.substr(0, whole.size() - 1);
    for (const std::size_t cut : {line.find("Toy_1") + 3, line.find(", stream id"), line.size()}) {
        const std::string begin = line.substr(0, cut);
        check_named(other + begin + whole);
        check_named(other + "node-1: " + begin + begin + whole);
    }
}

TEST_CASE("golden lines: an answer from a line whose time no clock shows says so") {
    for (const std::string_view time :
         {"0001-01-01-00:00:00.000.000", "0000-00-00-00:00:00.000.000", "1969-12-31-23:59:59.999.999",
          "2200-01-01-00:00:00.000.000", "9999-12-31-23:59:59.999.999", "2026-13-04-10:00:01.000.100",
          "2026-03-04-24:00:01.000.100", "YYYY-MM-DD-HH:MM:SS.fff.uuu"}) {
        CAPTURE(time);
        const std::string line = "[INFO] GE(7100,python):" + std::string(time) + " " + std::string(statement) + "\n";
        for (const std::string& log : {line, other + line, line + other}) {
            const std::string remarks = remarks_of(located(log, {48, 9}, 4000));
            CHECK(remarks.find("warning line_time_unusable") != std::string::npos);
        }
    }
    CHECK(remarks_of(located(other + whole, {48, 9}, 4000)).find("line_time_unusable") == std::string::npos);
}

TEST_CASE("golden lines: continuations belong to the line before and are no statements, but count as lines") {
    const std::string log = std::string(prefix) + "[model.cc:7]7155 Run:options {\n  \"stream_id\": 48,\n" +
                            "  Save dump task wrong/Name, task id: 9, stream id: 48\n}\n\n" + whole;
    check_named(log, "plog-7100:6");
}

TEST_CASE("golden lines: NUL bytes before and behind the text, bytes that are no UTF-8, line ends of Windows") {
    check_named(other + whole.substr(0, whole.size() - 1) + "\0\0\n"s);
    check_named(other + whole.substr(0, whole.size() - 1) + "\r\n");
    check_named(other.substr(0, other.size() - 1) + " \xFF\xFE\x80\n" + whole);
    check_named(other + whole.substr(0, whole.size() - 1));  // the last line of a file that was cut
    check_named("\0\0\0\n"s + whole);
    check_named(other + std::string(20'000, '\0') + whole);  // a log that was cut while its writer went on
}

TEST_CASE("golden lines: a hole of NUL bytes inside a line ends the entry in front of it, the one behind it counts") {
    const std::string half = whole.substr(0, whole.find("Toy_1"));
    for (const std::size_t bytes : {std::size_t{2}, std::size_t{20}, std::size_t{9000}, std::size_t{3'000'000}}) {
        CAPTURE(bytes);
        const std::string hole(bytes, '\0');
        const auto with_hole = [&hole](std::string_view before) {  // instead of the byte after these
            const std::size_t begin = whole.find(before) + before.size();
            return whole.substr(0, begin) + hole + whole.substr(begin + 1);
        };
        for (const std::string& front : {std::string(), other}) {  // also where lines of this prefix are known
            check_named(front + half + hole + whole, front.empty() ? "plog-7100:1" : "plog-7100:2");
            for (const std::string_view before : {"[data_dum", "blk/To", "task id: ", "stream id: "}) {
                CHECK_MESSAGE(shown(located(front + with_hole(before), {48, 9}, 4000).op) == "none", before);
            }
            check_named(front + with_hole("stream id: 48, context id: 65535, thread id: 65535, "),
                        front.empty() ? "plog-7100:1" : "plog-7100:2");
        }
        // Not learnt of a line with a hole that lines of its shape are cut.
        check_named(with_hole("task id: ") + whole);
    }
}

TEST_CASE(
    "golden lines: a name that touches the end of a line of 1022 bytes is marked as cut, not so in a short line") {
    for (const std::size_t size : {std::size_t{1022}, std::size_t{900}}) {
        const std::string line = launch_line(size);
        const Location location = located(line + "\n", {6, 7}, 4000);
        REQUIRE(location.op);
        CHECK(location.op->best.kernel == line.substr(line.find("kernel_name=") + 12));
        CHECK((remarks_of(location).find("warning name_truncated") != std::string::npos) == (size == 1022));
    }
}

TEST_CASE("golden lines: the same line in run and debug log, or copied twice, is one answer") {
    const Location location =
        located({{std::string(host_log), whole}, {"run/plog/plog-7100_20260304100000100.log", whole}}, {48, 9}, 4000);
    CHECK(shown(location.op) == "blk/Toy_1|-|-|exact");
    CHECK(candidates_of(location).empty());
    check_named(whole + whole, "plog-7100:1");
}

TEST_CASE(
    "golden lines: the text of an exception as an application prints it, where no line with a time tells the task") {
    const std::string text =
        "        Aicore kernel execute failed, device_id=0, stream_id=48, report_stream_id=48, task_id=9, flip_num=0, "
        "fault kernel_name=toy_add, fault kernel info ext=none, program id=1, hash=7.[FUNC:GetError][FILE:stream.cc]"
        "[LINE:7]";
    for (const std::string& printed : {text, text + "[THREAD:123358]"}) {
        const Location alone = located({{"train.out", "EZ9999: Inner Error!\n" + printed + "\n"}}, {48, 9}, 4000);
        CHECK(shown(alone.op) == "-|-|toy_add|kernel");
        CHECK(operator_lines(alone) == "train:2");
        CHECK(remarks_of(alone) == "warning task_failed");
        const Location beside = located({{std::string(host_log), whole}, {"train.out", printed + "\n"}}, {48, 9}, 4000);
        CHECK(shown(beside.op) == "blk/Toy_1|-|-|exact");
        CHECK(candidates_of(beside).empty());
    }
    const std::string broken = text.substr(0, text.find("[FILE:"));
    CHECK(shown(located({{"train.out", other + broken + "\n"}}, {48, 9}, 4000).op) == "none");
}

TEST_CASE("golden lines: the lines of the kernel's own log and of the firmware are no statements") {
    const Location location = located(
        other +
            "[2026-03-04-10:00:01.371626] [ascend] [uda] [INFO] stream_id=48, task_id=9, kernel_name=toy_add, "
            "arg_size=3\n"
            "[INFO]HSM:1970-01-01 00:03:45.333 sec init success.\n"
            "[ERROR] TSCH(-1,null):2026-03-04-10:00:01.198.791 2170 (dieid:0,cpuid:0) [stars_interrupt.c:3942] "
            "proc_stars_acc_exception_inner: rtsq_id=2, sq_head=0, sq_tail=1, acsq_id=78, stream_id=48, task_id=9\n",
        {48, 9}, 4000);
    CHECK(shown(location.op) == "none");
}

TEST_CASE("golden lines: texts of exceptions on the console of several ranks: each kernel may be the one") {
    const auto text = [](const std::string& rank, const std::string& kernel) {
        return "[rank" + rank +
               "]:        Aicore kernel execute failed, device_id=0, stream_id=6, report_stream_id=6, " +
               "task_id=7, flip_num=0, fault kernel_name=" + kernel + ", fault kernel info ext=none, program id=1, " +
               "hash=2.[FUNC:GetError][FILE:stream.cc][LINE:9]\n";
    };
    const Location two = located(text("0", "ToyAdd") + text("1", "ToyMul") + text("2", "ToyAdd"), {6, 7}, 4000);
    CHECK(candidates_of(two) == "-|-|ToyAdd|kernel; -|-|ToyMul|kernel");
    const Location one = located(text("0", "ToyAdd") + text("1", "ToyAdd"), {6, 7}, 4000);
    CHECK(shown(one.op) == "-|-|ToyAdd|kernel");
    CHECK(candidates_of(one).empty());
}
