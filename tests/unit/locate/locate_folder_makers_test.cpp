// Who logged when the time folder of a dump was made need not be who made it: ranks of all hosts log then, and the
// older lines of the one that did may have been rotated away.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute;

/// In the clock of the logs, which is 8 h ahead of UTC, as the machine's is.
Location locate_at(std::int64_t time, std::string_view folder, const std::vector<LogFileText>& logs) {
    Dump dump = dump_of({3, 5, 0}, time - 8 * hour);
    dump.path_ids.time = folder;
    dump.path_ids.device_id = 0;
    LocateOptions options;
    options.task_map = map_of_files(logs);
    options.host_utc_offset_minutes = 8 * 60;
    return locate(dump, options);
}

LogFileText plog(std::string_view root, int pid, const LogText& log) {
    return {std::string(root) + "/debug/plog/plog-" + std::to_string(pid) + "_1.log", log.text()};
}

/// Logs from the one time to the other, with a model on stream 3 of device 0, set up a second later.
LogText run_of(int pid, std::int64_t begin, std::int64_t end, std::string_view op) {
    LogText log(pid);
    log.at(begin).ge("Run", "alive").at(begin + second).set_up_stream(3, 0).bind(0, 3, "net").save_dump_task(op, 3, 5);
    log.at(end).ge("Run", "alive");
    return log;
}

LogText reports_at(std::int64_t time, LogText log) {
    log.at(time).runtime("ProcLogicCqReport",
                         "CQE warning, device_id=0, stream_id=3, task_id=5, sqe_type=0(aicore), errType=0x1(x), "
                         "sqSwStatus=0x2f",
                         "WARNING");
    return log;
}

}  // namespace

// Host a's rank logs from 10:00 to 10:05, host b's lines before 10:10 were rotated away; the dump is of 10:15.
TEST_CASE("folder makers: a rank of another host whose log ended is no maker beside the one that logs at the dump") {
    const LogText ended = run_of(100, 0, 5 * minute, "a/op");
    const LogText goes_on = run_of(200, 10 * minute, 25 * minute, "b/op");
    const auto locate_with = [&](const LogText& rank_of_b) {
        return locate_at(15 * minute, "20260304100004", {plog("a", 100, ended), plog("b", 200, rank_of_b)});
    };
    const Location location = locate_with(goes_on);
    CHECK(candidates_of(location) == "b/op|-|-|exact; a/op|-|-|exact");
    CHECK(message_of(location, "earlier_run").find("perhaps") != std::string::npos);

    const Location reported = locate_with(reports_at(15 * minute + 5, run_of(200, 10 * minute, 25 * minute, "b/op")));
    CHECK(candidates_of(reported) == "b/op|-|-|exact; a/op|-|-|exact");
    CHECK(remarks_of(reported).find("overflow_in_log") != std::string::npos);
}

TEST_CASE("folder makers: a run whose log ended seconds before the folder was made did not make it") {
    const LogText ended = run_of(100, 0, 15 * minute, "first/op");
    const LogText later = run_of(200, 25 * minute, hour, "later/op");
    const std::vector<LogFileText> logs{plog("log", 100, ended), plog("log", 200, later)};
    const Location location = locate_at(30 * minute, "20260304101504", logs);
    CHECK(shown(location.op) == "later/op|-|-|exact");
    CHECK(candidates_of(location).empty());
    CHECK(message_of(location, "earlier_run").find("process 100") != std::string::npos);
    // The folder's name leaves the part of a second out: within it the run still logged.
    CHECK(candidates_of(locate_at(30 * minute, "20260304101500", logs)) == "first/op|-|-|exact; later/op|-|-|exact");
}

TEST_CASE("folder makers: who reports this very overflow stays, wherever its log begins") {
    // By its own zones the dump of 10:10 is of 11:10 or later for the second run, which reports it at 11:10.
    const LogText first = run_of(100, 0, 30 * minute, "first/op");
    const auto locate_with = [&](const LogText& later) {
        return locate_at(10 * minute, "20260304100002", {plog("log", 100, first), plog("log", 200, later)});
    };
    CHECK(candidates_of(locate_with(run_of(200, 45 * minute, 10 * hour, "later/op"))).empty());
    const LogText reports = reports_at(70 * minute + 5, run_of(200, 45 * minute, 10 * hour, "later/op"));
    CHECK(candidates_of(locate_with(reports)) == "later/op|-|-|exact; first/op|-|-|exact");
}

TEST_CASE("folder makers: a run of another host's logs that began behind the dump is taken out for who says it wrote") {
    const LogText later = run_of(200, 45 * minute, 10 * hour, "later/op");
    const auto locate_with = [&](const LogText& first) {
        return locate_at(10 * minute, "20260304100002", {plog("a", 100, first), plog("b", 200, later)});
    };
    LogText first = run_of(100, 0, 30 * minute, "first/op");
    CHECK(candidates_of(locate_with(first)) == "first/op|-|-|exact; later/op|-|-|exact");
    first.ge("SetDumpOptions", "Get dump path /data/dump/20260304100002/ successfully");
    CHECK(shown(locate_with(first).op) == "first/op|-|-|exact");
    CHECK(candidates_of(locate_with(first)).empty());
}

TEST_CASE("folder makers: a rank whose older lines were rotated away stays beside one that writes into the folder") {
    // Both log at the time of the dump; only of the second one's long log several zones are possible.
    LogText says = run_of(100, 0, 30 * minute, "a/op");
    says.ge("SetDumpOptions", "Get dump path /data/dump/20260304100002/ successfully");
    const LogText rotated = run_of(200, 5 * minute, 10 * hour, "b/op");
    const Location location = locate_at(10 * minute, "20260304100002", {plog("a", 100, says), plog("b", 200, rotated)});
    CHECK(candidates_of(location) == "a/op|-|-|exact; b/op|-|-|exact");
}
