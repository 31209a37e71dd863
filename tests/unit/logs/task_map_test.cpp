// Lines → task map: processes, order of facts, and launch lines whose task id is not final yet.
#include "logs/facts/task_map.hpp"

#include <string>

#include <doctest/doctest.h>

#include "log_builder.hpp"

using namespace opdebug::logs;
using opdebug::test::log_time_us;
using opdebug::test::LogText;
using opdebug::test::process_of;
using opdebug::test::task_map_of;

namespace {

/// "46/12 K, ..." for each kernel that a task is stated to run, in the order of the facts.
std::string kernels_of(const LogText& log) {
    const auto map = task_map_of(log);
    std::string text;
    for (const Process& process : map->contents().processes) {
        for (const StoredFact& stored : process.facts) {
            if (stored.fact.kind == FactKind::kernel_of_task) {
                text += (text.empty() ? "" : ", ") + std::to_string(stored.fact.stream_id.value_or(0)) + "/" +
                        std::to_string(stored.fact.task_id.value_or(0)) + " " + stored.fact.kernel_name;
            }
        }
    }
    return text;
}

}  // namespace

TEST_CASE("provisional task id: the next submit line of the thread and stream has the final one") {
    CHECK(kernels_of(LogText().launch(46, 0, "K").at(1).sent(46, 12)) == "46/12 K");
    CHECK(kernels_of(LogText().launch(46, 5, "K").at(1).sent(46, 12)) == "46/12 K");
}

TEST_CASE("provisional task id: 0 may be the final one as well") {
    CHECK(kernels_of(LogText().launch(46, 0, "K").at(1).sent(46, 0)) == "46/0 K");
}

TEST_CASE("provisional task id: every wording of the submit line counts") {
    for (const char* line : {
             "AllocTaskAndSendStars: device_id=0, ts_id=0, sq_id=5, cq_id=6, stream_id=46, task_id=12, "
             "task_type=0(KERNEL_AICORE), sendSqeNum=1",
             "SendTask: Sq task send finished, device_id=0, ts_id=0, sq_id=5, cq_id=6, stream_id=46, task_id=12, "
             "task_type=0(KERNEL_AICORE), bindFlag=0, head=1, tail=2, delay recycle task num=0.",
             "AllocTaskAndSendDc: task send ok: device_id=0, ts_id=0, sq_id=5, cq_id=6, stream_id=46. task_id=12, "
             "task_type=0(KERNEL_AICORE), reportCount=0, cmdCount=1.",
         }) {
        LogText log;
        log.launch(46, 0, "K").line("INFO", "RUNTIME", std::string("[a.cc:1] 5100 ") + line);
        CHECK_MESSAGE(kernels_of(log) == "46/12 K", line);
    }
}

TEST_CASE("provisional task id: the submit line of another thread does not decide it") {
    LogText log;
    log.thread(1).launch(46, 0, "A").thread(2).launch(46, 0, "B").sent(46, 12).thread(1).sent(46, 13);
    CHECK(kernels_of(log) == "46/13 A, 46/12 B");
}

TEST_CASE("provisional task id: the submit line of another stream does not decide it") {
    CHECK(kernels_of(LogText().launch(46, 0, "K").sent(47, 3).sent(46, 12)) == "46/12 K");
}

TEST_CASE("provisional task id: submit lines of flip, event and maintenance tasks are passed over") {
    CHECK(kernels_of(LogText().launch(46, 0, "K").sent(46, 1, 2).sent(46, 2, 6).sent(46, 3, 0)) == "46/3 K");
}

TEST_CASE("provisional task id: the kernels of vector cores and fusions are kernels as well") {
    for (const int type : {0, 66, 107}) {
        CHECK_MESSAGE(kernels_of(LogText().launch(46, 0, "K").sent(46, 12, type)) == "46/12 K", type);
    }
}

TEST_CASE("provisional task id: a second launch of the thread shows that the first one failed") {
    CHECK(kernels_of(LogText().launch(46, 0, "Failed").launch(46, 0, "K").sent(46, 12)) == "46/12 K");
}

TEST_CASE("provisional task id: a second launch without a name ends the first as well") {
    LogText log;
    log.launch(46, 0, "Failed").launch(46, 0, "").sent(46, 12);
    CHECK(kernels_of(log).empty());
}

TEST_CASE("provisional task id: one submit line decides one launch") {
    CHECK(kernels_of(LogText().launch(46, 0, "A").sent(46, 12).sent(46, 13)) == "46/12 A");
}

TEST_CASE("provisional task id: in a log without submit lines an id that is not 0 counts") {
    CHECK(kernels_of(LogText().launch(46, 12, "A")) == "46/12 A");
    CHECK(kernels_of(LogText().launch(46, 12, "A").at(1).launch(46, 13, "B")) == "46/12 A, 46/13 B");
}

TEST_CASE("final task id: the launch lines of 2021 and 2023 need no submit line") {
    CHECK(kernels_of(LogText().launch_2023(2, 6, "2_0_11_A").launch_2023(2, 7, "2_0_12_B")) ==
          "2/6 2_0_11_A, 2/7 2_0_12_B");
    CHECK(kernels_of(LogText().launch_2021(8, 21, "-1_0_2_c")) == "8/21 -1_0_2_c");
}

TEST_CASE("task map: the process is that of the line, whatever the file") {
    LogText parent(100), child(200);
    parent.save_dump_task("a", 7, 2);
    child.save_dump_task("b", 7, 2);
    const auto map = task_map_of({parent.text() + child.text()});
    CHECK(map->contents().processes.size() == 2);
    CHECK(process_of(*map, 100).facts.front().fact.operator_name == "a");
    CHECK(process_of(*map, 200).facts.front().fact.operator_name == "b");
}

TEST_CASE("task map: one process in several files is one process, in the order of time") {
    LogText late, early;
    late.at(5000).save_dump_task("late", 7, 2);
    early.at(1000).save_dump_task("early", 7, 2);
    const auto map = task_map_of({late.text(), early.text()});
    const Process& process = process_of(*map);
    REQUIRE(process.facts.size() == 2);
    CHECK(process.facts[0].fact.operator_name == "early");
    CHECK(process.facts[0].place.file == 1);
    CHECK(process.facts[1].fact.operator_name == "late");
    CHECK(process.first_time_us == log_time_us(1000));
    CHECK(process.last_time_us == log_time_us(5000));
}

TEST_CASE("task map: lines of the same time keep the order of the file") {
    const auto map = task_map_of(LogText().save_dump_task("a", 7, 1).save_dump_task("b", 7, 2));
    CHECK(process_of(*map).facts[0].fact.operator_name == "a");
    CHECK(process_of(*map).facts[1].fact.operator_name == "b");
}

TEST_CASE("task map: a device process is told from a host process with the same pid") {
    LogText host, device;
    host.save_dump_task("on_host", 7, 2);
    device.device("DumpOpInfo", "start to dump op info, stream id=7, task id=2, op name=on_device");
    const auto map = task_map_of({host.text(), device.text()});
    CHECK(process_of(*map, 5100, false).facts.front().fact.operator_name == "on_host");
    CHECK(process_of(*map, 5100, true).facts.front().fact.operator_name == "on_device");
}

TEST_CASE("task map: a fact knows its file, line, thread, time and text") {
    LogText log;
    log.at(2).runtime("Other", "noise").thread(77).at(1234).save_dump_task("a", 7, 2);
    const auto map = task_map_of({"", log.text()});
    const StoredFact& fact = process_of(*map).facts.front();
    CHECK(map->contents().files == std::vector<std::string>{"log0", "log1"});
    CHECK(fact.place.file == 1);
    CHECK(fact.place.line == 2);
    CHECK(fact.tid == 77);
    CHECK(fact.time_us == log_time_us(1234));
    CHECK(fact.place.text.find("Save dump task a, task id: 2") != std::string::npos);
}

TEST_CASE("task map: a line without a readable time has that of the line before") {
    LogText log;
    log.at(1500).runtime("Other", "noise");
    const auto map = task_map_of(
        {log.text() + "[INFO] GE(5100,train):YYYY-MM-DD-HH:MM:SS.fff.uuu [a.cc:1]5100 SaveDumpTask:Save dump task a, "
                      "task id: 2, stream id: 7\n"});
    CHECK(process_of(*map).facts.front().time_us == log_time_us(1500));
}

TEST_CASE("task map: counts the INFO lines of RUNTIME and GE, to explain why nothing was found") {
    LogText log;
    log.runtime("A", "noise").runtime("A", "noise", "DEBUG").runtime("A", "noise", "ERROR");
    log.ge("A", "noise").ge("A", "noise", "WARNING").acl("A", "noise");
    const auto map = task_map_of(log);
    CHECK(map->contents().runtime_info_lines == 2);
    CHECK(map->contents().ge_info_lines == 1);
}

TEST_CASE("task map: text that is no log gives a map without processes") {
    CHECK(task_map_of({"hello\n\n[not a log\n"})->contents().processes.empty());
    CHECK(task_map_of(std::vector<std::string>{})->contents().processes.empty());
}
