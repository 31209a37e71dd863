// The line reader against every variation of the prefix (docs/internals/logs.md).
#include "logs/lines/line.hpp"

#include <cstdint>
#include <optional>
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

TEST_CASE("log line: what stands after the time, in the form of each module and year") {
    struct Row {
        std::string_view module, rest;
        std::optional<std::uint64_t> tid;
        std::string_view function, text;
    };
    constexpr std::nullopt_t none = std::nullopt;
    for (const Row& row : {
             Row{"RUNTIME", "[x/y/stream.cc:77]43 Setup:stream_id=3", 43, "Setup", "stream_id=3"},  // 2021
             {"RUNTIME", "[stream.cc:77] 43 Setup: stream_id=3", 43, "Setup", "stream_id=3"},       // since 2023
             // Stages of the error manager belong to the text.
             {"RUNTIME", "[engine.cc:5]43 Report:[EXEC][EXEC]Task exception!", 43, "Report",
              "[EXEC][EXEC]Task exception!"},
             {"RUNTIME", "[ERROR][task.cc:5]43 no function here", 43, "", "no function here"},
             {"RUNTIME", "[Event][task.cc:5]44 done", 44, "", "done"},
             {"GE", "[status:INIT] [api.cc:5]43 Start:go", 43, "Start", "go"},
             {"GE", "[api.cc:5][status:INIT]43 Start:go", 43, "Start", "go"},
             {"GE", "[api.cc:5][EVENT]43 Start:go", 43, "Start", "go"},
             {"GE", "[EVENT] [api.cc:5]43 Start:go", 43, "Start", "go"},
             {"GE", "[info.cpp:132]GetInfo:\"text\"", none, "GetInfo", "\"text\""},
             {"GE", "[alloc.cc:268]43 [allocator_1] Free:block", 43, "Free", "block"},
             {"GE", "[exec.cc:2]43 operator():op is null.", 43, "operator()", "op is null."},
             {"RUNTIME", "[runtime.cc:1] 43 ~Runtime: end", 43, "~Runtime", "end"},
             {"GE", "[a.cc:1]43 Outer::Inner:msg", 43, "Inner", "msg"},
             {"GE", "[ctx.cc:257]43 Allocate: ErrorNo: 50331649() [LOAD][LOAD] too large", 43, "Allocate",
              "ErrorNo: 50331649() [LOAD][LOAD] too large"},
             // Only the first colon ends the function.
             {"GE", "[model.cc:1]43 Run:Init:Logical stream index:0", 43, "Run", "Init:Logical stream index:0"},
             {"TEFUSION", "[api.cc:280]370 Initialize Begin to initialize.", 370, "",
              "Initialize Begin to initialize."},
             {"CCECPU", "[dump.cpp:2][Load][tid:51][AICPU_SCHEDULE] [stream id:5], op name[a]", 51, "Load",
              "[stream id:5], op name[a]"},
             {"CCECPU", "[dump.cpp:2][Load][tid:51] [stream id:5, context id:1] op name[a]", 51, "Load",
              "[stream id:5, context id:1] op name[a]"},
             {"IDEDD", "[dump_operator.cpp:150][tid:51] [AIC_INFO] node_name:a", 51, "", "[AIC_INFO] node_name:a"},
             {"IDEDH", "[adx.cpp:42][tid:51]>>> init end", 51, "", ">>> init end"},
             {"TDT", "[version.cpp:71][PeerCheck][tid:51] Version: fine", 51, "PeerCheck", "Version: fine"},
             {"DRV", "[sched.c:15][ascend][curpid:41,51][drv][sched][OpenDevice]open success.", 51, "OpenDevice",
              "open success."},
             {"DRV", "[ascend][curpid: 41, 52][drv][hdc][CreateServer 283]done", 52, "CreateServer", "done"},
             {"TSCH", "28 (cpuid:0) core.c:1012 on_timeout: slot_id=1", none, "on_timeout", "slot_id=1"},
             {"TSCH", "217 (dieid:0,cpuid:0) [irq.c:39] on_irq: sq=2", none, "on_irq", "sq=2"},
             // A block, a tag or a stage that never ends is text.
             {"GE", "[a.cc:1", none, "", "[a.cc:1"},
             {"GE", "[a.cc:1]9 [tag F:x", 9, "", "[tag F:x"},
             {"CCECPU", "[a.cc:1][Load][tid:9", none, "", "[Load][tid:9"},
             {"GE", "[a.cc:1]99999999999999999999 F:x", none, "", "99999999999999999999 F:x"},
         }) {
        CAPTURE(row.rest);
        const LogLine line = with_rest(row.module, row.rest);
        CHECK(line.level == "INFO");
        CHECK(line.module == row.module);
        CHECK(line.pid == 41);
        CHECK(line.process_name == "app");
        CHECK(line.local_time_us == march_2021);
        CHECK_FALSE(line.may_be_cut);
        CHECK(line.tid == row.tid);
        CHECK(line.function == row.function);
        CHECK(line.text == row.text);
    }
}

TEST_CASE("log line: the process: negative, without a name, None, with blanks and brackets, a thread as a pointer") {
    struct Row {
        std::string_view process;
        std::optional<std::int64_t> pid;
        std::string_view name;
    };
    for (const Row& row : {Row{"(-1,null)", -1, "null"},
                           {"(216,)", 216, ""},
                           {"(216,None)", 216, "None"},
                           {"(216, ir_build)", 216, "ir_build"},
                           {"(216,my app (2).bin)", 216, "my app (2).bin"},
                           {"(python3)", std::nullopt, "python3"},
                           {"(7,ffff3a01b2c0,python3.7)", 7, "python3.7"},
                           {"(7,cafe,app)", 7, "cafe,app"}}) {
        CAPTURE(row.process);
        const std::string text = "[ERROR] GE" + std::string(row.process) + ":2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x";
        const LogLine line = parsed(text);
        CHECK(line.pid == row.pid);
        CHECK(line.process_name == row.name);
        CHECK(line.local_time_us == march_2021);
        CHECK(line.text == "x");
    }
    const std::string mindspore = "[ERROR] DEVICE(7,ffff3a01b2c0,python):2021-03-04-05:06:07.008.009 [a.cc:4] F] x";
    CHECK(parsed(mindspore).tid == 0xffff3a01b2c0);
    CHECK(parsed(mindspore).function == "F");
    for (const std::string process : {"41a2,app", "4 1,app", ",app", "x,app"}) {
        CHECK_FALSE(parse_line("[INFO] GE(" + process + "):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x"));
    }
    const std::string numbers = "[5] 77(41,app):2021-03-04-05:06:07.008.009 [a.cc:1]9 F:x";
    CHECK(parsed(numbers).level == "5");
    CHECK(parsed(numbers).module == "77");
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

TEST_CASE("log line: what is put around a whole line is taken off") {
    using opdebug::logs::without_wrapping;
    CHECK(without_wrapping("a \"quoted\" line") == "a \"quoted\" line");
    CHECK(without_wrapping(R"({"log":"a line\n","stream":"stdout"})") == "a line");
    CHECK(without_wrapping(R"({"log":"\t\tits \"name\" \\\r\n","stream":"stdout"})") == R"(its \"name\" \\)");
    CHECK(without_wrapping(R"({"log":"no end)") == "no end");
    CHECK(without_wrapping(R"({"log":"no end\)") == "no end\\");
}

TEST_CASE("log line: colours of terminals and Markdown's backslashes are no part of it") {
    using opdebug::logs::without_markup;
    CHECK(without_markup("\x1b[1;32ma line\x1b[0m") == "a line");
    CHECK(without_markup("a line\x1b[m") == "a line");
    CHECK(without_markup("kernel\\_name=\x1b[01;31m\x1b[KAdd\x1b[m\x1b[K_1") == "kernel_name=Add_1");
    CHECK(without_markup("a \\u001b[31mline\\u001b[0m\\n") == "a line\\n");
    CHECK(without_markup("the end \x1b[0;farm") == "the end \x1b[0;farm");
    CHECK(without_markup("\x1b[").size() == 2);
    CHECK(without_markup("C:\\dir").size() == 6);
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

TEST_CASE("log line: the carrier of a printed line shows whose it is") {
    using opdebug::logs::printed_line;
    CHECK(printed_line("(Worker_TP0 pid=10) ERROR 09-17 05:36:01 [a.py:654]     text").tid == 10);
    CHECK(printed_line("> (WorkerDict pid=12031, ip=192.0.2.7) text").tid == 12031);
    CHECK(printed_line("[rank3]:  text").tid == 3);
    CHECK(printed_line("worker-1:  text").tid == 1);
    CHECK_FALSE(printed_line("EZ9999: text").tid);
}
