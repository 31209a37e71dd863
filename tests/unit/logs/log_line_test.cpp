// The line reader against every variation of the prefix (docs/internals/logs.md).
#include "logs/lines/line.hpp"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using opdebug::logs::LogLine;
using opdebug::logs::parse_line;

namespace {

// 2021-03-04 is day 18690 after 1970-01-01 (51 years with 13 leap days are 18628 days, and 31 + 28 + 3 more);
// 05:06:07.008.009 is 18367 s and 8009 us.
constexpr std::int64_t march_2021 = (18690LL * 86400 + 18367) * 1000000 + 8009;

LogLine parsed(std::string_view line) {
    const std::optional<LogLine> result = parse_line(line);
    REQUIRE_MESSAGE(result.has_value(), line);
    return *result;
}

/// The line of a module whose prefix is not the subject.
LogLine with_rest(std::string_view module, std::string_view rest) {
    // The views point into the text, so it has to live on.
    static std::string line;
    line = "[INFO] " + std::string(module) + "(41,app):2021-03-04-05:06:07.008.009 " + std::string(rest);
    return parsed(line);
}

}  // namespace

TEST_CASE("log line: runtime, 2021: no spaces around thread and function") {
    const LogLine line =
        parsed("[INFO] RUNTIME(41,app):2021-03-04-05:06:07.008.009 [x/y/stream.cc:77]43 Setup:stream_id=3");
    CHECK(line.level == "INFO");
    CHECK(line.module == "RUNTIME");
    CHECK(line.pid == 41);
    CHECK(line.process_name == "app");
    CHECK(line.local_time_us == march_2021);
    CHECK(line.tid == 43);
    CHECK(line.function == "Setup");
    CHECK(line.text == "stream_id=3");
    CHECK_FALSE(line.may_be_cut);
}

TEST_CASE("log line: runtime, since 2023: spaces around thread and function") {
    const LogLine line = with_rest("RUNTIME", "[stream.cc:77] 43 Setup: stream_id=3");
    CHECK(line.tid == 43);
    CHECK(line.function == "Setup");
    CHECK(line.text == "stream_id=3");
}

TEST_CASE("log line: error-manager stages belong to the text") {
    const LogLine line = with_rest("RUNTIME", "[engine.cc:5]43 Report:[EXEC][EXEC]Task exception! device_id=0");
    CHECK(line.function == "Report");
    CHECK(line.text == "[EXEC][EXEC]Task exception! device_id=0");
}

TEST_CASE("log line: compact runtime: a level block before the file, no function") {
    const LogLine line = with_rest("RUNTIME", "[ERROR][task.cc:5]43 no function here");
    CHECK(line.tid == 43);
    CHECK(line.function.empty());
    CHECK(line.text == "no function here");
    CHECK(with_rest("RUNTIME", "[Event][task.cc:5]44 done").tid == 44);
}

TEST_CASE("log line: status and event blocks stand on either side of the file") {
    for (const std::string_view rest : {"[status:INIT] [api.cc:5]43 Start:go", "[api.cc:5][status:INIT]43 Start:go",
                                        "[api.cc:5][EVENT]43 Start:go", "[EVENT] [api.cc:5]43 Start:go"}) {
        const LogLine line = with_rest("GE", rest);
        CHECK_MESSAGE(line.tid == 43, rest);
        CHECK_MESSAGE(line.function == "Start", rest);
        CHECK_MESSAGE(line.text == "go", rest);
    }
}

TEST_CASE("log line: GE without thread, with a tag, with a lambda, with a destructor") {
    const LogLine no_thread = with_rest("GE", "[info.cpp:132]GetInfo:\"text\"");
    CHECK_FALSE(no_thread.tid);
    CHECK(no_thread.function == "GetInfo");
    CHECK(no_thread.text == "\"text\"");
    const LogLine tag = with_rest("GE", "[alloc.cc:268]43 [allocator_1] Free:block");
    CHECK(tag.tid == 43);
    CHECK(tag.function == "Free");
    CHECK(tag.text == "block");
    const LogLine lambda = with_rest("GE", "[exec.cc:2]43 operator():op is null.");
    CHECK(lambda.function == "operator()");
    CHECK(lambda.text == "op is null.");
    CHECK(with_rest("RUNTIME", "[runtime.cc:1] 43 ~Runtime: end").function == "~Runtime");
    CHECK(with_rest("GE", "[a.cc:1]43 Outer::Inner:msg").function == "Inner");
}

TEST_CASE("log line: GE errors keep number, description and stages in the text") {
    const LogLine line =
        with_rest("GE", "[ctx.cc:257]43 Allocate: ErrorNo: 50331649() [LOAD][LOAD][Check][Size] too large");
    CHECK(line.function == "Allocate");
    CHECK(line.text == "ErrorNo: 50331649() [LOAD][LOAD][Check][Size] too large");
}

TEST_CASE("log line: only the first colon ends the function") {
    const LogLine line = with_rest("GE", "[model.cc:1]43 Run:Init:Logical stream index:0");
    CHECK(line.function == "Run");
    CHECK(line.text == "Init:Logical stream index:0");
}

TEST_CASE("log line: a thread without a function keeps its text") {
    const LogLine line = with_rest("TEFUSION", "[api.cc:280]370 Initialize Begin to initialize.");
    CHECK(line.tid == 370);
    CHECK(line.function.empty());
    CHECK(line.text == "Initialize Begin to initialize.");
}

TEST_CASE("log line: device scheduler: function and thread in blocks, message that begins with a bracket") {
    const LogLine old =
        with_rest("CCECPU", "[dump.cpp:2][Load][tid:51][AICPU_SCHEDULE] [stream id:5, task id:3], op name[a]");
    CHECK(old.function == "Load");
    CHECK(old.tid == 51);
    CHECK(old.text == "[stream id:5, task id:3], op name[a]");
    const LogLine today =
        with_rest("CCECPU", "[dump.cpp:2][Load][tid:51] [stream id:5, task id:3, context id:1] op name[a]");
    CHECK(today.function == "Load");
    CHECK(today.tid == 51);
    CHECK(today.text == "[stream id:5, task id:3, context id:1] op name[a]");
}

TEST_CASE("log line: dump module has a thread block only; a tag behind it is text") {
    const LogLine line = with_rest("IDEDD", "[dump_operator.cpp:150][tid:51] [AIC_INFO] node_name:a");
    CHECK(line.tid == 51);
    CHECK(line.function.empty());
    CHECK(line.text == "[AIC_INFO] node_name:a");
    CHECK(with_rest("IDEDH", "[adx.cpp:42][tid:51]>>> init end").text == ">>> init end");
}

TEST_CASE("log line: TDT and driver forms") {
    const LogLine tdt = with_rest("TDT", "[version.cpp:71][PeerCheck][tid:51] Version: fine");
    CHECK(tdt.function == "PeerCheck");
    CHECK(tdt.tid == 51);
    CHECK(tdt.text == "Version: fine");
    const LogLine driver = with_rest("DRV", "[sched.c:15][ascend][curpid:41,51][drv][sched][OpenDevice]open success.");
    CHECK(driver.function == "OpenDevice");
    CHECK(driver.tid == 51);
    CHECK(driver.text == "open success.");
    const LogLine no_file = with_rest("DRV", "[ascend][curpid: 41, 52][drv][hdc][CreateServer 283]done");
    CHECK(no_file.function == "CreateServer");
    CHECK(no_file.tid == 52);
    CHECK(no_file.text == "done");
}

TEST_CASE("log line: firmware: negative pid, sequence number, cpu and die, file with and without brackets") {
    const LogLine old =
        parsed("[ERROR] TSCH(-1,null):2021-03-04-05:06:07.008.009 28 (cpuid:0) core.c:1012 on_timeout: slot_id=1");
    CHECK(old.pid == -1);
    CHECK(old.process_name == "null");
    CHECK_FALSE(old.tid);
    CHECK(old.function == "on_timeout");
    CHECK(old.text == "slot_id=1");
    const LogLine today =
        parsed("[ERROR] TSCH(-1,null):2021-03-04-05:06:07.008.009 217 (dieid:0,cpuid:0) [irq.c:39] on_irq: sq=2");
    CHECK_FALSE(today.tid);
    CHECK(today.function == "on_irq");
    CHECK(today.text == "sq=2");
}

TEST_CASE("log line: process names that are empty, None or hold spaces and brackets") {
    CHECK(parsed("[INFO] RUNTIME(216,):2021-03-04-05:06:07.008.009 [a.cc:1]1 F:x").process_name.empty());
    CHECK(parsed("[INFO] RUNTIME(216,):2021-03-04-05:06:07.008.009 [a.cc:1]1 F:x").pid == 216);
    CHECK(parsed("[INFO] RUNTIME(216,None):2021-03-04-05:06:07.008.009 [a.cc:1]1 F:x").process_name == "None");
    CHECK(parsed("[INFO] GE(216, ir_build):2021-03-04-05:06:07.008.009 [a.cc:1]1 F:x").process_name == "ir_build");
    const LogLine odd = parsed("[INFO] GE(216,my app (2).bin):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x");
    CHECK(odd.process_name == "my app (2).bin");
    CHECK(odd.local_time_us == march_2021);
    CHECK(odd.tid == 9);
    const LogLine no_pid = parsed("[ERROR] RUNTIME(python3):2021-03-04-05:06:07.008 [a.cc:1]9 F:x");
    CHECK_FALSE(no_pid.pid);
    CHECK(no_pid.process_name == "python3");
}

TEST_CASE("log line: a process id that is no number is damaged, and makes no line; a name alone is one") {
    const std::string rest = "2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x";
    for (const std::string process : {"41a2,app", "4 1,app", ",app", "x,app"}) {
        CAPTURE(process);
        CHECK_FALSE(parse_line("[INFO] GE(" + process + "):" + rest));
    }
    const std::string without_id = "[INFO] GE(app):" + rest;
    const LogLine named = parsed(without_id);
    CHECK_FALSE(named.pid);
    CHECK(named.process_name == "app");
}

TEST_CASE("log line: MindSpore: the thread as a pointer before the process name, the function before a bracket") {
    const LogLine line = parsed(
        "[ERROR] DEVICE(7,ffff3a01b2c0,python3.7):2021-03-04-05:06:07.008.009 "
        "[device/ascend/runtime.cc:412] ReportFault] Dump node (net/Add-op3) fault");
    CHECK(line.module == "DEVICE");
    CHECK(line.pid == 7);
    CHECK(line.tid == 0xffff3a01b2c0);
    CHECK(line.process_name == "python3.7");
    CHECK(line.local_time_us == march_2021);
    CHECK(line.function == "ReportFault");
    CHECK(line.text == "Dump node (net/Add-op3) fault");
    // A name with a comma is no thread.
    const LogLine name = parsed("[INFO] GE(7,cafe,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x");
    CHECK(name.process_name == "cafe,app");
    CHECK(name.tid == 9);
}

TEST_CASE("log line: a block, a tag or a stage that never ends is text") {
    CHECK(with_rest("GE", "[a.cc:1").text == "[a.cc:1");
    CHECK(with_rest("GE", "[a.cc:1]9 [tag F:x").text == "[tag F:x");
    CHECK(with_rest("CCECPU", "[a.cc:1][Load][tid:9").text == "[Load][tid:9");
}

TEST_CASE("log line: the prefix alone leaves what follows the time together") {
    const std::string text = "[INFO] GE(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x";
    std::optional<LogLine> line = opdebug::logs::parse_line_prefix(text);
    REQUIRE(line.has_value());
    CHECK(line->pid == 41);
    CHECK(line->local_time_us == march_2021);
    CHECK(line->text == " [a.cc:1]9 F:x");
    CHECK_FALSE(line->tid);
    complete_line(*line);
    CHECK(line->tid == 9);
    CHECK(line->text == "x");
}

TEST_CASE("log line: levels and modules may be numbers") {
    const LogLine line = parsed("[5] 77(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x");
    CHECK(line.level == "5");
    CHECK(line.module == "77");
}

TEST_CASE("log line: a carrier in front is skipped") {
    const std::string_view entry = "[INFO] RUNTIME(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x";
    for (const std::string_view carrier :
         {"/var/log [old]/plog-41.log:143:", "(Worker_TP2 pid=1456) ERROR 09-17 10:11:12 ", "[RAW SERVER] ", "**"}) {
        const std::string text = std::string(carrier) + std::string(entry);
        const std::optional<LogLine> line = parse_line(text);
        REQUIRE_MESSAGE(line.has_value(), carrier);
        CHECK(line->pid == 41);
        CHECK(line->tid == 9);
    }
    CHECK(parse_line(std::string(400, 'x') + std::string(entry)).has_value());
    CHECK_FALSE(parse_line(std::string(401, 'x') + std::string(entry)).has_value());
}

TEST_CASE("log line: console short form, only at the start of a line") {
    const LogLine line = parsed("[ERROR] RUNTIME(62)model execute task failed, device_id=0 (a): b");
    CHECK(line.level == "ERROR");
    CHECK(line.module == "RUNTIME");
    CHECK(line.pid == 62);
    CHECK(line.text == "model execute task failed, device_id=0 (a): b");
    CHECK_FALSE(line.local_time_us);
    CHECK_FALSE(line.tid);
    CHECK_FALSE(parse_line("he wrote [ERROR] RUNTIME(62)model execute").has_value());
}

TEST_CASE("log line: impossible times are missing, the rest is still read") {
    for (const std::string_view time :
         {"2024-01-29-19:2856.519.792",
          "YYYY\xE2\x80\x91MM\xE2\x80\x91"
          "DD-HH:MM:SS.fff.uuu",
          "2023-02-29-00:00:00.000.000", "2023-13-01-00:00:00.000.000", "2023-01-00-00:00:00.000.000",
          "2023-01-01-24:00:00.000.000", "2023-01-01-00:60:00.000.000", "2023-01-01-00:00:60.000.000"}) {
        const std::string text = "[ERROR] GE(41,app):" + std::string(time) + " [a.cc:1]9 F:x";
        const std::optional<LogLine> line = parse_line(text);
        REQUIRE_MESSAGE(line.has_value(), time);
        CHECK_FALSE(line->local_time_us);
        CHECK(line->tid == 9);
        CHECK(line->function == "F");
        CHECK(line->text == "x");
    }
}

TEST_CASE("log line: other text starts no entry") {
    for (const std::string_view text :
         {"", "[", "]", "[]", "[INFO]", "[INFO] ", "[INFO] RUNTIME", "[INFO] RUNTIME(", "[INFO] RUNTIME(41",
          "[INFO] RUNTIME(41,app", "[INFO] RUNTIME(41,app):", "[INFO] RUNTIME(41,app): [a.cc:1]9 F:x",
          "[INFO]HSM:1970-01-01 00:03:45.333 sec init success.", "    \"key\": [1, 2],",
          "2024-03-19 19:41:52,132 - tool[a/b.py:1413] - INFO - text", "[info] RUNTIME(41,app):2021-03-04",
          "[2025-05-07-19:54:27.371626] [ascend] [uda] [INFO] text", "[INFO] word (brackets): text"}) {
        CHECK_MESSAGE(!parse_line(text).has_value(), text);
    }
}

TEST_CASE("log line: a line that is cut anywhere is read as far as it goes") {
    const std::string_view whole =
        "[INFO] CCECPU(41,app):2021-03-04-05:06:07.008.009 [dump.cpp:2][Load][tid:51][AICPU_SCHEDULE] [stream id:5]";
    const std::size_t time_ends = whole.find(" [dump");
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        const std::string exact(whole.substr(0, length));  // its own allocation: reading past the end is found
        const std::optional<LogLine> line = parse_line(exact);
        if (length >= time_ends) {
            REQUIRE(line.has_value());
            CHECK(line->local_time_us == march_2021);
        }
    }
}

TEST_CASE("log line: the length limit is that of the entry, without its carrier") {
    std::string line = "[INFO] GE(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:";
    line.resize(1022, 'n');
    CHECK(parsed(line).may_be_cut);
    line.resize(1019);
    CHECK_FALSE(parsed(line).may_be_cut);
    CHECK_FALSE(parsed("some/carrier.log:1:" + line).may_be_cut);
}

TEST_CASE("log line: NUL bytes, other odd bytes and line ends") {
    using namespace std::string_literals;
    const std::string odd = "\0\0[INFO] GE(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:a\0b\xFF\xC3 \r\n\0"s;
    const LogLine line = parsed(odd);
    CHECK(line.tid == 9);
    CHECK(line.text == "a\0b\xFF\xC3 "s);
}

TEST_CASE("log line: numbers that do not fit are missing") {
    const LogLine line = parsed("[INFO] GE(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]99999999999999999999 F:x");
    CHECK_FALSE(line.tid);
    CHECK(line.text.find("99999999999999999999") == 0);
}

TEST_CASE("log line: what is put around a whole line is taken off") {
    using opdebug::logs::without_wrapping;
    CHECK(without_wrapping("a \"quoted\" line") == "a \"quoted\" line");
    CHECK(without_wrapping(R"({"log":"a line\n","stream":"stdout"})") == "a line");
    CHECK(without_wrapping(R"({"log":"\t\tits \"name\" \\\r\n","stream":"stdout"})") == R"(its \"name\" \\)");
    CHECK(without_wrapping(R"({"log":"no end)") == "no end");
    CHECK(without_wrapping(R"({"log":"no end\)") == "no end\\");
    CHECK(without_wrapping("\x1b[1;32ma line\x1b[0m") == "a line");
    CHECK(without_wrapping("a line\x1b[m") == "a line");
    CHECK(without_wrapping("the end \x1b[0;farm") == "the end \x1b[0;farm");
    CHECK(without_wrapping("\x1b[").size() == 2);
}

TEST_CASE("log line: another entry inside the text begins with a whole prefix and a time") {
    using opdebug::logs::entry_inside;
    const std::string entry = "[INFO] GE(41, my app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x";
    CHECK(entry_inside("op a/b[0]" + entry) == entry);
    CHECK(entry_inside("f(x): [1] g(y):" + entry + entry) == entry + entry);
    for (const std::string text : {"", "):", "[a](b):2021", "[INFO] GE(41,app):YYYY-MM-DD x", "[INFO] GE(41,app)x",
                                   "a list [x] of (y): [INFO] and (z): 2021-03-04-05:06:07.008.009 "}) {
        CHECK_MESSAGE(entry_inside(text).empty(), text);
    }
}
