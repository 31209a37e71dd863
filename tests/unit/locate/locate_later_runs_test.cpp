// A run that began after the dump has its lines beside those of the dump's: its log covers the dump in another zone
// only.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t run_second = 1000, run_minute = 60 * run_second, run_hour = 60 * run_minute;
constexpr std::int64_t restart = 45 * run_minute;

/// Written at a time of the logs' clock, which is 8 h ahead of UTC.
Dump dump_at(std::int64_t time, const std::optional<std::string>& folder, std::uint64_t model = 0) {
    Dump dump = dump_of({3, 5, model}, time - 8 * run_hour);
    dump.path_ids.time = folder;
    dump.path_ids.device_id = 0;
    return dump;
}

/// On a machine so many hours ahead of UTC.
Location locate_on_host(int hours, const std::vector<std::string>& logs, const Dump& dump) {
    LocateOptions options;
    options.task_map = task_map_of(logs);
    options.host_utc_offset_minutes = hours * 60;
    return locate(dump, options);
}

/// Loads a model on stream 3, and logs until its end.
std::string log_of_run(int pid, std::int64_t begin, std::int64_t end, std::string_view op) {
    LogText log(pid);
    log.at(begin).set_up_stream(3, 0).at(begin + 500).bind(0, 3, "net").at(begin + run_second).save_dump_task(op, 3, 5);
    return log.at(end).ge("Run", "alive").text();
}

/// Launches a kernel under the same ids each minute.
std::string launches_of(int pid, std::int64_t begin, int launches, const std::string& kernel) {
    LogText log(pid);
    log.at(begin).set_up_stream(3, 0);
    for (int launch = 0; launch < launches; ++launch) {
        log.at(begin + (launch + 1) * run_minute).launch_2023(3, 5, "2_0_" + std::to_string(launch) + "_" + kernel);
    }
    return log.text();
}

/// Another process of the first run, which began a little later.
std::string helper_of_run() {
    return LogText(150).at(20 * run_second).ge("Run", "alive").text();
}

}  // namespace

// The zones are 8 h, in which the killed run's log ends before the dump, and for the later run's log, from 10:45 until
// 20:45, those of 9 h and more. The first run logged when the folder, of 10:00:02, was made. The later one made it only
// if its older lines were rotated away, and of the first one no line shows that it went on.
TEST_CASE("later runs: who logged when the folder was made is no earlier run than who began after it") {
    const std::string later = log_of_run(200, restart, restart + 10 * run_hour, "later/op");
    for (const int pid : {100, 300}) {
        const std::string first = log_of_run(pid, 0, 2 * run_second, "first/op");
        for (const int host_hours : {8, 0, 9}) {
            for (const std::int64_t time : {run_minute, 10 * run_minute, 50 * run_minute}) {
                CAPTURE(pid);
                CAPTURE(host_hours);
                CAPTURE(time);
                const Location location =
                    locate_on_host(host_hours, {first, later, helper_of_run()}, dump_at(time, "20260304100002"));
                CHECK(candidates_of(location) == "first/op|-|-|exact; later/op|-|-|exact");
                CHECK(message_of(location, "earlier_run").empty());
                CHECK(message_of(location, "time_zone").find("UTC+08:00, from the time folder") != std::string::npos);
            }
        }
    }
}

TEST_CASE("later runs: who says that it writes into the folder is no earlier run, however early its log ends") {
    LogText log(100);
    log.at(0).ge("SetDumpOptions", "Get dump path /data/dump/20260304100100/ successfully").set_up_stream(3, 0);
    log.bind(0, 3, "net").at(run_second).save_dump_task("first/op", 3, 5);  // a minute before the folder was made
    const std::string later = log_of_run(200, restart, restart + 10 * run_hour, "later/op");
    const Location location =
        locate_on_host(8, {log.text(), later, helper_of_run()}, dump_at(10 * run_minute, "20260304100100"));
    CHECK(shown(location.op) == "first/op|-|-|exact");
    CHECK(candidates_of(location).empty());
}

TEST_CASE("later runs: the log of one that began after the folder proves no other zone") {
    const std::string later = log_of_run(200, restart, restart + 10 * run_hour, "later/op");
    for (const int pid : {100, 300}) {
        const std::string first = log_of_run(pid, 0, 30 * run_minute, "first/op");
        for (const int host_hours : {8, 0, -5}) {
            for (const std::int64_t time : {28 * run_second, 10 * run_minute}) {
                CAPTURE(pid);
                CAPTURE(host_hours);
                CAPTURE(time);
                const Location location = locate_on_host(host_hours, {first, later}, dump_at(time, "20260304100002"));
                CHECK(shown(location.op) == "first/op|-|-|exact");
                CHECK(candidates_of(location).empty());
                CHECK(remarks_of(location).empty());
                CHECK(message_of(location, "time_zone").find("UTC+08:00, from the time folder") != std::string::npos);
            }
        }
    }
    // Single executions: in each of the later run's zones, another one.
    const std::string single = launches_of(300, 0, 20, "First"), later_single = launches_of(200, restart, 300, "Later");
    const Location location =
        locate_on_host(0, {single, later_single}, dump_at(10 * run_minute + run_second, "20260304100002", 65535));
    CHECK(shown(location.op) == "First|-|2_0_9_First|kernel");
    CHECK(candidates_of(location).empty());
}

TEST_CASE("later runs: the dump of the later run is its own, and the first one is told as over") {
    const std::string first = log_of_run(100, 0, 30 * run_minute, "first/op");
    const std::string later = log_of_run(200, restart, restart + 10 * run_hour, "later/op");
    for (const int host_hours : {8, 0}) {
        const Location location =
            locate_on_host(host_hours, {first, later}, dump_at(restart + 40 * run_minute, "20260304104502"));
        CHECK(shown(location.op) == "later/op|-|-|exact");
        CHECK(candidates_of(location).empty());
        CHECK(message_of(location, "earlier_run").find("process 100") != std::string::npos);
    }
}

TEST_CASE("later runs: a rank beside the one that logged when the folder was made may have lost its older lines") {
    // Both log at the time of the dump, the second one's lines begin behind the folder.
    LogText first(100), rotated(200);
    first.at(0).save_dump_task("a/op", 3, 5).at(run_hour).ge("Run", "alive");
    rotated.at(2 * run_minute).save_dump_task("b/op", 3, 5).at(run_hour).ge("Run", "alive");
    const Location location =
        locate_on_host(8, {first.text(), rotated.text()}, dump_at(10 * run_minute, "20260304100002", 65535));
    CHECK(candidates_of(location) == "a/op|-|-|exact; b/op|-|-|exact");
}

TEST_CASE("later runs: that a run began since by its own zone alone is not sure") {
    // The later run's folder is of 10:30:05, its lines before 10:45 were rotated away. By the folder and the dump, of
    // 12:40, the zone is 6 h or more: 10:40 is what the first run's log, which ended at 10:01, is compared with; the
    // later run's covers 11:40 and 12:40.
    const std::string first = log_of_run(100, 0, run_minute, "first/op");
    const std::string later = log_of_run(200, restart, 3 * run_hour, "later/op");
    const std::string beside = LogText(150).at(30 * run_minute).ge("Run", "alive").text();
    const Location location =
        locate_on_host(0, {first, later, beside}, dump_at(2 * run_hour + 40 * run_minute, "20260304103005"));
    CHECK(candidates_of(location) == "later/op|-|-|exact; first/op|-|-|exact");
    CHECK(message_of(location, "earlier_run").find("perhaps") != std::string::npos);
}

TEST_CASE("later runs: without a folder the log that covers the dump in this machine's zone comes first") {
    // The later run's covers it in zones of 9 h and more.
    const std::string later = log_of_run(200, restart, restart + 2 * run_hour, "later/op");
    for (const int pid : {100, 300}) {
        const std::string first = launches_of(pid, 0, 30, "First");
        Dump dump = dump_at(10 * run_minute + run_second, {}, 65535);
        const Location location = locate_on_host(8, {first, later}, dump);
        CHECK(candidates_of(location) == "First|-|2_0_9_First|kernel; later/op|-|-|exact");
        CHECK(message_of(location, "time_zone").find("UTC+08:00, the zone of this machine") != std::string::npos);
    }
}

TEST_CASE("later runs: without a folder a zone that only the later run's log shows ends no earlier one") {
    const std::string first = log_of_run(100, 0, 2 * run_second, "first/op");
    const std::string later = log_of_run(200, restart, restart + 2 * run_hour, "later/op");
    const Location location = locate_on_host(8, {first, later, helper_of_run()}, dump_at(10 * run_minute, {}));
    CHECK(candidates_of(location) == "first/op|-|-|exact; later/op|-|-|exact");
    CHECK(message_of(location, "earlier_run").empty());
}

TEST_CASE("later runs: nor does the model of a later run's stream stand for that of the first one") {
    LogText first(100), later(200);
    first.at(0).set_up_stream(3, 0).at(500).bind(0, 3, "first_net").at(2 * run_second).ge("Run", "alive");
    later.at(restart).set_up_stream(3, 0).at(restart + 500).bind(0, 3, "later_net");
    later.at(restart + 10 * run_hour).ge("Run", "alive");
    const Location location =
        locate_on_host(8, {first.text(), later.text(), helper_of_run()}, dump_at(10 * run_minute, "20260304100002"));
    CHECK(shown(location.op) == "none");
    CHECK(shown(location.model).find("later_net") == std::string::npos);
    CHECK(message_of(location, "earlier_run").empty());
}
