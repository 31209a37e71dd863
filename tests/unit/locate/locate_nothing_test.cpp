// Explaining nothing: each reason with what to set for the next run; and what evidence may show.
#include <filesystem>

#include <doctest/doctest.h>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "location.hpp"
#include "made_up_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using logs::FactKind;
using logs::LogKind;
namespace fs = std::filesystem;

namespace {

MadeUpFact launch(std::uint64_t stream, std::int64_t at) {
    MadeUpFact fact(FactKind::kernel_of_task, at, "runtime.launch", LogKind::runtime_log);
    fact.fact.kernel_name = "k";
    fact.fact.device_id = 4;
    return fact.task(stream, 6);
}

MadeUpFact set_up(std::uint64_t stream, std::uint64_t device) {
    MadeUpFact fact(FactKind::stream_open, 0, "made.set_up", LogKind::runtime_log);
    fact.fact.stream_id = stream;
    fact.fact.device_id = device;
    return fact;
}

const std::vector<MadeUpFact> ordinary{launch(2, 0), launch(3, 9000)};

bool says(const Location& location, std::string_view code, std::string_view text) {
    return message_of(location, code).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("nothing: the log begins after the overflow, so it was rotated away") {
    const Location location = locate_in(map_of(ordinary), dump_of({21, 6}, -60'000));
    CHECK(remarks_of(location) == "warning log_begins_later");
    CHECK(says(location, "log_begins_later", "ASCEND_HOST_LOG_FILE_NUM=1000"));
    CHECK(says(location, "log_begins_later", "process 5100"));
}

TEST_CASE("nothing: the log ended before the overflow") {
    const Location location = locate_in(map_of(ordinary), dump_of({21, 6}, 200'000));
    CHECK(remarks_of(location) == "warning log_ended");
}

TEST_CASE("nothing: the logs are of other processes and devices, which are named") {
    const Location location = locate_in(map_of(ordinary), dump_of({21, 6}, 5000));
    CHECK(remarks_of(location) == "warning task_not_in_logs");
    CHECK(says(location, "task_not_in_logs", "no process mentions this task; the logs are of process 5100."));
    const Location stream_known =
        locate_in(map_of({launch(2, 0), set_up(2, 4), launch(3, 9000)}), dump_of({2, 900}, 5000));
    CHECK(says(stream_known, "task_not_in_logs", "mentioned by process 5100 (device 4), but not this task"));
}

TEST_CASE("nothing: what is said of others does not hang on which dumps are decoded together") {
    const TemporaryDirectory folder;
    LogText log;
    log.at(0).launch(21, 0, "k").sent(21, 6).at(9000).ge("Run", "noise");
    const std::string path = write_file(folder.path() / "plog-5100_1.log", log.text());
    const auto remarks = [&path](const std::vector<Dump>& decoded_together) {
        ReadLogsOptions options;
        options.wanted.emplace();
        for (const Dump& dump : decoded_together) {
            add_wanted(dump, *options.wanted);
        }
        const auto logs = read_logs({path}, options);
        REQUIRE(logs.ok());
        return message_of(locate_in(logs->task_map, decoded_together.front()), "task_not_in_logs");
    };
    const Dump unknown = dump_of({21, 900}, 5000), known = dump_of({21, 6}, 5000);
    REQUIRE_FALSE(remarks({unknown}).empty());
    CHECK(remarks({unknown}) == remarks({unknown, known}));
}

TEST_CASE("nothing: only processes that used the task are said to have used it") {
    const auto failed = [](int pid, int task) {
        LogText log(pid);
        log.at(0).runtime("Run", "noise").at(100);
        log.runtime("TaskFailCallBack", "rtCode=0x7150050,[the model stream execute failed], errorTaskId=" +
                                            std::to_string(task) + ", errorStreamId=21");
        return log.ge("Run", "noise").at(9000).runtime("Run", "noise").text();
    };
    const Location location = locate_in(task_map_of({failed(5100, 6), failed(5200, 7)}), dump_of({21, 6}, 5000));
    CHECK(says(location, "task_not_in_logs", ": process 5100 used these ids"));
}

TEST_CASE(
    "nothing: a failure near the overflow is told where only its line is on the task, that of another rank is not") {
    const std::string line =
        "Task run failed, device_id=0, stream_id=21, task_id=6, sqe_type=0(ffts), errType=0x1(task exception), "
        "sqSwStatus=0";
    const auto log_with = [](std::int64_t at, const std::string& text) {
        LogText log;
        log.at(0).runtime("Run", "noise").ge("Run", "noise").at(at).runtime("ProcLogicCqReport", text, "ERROR");
        return task_map_of(log.at(60'000).runtime("Run", "noise"));
    };
    Dump dump = dump_of({21, 6}, 20'000);
    for (const std::int64_t at : {10'000, 19'995, 30'000}) {
        const Location location = locate_in(log_with(at, line), dump);
        CHECK(remarks_of(location) == "warning task_not_in_logs, warning task_failed");
        CHECK(says(location, "task_not_in_logs", "process 5100 (device 0) used these ids, but the lines report only"));
        CHECK(says(location, "task_failed", "(log0:3)"));
    }
    for (const std::int64_t at : {9'999, 30'001}) {
        CHECK(remarks_of(locate_in(log_with(at, line), dump)) == "warning task_not_in_logs");
    }
    dump.path_ids.device_id = 1;
    CHECK(remarks_of(locate_in(log_with(20'000, line), dump)) == "warning task_not_in_logs");
    dump.path_ids.device_id = 0;
    CHECK(remarks_of(locate_in(log_with(20'000, line), dump)) == "warning task_not_in_logs, warning task_failed");
}

TEST_CASE("nothing: the graph compiler's device is none of those that are named") {
    const auto map = map_of({launch(2, 0), set_up(21, 4), set_up(21, 64)});
    const Location location = locate_in(map, dump_of({21, 6}, 5000));
    CHECK(says(location, "task_not_in_logs", "mentioned by process 5100 (device 4), but"));
}

TEST_CASE("nothing: a launch without a name, where only the runtime was logged, says what to set as well") {
    LogText log;
    log.at(0).set_up_stream(21).sent(21, 6).at(9000).runtime("Run", "noise");
    const Location without_ge = locate_in(task_map_of(log), dump_of({21, 6}, 1000));
    CHECK(remarks_of(without_ge) == "warning kernel_unnamed, warning logs_without_ge_info");
    CHECK(remarks_of(locate_in(task_map_of(log.ge("Run", "noise")), dump_of({21, 6}, 1000))) ==
          "warning kernel_unnamed");
}

TEST_CASE("nothing: only one of the modules was logged with level INFO") {
    LogText ge, runtime;
    ge.at(0).ge("Run", "noise").at(9000).ge("Run", "noise");
    runtime.at(0).runtime("Run", "noise").at(9000).runtime("Run", "noise");
    const Location without_runtime = locate_in(task_map_of(ge), dump_of({21, 6}, 5000));
    CHECK(remarks_of(without_runtime) == "warning task_not_in_logs, warning logs_without_runtime_info");
    CHECK(says(without_runtime, "logs_without_runtime_info", "ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1"));
    const Location without_ge = locate_in(task_map_of(runtime), dump_of({21, 6}, 5000));
    CHECK(remarks_of(without_ge) == "warning task_not_in_logs, warning logs_without_ge_info");
}

TEST_CASE("nothing: an overflow that only a warning line reports does not count as a task that the log knows") {
    const MadeUpFact report(FactKind::overflow_report, 6000, "made.report", LogKind::runtime_log);
    MadeUpFact of_task = report;
    of_task.task(21, 6);
    const Location location = locate_in(map_of({launch(2, 0), of_task, launch(3, 9000)}), dump_of({21, 6}, 5000));
    CHECK(remarks_of(location) == "warning task_not_in_logs, info overflow_in_log");
}

TEST_CASE("nothing: the logs hold lines of the device only") {
    LogText device(990);
    device.at(0).device("Run", "noise").at(9000).device("Run", "noise");
    const Location location = locate_in(task_map_of(device), dump_of({21, 6}, 5000));
    CHECK(remarks_of(location) == "warning no_host_logs");
    CHECK(says(location, "no_host_logs", "ASCEND_PROCESS_LOG_PATH"));
}

TEST_CASE("nothing: run and debug logs are missed where only the other was given") {
    const auto run_only = map_of(ordinary, {}, "job/run/plog/plog-1.log");
    CHECK(remarks_of(locate_in(run_only, dump_of({21, 6}, 5000))) ==
          "warning task_not_in_logs, warning debug_logs_missing");
    const auto debug_only = map_of(ordinary, {}, "job/debug/plog/plog-1.log");
    const Location location = locate_in(debug_only, dump_of({2, 6, 8}, 5000));
    CHECK(shown(location.op) == "-|-|k|kernel");
    CHECK(shown(location.model) == "-|8|-|-");
    CHECK(remarks_of(location) == "info run_logs_missing");
}

TEST_CASE("nothing: a debug or run log that was given and could not be read comes first, and is not asked for") {
    const TemporaryDirectory folder;
    LogText run, debug;
    run.at(0).bind(3, 21).at(9000).runtime("Run", "noise");
    debug.at(0).save_dump_task("op", 21, 118).at(9000).runtime("Run", "noise");
    const std::string of_run = folder / "run/plog/plog-5100_1.log";
    const std::string of_debug = folder / "debug/plog/plog-5100_1.log";
    const auto location = [&folder] {
        const Result<ReadLogs> logs = read_logs({folder.path().string()});
        REQUIRE(logs.ok());
        return locate_in(logs->task_map, dump_of({21, 118, 3}, 5000));
    };
    // Root may read anything, so what cannot be read is a link to nowhere.
    write_file(of_run, run.text());
    fs::create_directories(fs::path(of_debug).parent_path());
    fs::create_symlink("nowhere", of_debug);
    const Location without_debug = location();
    CHECK(remarks_of(without_debug) == "warning logs_unread, warning task_not_in_logs");
    CHECK(says(without_debug, "logs_unread", "1 of the logs given"));
    CHECK(says(without_debug, "logs_unread", of_debug));
    CHECK(says(without_debug, "task_not_in_logs", "in logs that could not be read"));

    fs::remove(of_debug);
    fs::create_symlink("nowhere", of_run + ".1");  // no debug log, for all that is known
    CHECK(remarks_of(location()) ==
          "warning logs_unread, warning task_not_in_logs, warning logs_without_ge_info, warning debug_logs_missing");

    fs::remove(of_run);
    fs::remove(of_run + ".1");
    write_file(of_debug, debug.text());
    fs::create_symlink("nowhere", of_run);
    const Location without_run = location();
    CHECK(shown(without_run.op) == "op|-|-|exact");
    CHECK(remarks_of(without_run) == "warning logs_unread");
}

TEST_CASE("nothing: a log that could not be read is no matter where the others give the answer") {
    const TemporaryDirectory folder;
    LogText log;
    log.at(0).bind(3, 21).save_dump_task("op", 21, 118).at(9000).ge("Run", "noise");
    write_file(folder / "debug/plog-5100_1.log", log.text());
    fs::create_symlink("nowhere", folder / "debug/plog-5200_1.log");
    const Result<ReadLogs> logs = read_logs({folder.path().string()});
    REQUIRE(logs.ok());
    CHECK(logs->failures.size() == 1);
    CHECK(remarks_of(locate_in(logs->task_map, dump_of({21, 118, 3}, 5000))).empty());
}

TEST_CASE("time: a given zone in which the dump is older than its folder is used, and warned of") {
    Dump dump = dump_of({2, 6}, 5000);  // 10:00:05 UTC
    dump.path_ids.time = "20260304120000";
    const Location location = locate_in(map_of(ordinary), dump);
    CHECK(shown(location.op) == "-|-|k|kernel");
    CHECK(remarks_of(location) == "warning utc_offset_contradicts_folder");
    CHECK(says(location, "utc_offset_contradicts_folder", "2026-03-04 10:00:05"));
    CHECK(says(location, "utc_offset_contradicts_folder", "2026-03-04 12:00:00"));
    dump.path_ids.time = "20260304095900";
    CHECK(remarks_of(locate_in(map_of(ordinary), dump)).empty());
}

TEST_CASE("evidence: nothing of a line that a terminal obeys reaches JSON or text") {
    const std::string bad = "net/\x1b[31mE\xffxp\x07\xc2\x9b" + std::string(1, '\0') + "end";
    LogText log;
    log.at(0).bind(3, 21, "toy\x1b]0;x\x07net").save_dump_task(bad, 21, 118);
    const Dump dump = dump_of({21, 118, 3}, 5000);
    const Location location = locate_in(task_map_of(log), dump);
    REQUIRE(location.op.has_value());
    const std::string texts[] = {record_to_json(dump, location, {}), record_to_text(dump, location, {})};
    for (const std::string& text : texts) {
        CHECK(text.find("net/") != std::string::npos);
        CHECK(text.find("\xc2\x9b") == std::string::npos);
        CHECK(text.find('\xff') == std::string::npos);
        for (const char c : text) {
            REQUIRE((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
            REQUIRE(c != '\x7f');
        }
    }
}

TEST_CASE("evidence: a line longer than a log line is cut") {
    LogText log;
    log.at(0).bind(3, 21).save_dump_task("op", 21, 118);
    std::string text = log.text();
    text.insert(text.size() - 1, std::string(5000, 'x'));
    const Location location = locate_in(task_map_of({text}), dump_of({21, 118, 3}, 5000));
    REQUIRE(location.op.has_value());
    CHECK(location.op->best.evidence.front().text.size() == 1024);
}
