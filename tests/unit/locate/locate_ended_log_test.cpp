// The log of a process that ended long before the overflow: yesterday's logs for today's dump.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "location.hpp"
#include "log_builder.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

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

}  // namespace

TEST_CASE("ended log: an operator of a model is doubtful where the log ended more than half an hour before") {
    const auto map = ended_log();
    CHECK(remarks_of(locate_in(map, overflow_at(last_line + 30 * minute - 1))).empty());
    check_located(locate_in(map, overflow_at(last_line + 30 * minute)),
                  {.op = "net/Exp|-|-|type", .remarks = "warning log_ended"});
    const std::string next_day = message_of(locate_in(map, overflow_at(last_line + 20 * hour)), "log_ended");
    CHECK(contains(next_day,
                   "ends at 2026-03-04 10:01:00.000000, 20 h 0 min before the overflow at 2026-03-05 06:01:00"));
}

TEST_CASE("ended log: an operator of a model is doubtful at once where the log of another process goes on") {
    LogText other(5200);
    other.at(0).ge("Run", "alive").at(10 * minute).ge("Run", "alive");
    const auto map = task_map_of({text_of_ended_log().text(), other.text()});
    CHECK(remarks_of(locate_in(map, overflow_at(last_line + 4000))).empty());
    CHECK(remarks_of(locate_in(map, overflow_at(last_line + 6000))) == "warning log_ended");
    CHECK(remarks_of(locate_in(map, overflow_at(20 * minute))).empty());  // both ended
}

TEST_CASE("ended log: an operator is doubtful where the log ended before the time folder of the dump was made") {
    struct Row {
        const char* made;
        int seconds;  ///< of the dump, after the last line
        const char* remarks;
    };
    for (const Row& row :
         {Row{"20260304100002", 20, ""}, Row{"20260304100100", 20, ""}, Row{"20260304100105", 20, "warning log_ended"},
          // Of another zone than the log: newer than the dump.
          Row{"20260304180002", 20, "warning utc_offset_contradicts_folder"}}) {
        CAPTURE(row.made);
        Dump dump = overflow_at(last_line + row.seconds * 1000);
        dump.path_ids = parse_path_ids("/nowhere/" + std::string(row.made) + "/0/Opdebug.Node_OpDebug.118.21.1");
        CHECK(remarks_of(locate_in(ended_log(), dump)) == row.remarks);
    }
}

TEST_CASE("ended log: a saved map ends as the logs do that it was made of") {
    const TemporaryDirectory directory;
    const std::string map = write_file(directory / "tasks.map",
                                       saved({write_file(directory / "plog-5100_1.log", text_of_ended_log().text())}));
    const auto of_map = read_logs({map});
    REQUIRE(of_map.ok());
    check_located(locate_in(of_map->task_map, overflow_at(last_line + 2 * hour)),
                  {.op = "net/Exp|-|-|type", .remarks = "warning log_ended"});
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
