// Runs that were killed leave no line that ends their use of the ids, and their logs lie beside those of the next run.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t later_run = 30 * 60'000;  ///< milliseconds behind the first run's begin
constexpr std::int64_t overflow = later_run + 40'000;

/// Loads a model on stream 3, logs for a minute, and is killed.
LogText killed_run(int device = 0) {
    LogText log(100);
    log.at(0).set_up_stream(3, device).at(500).bind(0, 3, "old_net").at(1000).save_dump_task("old/op", 3, 5);
    log.at(59'000).ge("Run", "alive");
    return log;
}

LogText run_with_stream(int device = 0) {
    LogText log(200);
    log.at(later_run).set_up_stream(3, device);
    return log;
}

Dump overflow_on(std::uint64_t device, std::uint64_t model = 0) {
    Dump dump = dump_of({3, 5, model}, overflow);
    dump.path_ids.device_id = device;
    return dump;
}

Location locate_between(const LogText& first, const LogText& second, const Dump& dump) {
    return locate_in(task_map_of({first.text(), second.text()}), dump);
}

}  // namespace

TEST_CASE("earlier runs: the run of the overflow answers, and the other one is told") {
    LogText now = run_with_stream();
    now.bind(0, 3, "new_net").at(later_run + 1000).save_dump_task("new/op", 3, 5);
    const Location location = locate_between(killed_run(), now, overflow_on(0));
    CHECK(shown(location.op) == "new/op|-|-|exact");
    CHECK(candidates_of(location).empty());
    CHECK(shown(location.model) == "new_net|0|-|-");
    CHECK(message_of(location, "earlier_run").find("process 100") != std::string::npos);
}

TEST_CASE("earlier runs: an exact name of then does not win over a kernel of now") {
    LogText now = run_with_stream();
    now.bind(0, 3).at(overflow - 100).launch_2023(3, 5, "2_0_11_GatherV2");
    CHECK(shown(locate_between(killed_run(), now, overflow_on(0)).op) == "GatherV2|-|2_0_11_GatherV2|kernel");
    // Also where the record's model is bound in the earlier run alone.
    LogText unbound = run_with_stream();
    unbound.at(overflow - 100).launch_2023(3, 5, "2_0_11_GatherV2");
    CHECK(shown(locate_between(killed_run(), unbound, overflow_on(0)).op) == "GatherV2|-|2_0_11_GatherV2|kernel");
}

TEST_CASE("earlier runs: no answer is better than theirs where the stream is another run's by then") {
    LogText now = run_with_stream();
    now.bind(0, 3, "new_net").at(later_run + 1000).save_dump_task("new/op", 3, 6);
    const Location location = locate_between(killed_run(), now, overflow_on(0));
    CHECK(shown(location.op) == "none");
    CHECK(shown(location.model) == "new_net|0|-|-");
    CHECK(message_of(location, "earlier_run").find("process 200") != std::string::npos);
}

TEST_CASE("earlier runs: a process that says nothing any more still answers") {
    CHECK(shown(locate_in(task_map_of(killed_run()), overflow_on(0)).op) == "old/op|-|-|exact");

    LogText elsewhere = run_with_stream(1);  // another device's stream 3
    elsewhere.bind(0, 3, "new_net").at(later_run + 1000).save_dump_task("new/op", 3, 6);
    CHECK(shown(locate_between(killed_run(), elsewhere, overflow_on(0)).op) == "old/op|-|-|exact");

    LogText after(200);  // begins behind the overflow
    after.at(overflow + 60'000).set_up_stream(3, 0).bind(0, 3).save_dump_task("new/op", 3, 5);
    CHECK(shown(locate_between(killed_run(), after, overflow_on(0)).op) == "old/op|-|-|exact");
}

TEST_CASE("earlier runs: a later process that gave the stream back before the overflow does not end the earlier one") {
    LogText now = run_with_stream();
    now.bind(0, 3, "new_net").at(later_run + 1000).unbind(0, 3, "new_net").at(later_run + 2000).free_stream(3);
    now.at(overflow).ge("Run", "alive");
    CHECK(shown(locate_between(killed_run(), now, overflow_on(0)).op) == "old/op|-|-|exact");
}

TEST_CASE("earlier runs: what fits better than the rest is searched for again, whatever the process ids are") {
    // It has the ids on another device, and only the killed run fitted better so far.
    const auto beside = [](int pid) {
        LogText log(pid);
        log.at(1000).set_up_stream(3, 1).save_dump_task("beside/op", 3, 5).at(overflow).ge("Run", "alive");
        return log.text();
    };
    LogText now = run_with_stream();
    now.at(later_run + 1000).save_dump_task("new/op", 3, 5);
    for (const int pid : {50, 150, 250}) {
        const auto map = task_map_of({beside(pid), killed_run().text(), now.text()});
        CHECK(shown(locate_in(map, overflow_on(0)).op) == "new/op|-|-|exact");
    }
}

TEST_CASE("earlier runs: where the lines name no device, both stay, the run of the time first") {
    LogText then(100), now(200);
    then.at(0).bind(0, 3, "old_net").save_dump_task("old/op", 3, 5).at(59'000).ge("Run", "alive");
    now.at(later_run).bind(0, 3).launch_2023(3, 5, "2_0_11_GatherV2");
    const Location location = locate_between(then, now, overflow_on(0));
    CHECK(candidates_of(location) == "GatherV2|-|2_0_11_GatherV2|kernel; old/op|-|-|exact");
    CHECK(message_of(location, "earlier_run").find("perhaps") != std::string::npos);
}

TEST_CASE("earlier runs: two hosts have devices of the same number, so both stay, the run of the time first") {
    LogText now = run_with_stream();
    now.at(later_run + 1000).bind(0, 3, "new_net").save_dump_task("new/op", 3, 5);
    const Location location = locate_in(
        map_of_files({{"node0/plog/plog-100_1.log", killed_run().text()}, {"node1/plog/plog-200_1.log", now.text()}}),
        overflow_on(0));
    CHECK(candidates_of(location) == "new/op|-|-|exact; old/op|-|-|exact");
    CHECK(message_of(location, "earlier_run").find("perhaps") != std::string::npos);
    const Location of_one = locate_in(
        map_of_files({{"node0/plog/plog-100_1.log", killed_run().text()}, {"node0/plog/plog-200_1.log", now.text()}}),
        overflow_on(0));
    CHECK(shown(of_one.op) == "new/op|-|-|exact");
    CHECK(candidates_of(of_one).empty());
}

TEST_CASE("earlier runs: a run that is started anew within seconds answers for what comes behind its set-up") {
    constexpr std::int64_t restarted = 74'000;  // 15 s behind the last line of the killed run
    LogText now(200);
    now.at(restarted).set_up_stream(3, 0).bind(0, 3, "new_net").at(restarted + 3000).save_dump_task("new/op", 3, 5);
    now.at(restarted + 60'000).ge("Run", "alive");
    const auto at = [&](std::int64_t time) {
        Dump dump = dump_of({3, 5, 0}, time);
        dump.path_ids.device_id = 0;
        return locate_between(killed_run(), now, dump);
    };
    CHECK(shown(at(58'000).op) == "old/op|-|-|exact");
    CHECK(shown(at(60'000).op) == "old/op|-|-|exact");
    const Location location = at(restarted + 5000);
    CHECK(shown(location.op) == "new/op|-|-|exact");
    CHECK(candidates_of(location).empty());
    CHECK(shown(location.model) == "new_net|0|-|-");
    CHECK(message_of(location, "earlier_run").find("process 100") != std::string::npos);

    LogText then(100), nameless(200);  // no line tells the device
    then.at(0).bind(0, 3).save_dump_task("old/op", 3, 5).at(59'000).ge("Run", "alive");
    nameless.at(restarted).bind(0, 3).save_dump_task("new/op", 3, 5).at(restarted + 60'000).ge("Run", "alive");
    CHECK(candidates_of(locate_between(then, nameless, dump_of({3, 5, 0}, restarted + 5000))) ==
          "new/op|-|-|exact; old/op|-|-|exact");
}

TEST_CASE("earlier runs: that no line of the run of the time names its device does not make the earlier one answer") {
    for (const std::int64_t begin : {later_run, std::int64_t{74'000}}) {
        LogText now(200);
        now.at(begin).save_dump_task("new/op", 3, 5).at(begin + 60'000).ge("Run", "alive");
        Dump dump = dump_of({3, 5}, begin + 40'000);
        dump.path_ids.device_id = 0;
        const Location location = locate_between(killed_run(), now, dump);
        CHECK(candidates_of(location) == "new/op|-|-|exact; old/op|-|-|exact");
        CHECK(message_of(location, "earlier_run").find("perhaps") != std::string::npos);
        // One that is known to work on another device is no later run of this one.
        LogText elsewhere(200);
        elsewhere.at(begin).set_up_stream(9, 1).save_dump_task("new/op", 3, 5).at(begin + 60'000).ge("Run", "alive");
        CHECK(shown(locate_between(killed_run(), elsewhere, dump).op) == "old/op|-|-|exact");
    }
}

TEST_CASE("earlier runs: of very many one remark gives the number and names the last three") {
    constexpr int killed = 300;
    const auto run = [](int number, int device) {  // a new one each minute, under process ids from 1000 on
        LogText log(1000 + number);
        const std::int64_t begin = number * 60'000;
        log.at(begin).set_up_stream(3, device).save_dump_task("net/op", 3, 5);
        return log.at(begin + 50'000).ge("Run", "alive").text();
    };
    const auto remarks = [&](int runs) {
        std::vector<std::string> logs;
        for (int number = 0; number <= runs; ++number) {
            logs.push_back(run(number, 0));
        }
        Dump dump = dump_of({3, 5}, runs * 60'000 + 20'000);
        dump.path_ids.device_id = 0;
        const Location location = locate_in(task_map_of(logs), dump);
        CHECK(shown(location.op) == "net/op|-|-|exact");
        std::vector<std::string> messages;
        for (const Diagnostic& remark : location.diagnostics) {
            if (remark.code == "earlier_run") {
                messages.push_back(remark.message);
            }
        }
        REQUIRE(messages.size() == 1);
        return messages.front();
    };
    const std::string of_many = remarks(killed);
    CHECK(of_many.find("300 processes name stream 3 task 5") == 0);
    CHECK(of_many.find("taken for earlier runs") != std::string::npos);
    CHECK(of_many.find("process 1296,") == std::string::npos);
    // The last began at 10:00 and 299 minutes, and logged for 50 seconds.
    for (const char* const named : {"process 1297, whose", "process 1298, whose",
                                    "process 1299, whose log ends at 2026-03-04 14:59:50.000000, before process 1300 "
                                    "began at 2026-03-04 15:00:00.000000"}) {
        CHECK_MESSAGE(of_many.find(named) != std::string::npos, of_many);
    }
    const std::string of_two = remarks(2);
    CHECK(of_two.find("2 processes name stream 3 task 5") == 0);
    CHECK(of_two.find("process 1000, whose") != std::string::npos);
    CHECK(of_two.find("process 1001, whose") != std::string::npos);
    CHECK(remarks(1).find("process 1000 names stream 3 task 5, but its log ends at 2026-03-04 10:00:50.000000, before "
                          "process 1001 began at 2026-03-04 10:01:00.000000, which has the stream") == 0);
}

TEST_CASE("earlier runs: ranks of one run stay candidates, whichever logs longer") {
    LogText silent(100), talks(200);
    silent.at(1000).bind(0, 3).save_dump_task("a/op", 3, 5).at(20'000).ge("Run", "alive");
    talks.at(2000).bind(0, 3).save_dump_task("b/op", 3, 5).at(overflow).ge("Run", "alive");
    const Location location = locate_between(silent, talks, dump_of({3, 5, 0}, overflow));
    CHECK(candidates_of(location) == "a/op|-|-|exact; b/op|-|-|exact");
    CHECK(message_of(location, "earlier_run").empty());
}

TEST_CASE("earlier runs: of device logs the one of the run of the time counts, with the host's logs and without") {
    const auto executed = [](int pid, std::int64_t at, std::string_view op) {
        LogText log(pid);
        log.at(at).device("DumpOpInfo",
                          "start to dump op info, stream id=3, task id=5, context id=65535, thread "
                          "id=65535, op name=" +
                              std::string(op));
        return log.at(at + 50'000).device("Run", "alive").text();
    };
    const auto host_of = [](int pid, std::int64_t at, std::string_view model) {
        LogText log(pid);
        return log.at(at).set_up_stream(3, 0).bind(0, 3, model).at(at + 50'000).ge("Run", "alive").text();
    };
    const std::string first = "logs/debug/device-0/device-100_1.log", second = "logs/debug/device-0/device-200_1.log";
    for (const std::int64_t begin : {later_run, std::int64_t{74'000}}) {
        Dump dump = dump_of({3, 5, 0}, begin + 5000);
        dump.path_ids.device_id = 0;
        const auto then = executed(990, 1000, "old/op");
        const auto now = executed(991, begin + 4000, "new/op");
        const Location alone = locate_in(map_of_files({{first, then}, {second, now}}), dump);
        CHECK(shown(alone.op) == "new/op|-|-|exact");
        CHECK(candidates_of(alone).empty());
        const Location both =
            locate_in(map_of_files({{first, then},
                                    {second, now},
                                    {"logs/run/plog/plog-100_1.log", host_of(100, 0, "old_net")},
                                    {"logs/run/plog/plog-200_1.log", host_of(200, begin, "new_net")}}),
                      dump);
        CHECK(shown(both.op) == "new/op|-|-|exact");
        CHECK(candidates_of(both).empty());
        CHECK(shown(both.model) == "new_net|0|-|-");
        CHECK(message_of(both, "earlier_run").find("process 100 had stream 3") != std::string::npos);
        // What is in front of the later run's begin is the first one's.
        Dump before = dump_of({3, 5, 0}, 2000);
        before.path_ids.device_id = 0;
        CHECK(shown(locate_in(map_of_files({{first, then}, {second, now}}), before).op) == "old/op|-|-|exact");
    }
}

TEST_CASE("earlier runs: device logs of two processes that ran at once, or on devices that nobody tells, are no runs") {
    const auto executed = [](int pid, std::int64_t first, std::int64_t last, std::string_view op) {
        LogText log(pid);
        const std::string line = "start to dump op info, stream id=3, task id=5, op name=" + std::string(op);
        return log.at(first).device("DumpOp", line).at(last).device("DumpOp", line).text();
    };
    const auto host = [](int pid, std::int64_t begin, std::int64_t end, int model) {
        LogText log(pid);
        log.at(begin).set_up_stream(3, 0).bind(model, 3, "net_" + std::to_string(pid));
        return log.at(end).ge("Run", "alive").text();
    };
    Dump dump = dump_of({3, 5, 1}, 99'500);
    dump.path_ids.device_id = 0;
    const std::string now = executed(991, 40'900, 99'000, "b/op");
    // Its host's log covers the overflow.
    const std::string then = executed(990, 900, 950, "a/op");
    const Location beside = locate_in(map_of_files({{"logs/debug/device-0/device-100_1.log", then},
                                                    {"logs/debug/device-0/device-200_1.log", now},
                                                    {"logs/run/plog/plog-100_1.log", host(100, 0, 100'000, 1)},
                                                    {"logs/run/plog/plog-200_1.log", host(200, 40'000, 100'000, 2)}}),
                                      dump);
    CHECK(candidates_of(beside) == "a/op|-|-|exact; b/op|-|-|exact");
    // The host is silent, as at the default level, but not the device's log.
    const std::string on = executed(990, 900, 99'000, "a/op");
    const Location silent = locate_in(map_of_files({{"logs/debug/device-0/device-100_1.log", on},
                                                    {"logs/debug/device-0/device-200_1.log", now},
                                                    {"logs/run/plog/plog-100_1.log", host(100, 0, 5000, 1)},
                                                    {"logs/run/plog/plog-200_1.log", host(200, 40'000, 44'000, 2)}}),
                                      dump);
    CHECK(shown(silent.model) == "net_100|1|-|-");
    // In one folder without devices' names.
    const Location flat = locate_in(map_of_files({{"x/device-100_1.log", then}, {"x/device-200_1.log", now}}), dump);
    CHECK(candidates_of(flat) == "a/op|-|-|exact; b/op|-|-|exact");
}

TEST_CASE("clocks: the only set-up of a model's task may be seconds later than the dump by the host's clock") {
    // 2.9 s: a device against its host in the logs of 2021-03-31, the only real pair that is known
    LogText log;
    log.at(2900).bind(0, 3, "net").save_dump_task("net/op", 3, 5);
    const Location location = locate_in(task_map_of(log), dump_of({3, 5, 0}, 0));
    CHECK(shown(location.op) == "net/op|-|-|exact");
    CHECK(remarks_of(location) == "warning launch_after_dump");

    LogText too_late;
    too_late.at(10'100).bind(0, 3, "net").save_dump_task("net/op", 3, 5);
    CHECK(shown(locate_in(task_map_of(too_late), dump_of({3, 5, 0}, 0)).op) == "none");

    LogText used_before;  // and given up: the next use says nothing of the time between
    used_before.at(-9000).bind(0, 3, "net").save_dump_task("net/old", 3, 5).at(-5000).unbind(0, 3, "net");
    used_before.at(2900).bind(0, 3, "net").save_dump_task("net/op", 3, 5);
    CHECK(shown(locate_in(task_map_of(used_before), dump_of({3, 5, 0}, 0)).op) == "none");

    LogText single;
    single.at(2900).launch_2023(3, 5, "2_0_11_GatherV2");
    CHECK(shown(locate_in(task_map_of(single), dump_of({3, 5}, 0)).op) == "none");
}
