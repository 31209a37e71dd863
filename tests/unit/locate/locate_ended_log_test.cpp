// The log of a process that ended long before the overflow: yesterday's logs for today's dump.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "location.hpp"
#include "log_builder.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t minute = 60'000, hour = 60 * minute;
constexpr std::int64_t last_line = minute;

/// A model's task; the log goes from 10:00:00 to 10:01:00.
LogText text_of_ended_log() {
    LogText log;
    log.at(0).bind(3, 21, "net").at(500).save_dump_task("net/Exp", 21, 118).at(last_line).ge("Run", "model 1 starts");
    return log;
}
std::shared_ptr<const TaskMap> ended_log() {
    return task_map_of(text_of_ended_log());
}

Dump overflow_at(std::int64_t milliseconds) {
    return dump_of({21, 118, 3}, milliseconds);
}

/// By this machine's zone, UTC, or what the dump's folder shows.
std::string remarks_without_zone(const Dump& dump) {
    LocateOptions options;
    options.task_map = ended_log();
    const Location location = locate(dump, options);
    const std::string remarks = remarks_of(location);
    CHECK(shown(location.op) ==
          (remarks.find("log_ended") == std::string::npos ? "net/Exp|-|-|exact" : "net/Exp|-|-|type"));
    return remarks;
}

}  // namespace

TEST_CASE("ended log: an operator of a model is doubtful where the log ended more than half an hour before") {
    const auto map = ended_log();
    CHECK(remarks_of(locate_in(map, overflow_at(last_line + 30 * minute - 1))).empty());
    const Location location = locate_in(map, overflow_at(last_line + 30 * minute));
    CHECK(shown(location.op) == "net/Exp|-|-|type");
    CHECK(remarks_of(location) == "warning log_ended");
    const std::string next_day = message_of(locate_in(map, overflow_at(last_line + 20 * hour)), "log_ended");
    CHECK(next_day.find("ends at 2026-03-04 10:01:00.000000, 20 h 0 min before the overflow at 2026-03-05 06:01:00") !=
          std::string::npos);
}

TEST_CASE("ended log: warnings alone come rarely, and a saved map ends where it was made") {
    const TemporaryDirectory directory;
    const std::string map = write_file(directory / "tasks.map",
                                       saved({write_file(directory / "plog-5100_1.log", text_of_ended_log().text())}));
    const auto of_map = read_logs({map});
    REQUIRE(of_map.ok());
    const Location saved_then = locate_in(of_map->task_map, overflow_at(last_line + 2 * hour));
    CHECK(shown(saved_then.op) == "net/Exp|-|-|exact");
    CHECK(remarks_of(saved_then).empty());

    LogText warning;
    warning.at(0).line("WARNING", "DEVICE",
                       "[mindspore/ccsrc/toy/kernel_runtime.cc:7] TaskFailCallback] Node run task overflow, node name: "
                       "Default/net/Exp-op3Task overflow infos task_id: 118, stream_id: 21, tid: 4107, device_id: 3, "
                       "retcode: 207003 ( aicore over flow), trace: ");
    const Location location = locate_in(task_map_of(warning), overflow_at(2 * hour));
    CHECK(shown(location.op) == "Default/net/Exp-op3|-|-|exact");
    CHECK(message_of(location, "log_ended").empty());
}

TEST_CASE("ended log: the zone must not bring the dump near to the last line") {
    // In no zone the minutes fit. This machine's is a guess: 5:31 h to the west the log had just ended.
    CHECK(remarks_without_zone(overflow_at(5 * hour + 32 * minute)).empty());
    // 12 hours to the west of UTC is as far as zones go.
    CHECK(remarks_without_zone(overflow_at(12 * hour + 32 * minute)) == "warning log_ended");
    CHECK(remarks_without_zone(overflow_at(12 * hour + 26 * minute)).empty());
    // The folder was made at 15:20 of the logs' clock, 12 minutes before: no zone to the west of UTC.
    Dump in_folder = overflow_at(5 * hour + 32 * minute);
    in_folder.path_ids.time = "20260304152000";
    CHECK(remarks_without_zone(in_folder) == "warning log_ended");
}

TEST_CASE("ended log: a log without times has no end") {
    LogText log;
    log.bind(3, 21, "net").save_dump_task("net/Exp", 21, 118);
    std::string text = log.text();
    for (std::size_t at = 0; (at = text.find("2026-03-04", at)) != std::string::npos;) {
        text.replace(at, 10, "2026-99-04");
    }
    CHECK(message_of(locate_in(task_map_of(std::vector{text}), overflow_at(25 * hour)), "log_ended").empty());
}

TEST_CASE("ended log: a device log that answers alone may be in any zone") {
    LogText device(990);
    device.at(last_line).device(
        "DumpOpInfo",
        "start to dump op info, stream id=21, task id=118, context id=65535, thread id=65535, op name=net/Exp");
    const auto map = task_map_of(device);
    const std::vector<std::pair<std::int64_t, bool>> cases{
        {12 * hour, false}, {12 * hour + 30 * minute, false}, {12 * hour + 31 * minute, true}, {21 * hour, true}};
    for (const auto& [local_us, is_told] : cases) {
        const std::int64_t at = local_us;  // of a binding clang 14 captures nothing
        CAPTURE(at);
        const Location location = locate_in(map, overflow_at(at));
        CHECK(shown(location.op) == (is_told ? "net/Exp|-|-|type" : "net/Exp|-|-|exact"));
        CHECK(message_of(location, "log_ended").empty() != is_told);
    }
}
