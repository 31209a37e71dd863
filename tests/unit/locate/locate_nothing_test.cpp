// Why nothing was found, and what a task is that is none; and what evidence may show.
#include <filesystem>

#include <doctest/doctest.h>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "location.hpp"
#include "made_up_map.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

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

const std::vector<MadeUpFact> ordinary{launch(2, 0), launch(3, 9000)};

bool says(const Location& location, std::string_view code, std::string_view text) {
    return message_of(location, code).find(text) != std::string::npos;
}

/// A log with INFO lines of both modules, one task of a model and one single execution.
LogText log_of_both() {
    LogText log;
    log.at(0).set_up_stream(21).bind(3, 21, "toy_net").save_dump_task("net/Exp", 21, 118);
    return log.at(1000).launch_2023(2, 6, "2_0_11_A");
}
LogText with_ge(std::string_view line) {
    return log_of_both().ge("SetEndGraphIdToAicpu", line);
}
LogText empty() {
    LogText log;
    return log.at(0);
}

}  // namespace

TEST_CASE("nothing: the remarks state the reason") {
    constexpr std::int64_t three_days = 3 * 86'400'000;
    const RecordIds of_model{21, 118, 3}, unknown{21, 6}, end{21, 64, 3}, debug{21, 2, 3};
    struct Row {
        LogText log;
        RecordIds ids;
        std::int64_t at;
        std::string remarks;
    };
    const std::vector<Row> rows{
        {empty().launch_2023(2, 6, "A").at(9000).ge("Run", "noise"), unknown, -60'000, "warning log_begins_later"},
        {empty().launch_2023(2, 6, "A").at(9000).ge("Run", "noise"), unknown, 200'000, "warning log_ended"},
        {empty().launch_2023(2, 6, "A").at(9000).ge("Run", "noise"), unknown, 5000, "warning task_not_in_logs"},
        {LogText().at(600'000).save_dump_task("late", 21, 118), of_model, 5000, "warning task_set_up_later"},
        {empty().runtime("Other", "x", "ERROR").ge("Other", "x", "ERROR"), of_model, 5000, "warning logs_without_info"},
        {empty().launch_2023(65535, 6, "A"), {65535, 6}, 5000, "warning ids_not_set"},
        {empty().launch_2023(2, 65535, "B"), {2, 65535}, 5000, "warning ids_not_set"},
        {empty(), {4294967295, 4294967295}, 5000, "warning ids_not_set"},
        {with_ge("EndGraphTaskInfo Distribute Success, task id is 64, stream id is 21, stream: 0x10."), end, 5000,
         "warning end_of_graph_task"},
        {with_ge("Add end_graph_info to aicpu, model_name is toy_net, task_id is 64, stream_id is 21"), end, 5000,
         "warning end_of_graph_task"},
        {with_ge("add end_graph_info to aicpu, task_id is 64, stream_id is 21"), end, 5000,
         "warning end_of_graph_task"},
        {log_of_both().runtime("DebugRegister", "model_id=3, flag=3, streamId=21, taskId=2"), debug, 5000,
         "warning debug_task"},
        {with_ge("add op_debug_info to aicpu, task_id is 2, stream_id is 21."), debug, 5000, "warning debug_task"},
        {with_ge("update op_debug_info to aicpu, task_id is 2, stream_id is 21."), debug, 5000, "warning debug_task"},
        {with_ge("Set overflow debug info: task_id=2, stream_id=21, addr=0x10"), debug, 5000, "warning debug_task"},
        {log_of_both().save_dump_task("Node_OpDebug", 21, 2), debug, 5000, "warning debug_task"},
        {log_of_both().save_dump_task("Node_EndGraph", 21, 64), end, 5000, "warning end_of_graph_task"},
        {empty().set_up_stream(21).sent(21, 6).at(9000).runtime("Run", "noise"), unknown, 1000,
         "warning kernel_unnamed, warning logs_without_ge_info"},
        {empty().set_up_stream(21).sent(21, 6).at(9000).ge("Run", "noise"), unknown, 1000, "warning kernel_unnamed"},
        {empty().ge("Run", "noise").at(9000).ge("Run", "noise"), unknown, 5000,
         "warning task_not_in_logs, warning logs_without_runtime_info"},
        {empty().runtime("Run", "noise").at(9000).runtime("Run", "noise"), unknown, 5000,
         "warning task_not_in_logs, warning logs_without_ge_info"},
        {LogText(990).at(0).device("Run", "noise").at(9000).device("Run", "noise"), unknown, 5000,
         "warning no_host_logs"},
        {log_of_both(), {2, 6}, three_days, "warning time_outside_logs, warning task_not_in_logs"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.remarks);
        CAPTURE(row.log.text());
        check_located(locate_in(task_map_of(row.log), dump_of(row.ids, row.at)),
                      {.op = "none", .remarks = row.remarks});
    }
}

TEST_CASE("nothing: without logs and operator dumps the remark names the logs that are needed") {
    const Location location = locate(dump_of({21, 118, 3}, 5000), {});
    CHECK(remarks_of(location) == "warning no_logs");
    CHECK(says(location, "no_logs", "ASCEND_GLOBAL_LOG_LEVEL=1"));
    CHECK(shown(location.model) == "-|3|-|-");
}

TEST_CASE("nothing: a dump without a time, or days away, has uses of all times") {
    const auto map = task_map_of(log_of_both());
    check_located(locate_in(map, dump_of({21, 118, 3}, std::nullopt)),
                  {.op = "net/Exp|-|-|exact", .remarks = "warning time_unknown"});
    LogText again = log_of_both();
    again.at(60'000).launch_2023(2, 6, "2_0_11_B");
    CHECK(candidates_of(locate_in(task_map_of(again), dump_of({2, 6}, std::nullopt))) ==
          "A|-|2_0_11_A|kernel; B|-|2_0_11_B|kernel");
    for (const std::int64_t away : {3 * 86'400'000, -3 * 86'400'000}) {
        CHECK(shown(locate_in(map, dump_of({21, 118, 3}, away)).op) == "net/Exp|-|-|type");
    }
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

TEST_CASE("nothing: an overflow that only a warning line reports does not count as a task that the log knows") {
    const MadeUpFact report(FactKind::overflow_report, 6000, "made.report", LogKind::runtime_log);
    MadeUpFact of_task = report;
    of_task.task(21, 6);
    check_located(locate_in(map_of({launch(2, 0), of_task, launch(3, 9000)}), dump_of({21, 6}, 5000)),
                  {.remarks = "warning task_not_in_logs, info overflow_in_log"});
}

TEST_CASE("nothing: run and debug logs are missed where only the other was given") {
    const auto run_only = map_of(ordinary, {}, "job/run/plog/plog-1.log");
    CHECK(remarks_of(locate_in(run_only, dump_of({21, 6}, 5000))) ==
          "warning task_not_in_logs, warning debug_logs_missing");
    const auto debug_only = map_of(ordinary, {}, "job/debug/plog/plog-1.log");
    check_located(locate_in(debug_only, dump_of({2, 6, 8}, 5000)),
                  {.op = "-|-|k|kernel", .model = "-|8|-|-", .remarks = "info run_logs_missing"});
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
    CHECK(says(without_debug, "logs_unread", "1 of the given logs"));
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
    check_located(location(), {.op = "op|-|-|exact", .remarks = "warning logs_unread"});
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

TEST_CASE("evidence: nothing of a line that a terminal obeys reaches JSON or text") {
    const std::string bad = "net/\x1b[31mE\xffxp\x07\xc2\x9b" + std::string(1, '\0') + "end";
    LogText log;
    log.at(0).bind(3, 21, "toy\x1b]0;x\x07net").save_dump_task(bad, 21, 118);
    const Dump dump = dump_of({21, 118, 3}, 5000);
    const Location location = locate_in(task_map_of(log), dump);
    REQUIRE(location.op.has_value());
    const std::string texts[] = {record_to_json(dump, location, {}), record_to_text(dump, location, {})};
    for (const std::string& text : texts) {
        CHECK(contains(text, "net/"));
        CHECK_FALSE(contains(text, "\xc2\x9b"));
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
