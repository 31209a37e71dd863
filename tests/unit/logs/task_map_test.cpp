// Lines → task map: processes and the order of facts.
#include "logs/facts/task_map.hpp"

#include <string>

#include <doctest/doctest.h>

#include "log_builder.hpp"

using namespace opdebug::logs;
using opdebug::test::log_time_us;
using opdebug::test::LogText;
using opdebug::test::process_of;
using opdebug::test::task_map_of;

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
