// Answers in their mass and at the limits of time: candidates, ids used again, launches after the dump, wrong zones.
#include <doctest/doctest.h>

#include <string>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("many: of more than a hundred operators the first hundred are listed") {
    LogText log;
    log.at(0).bind(3, 21);
    for (unsigned context = 0; context < 101; ++context) {
        log.save_dump_context("part/op" + std::to_string(context), 21, 40, context, 0);
    }
    const Location location = locate_in(task_map_of(log), dump_of({21, 40, 3}, 5000));
    REQUIRE(location.op);
    CHECK(location.op->candidates.size() == 100);
    CHECK(location.op->candidates.back().name == "part/op99");
    CHECK(message_of(location, "candidates_cut").find("100 of 101") != std::string::npos);
}

TEST_CASE("many: ids that were launched again are not told as a released stream") {
    LogText log;
    log.at(0).launch_2023(2, 6, "2_0_11_A").at(60'000).launch_2023(2, 6, "2_0_11_B");
    const Location location = locate_in(task_map_of(log), dump_of({2, 6}, 180'000));
    CHECK(shown(location.op) == "none");
    CHECK(remarks_of(location) == "warning log_ended");
    CHECK(message_of(location, "log_ended").find("may be another execution") != std::string::npos);
}

TEST_CASE("many: the end of a use is told as the line says it") {
    LogText released;
    released.at(0)
        .set_up_stream(21)
        .bind(3, 21)
        .save_dump_task("op", 21, 118)
        .at(1000)
        .free_stream(21)
        .at(19'000)
        .bind(4, 50);
    const Location location = locate_in(task_map_of(released), dump_of({21, 118, 3}, 15'000));
    CHECK(message_of(location, "stream_closed").find("stream 21 was released at") != std::string::npos);
    CHECK(message_of(location, "stream_closed").find("(log0:4)") != std::string::npos);
}

TEST_CASE("many: a launch line a little later than the dump is taken, and told") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A");
    const Location later = locate_in(task_map_of(log), dump_of({2, 6}, 500));
    CHECK(shown(later.op) == "A|-|2_0_11_A|kernel");
    CHECK(remarks_of(later) == "info launch_after_dump");
    CHECK(message_of(later, "launch_after_dump").find("(log0:1) is 0.500 s later") != std::string::npos);
    log.at(2100).launch_2023(2, 7, "2_1_12_B");
    CHECK(remarks_of(locate_in(task_map_of(log), dump_of({2, 7}, 500))) == "warning launch_after_dump");
    CHECK(remarks_of(locate_in(task_map_of(log), dump_of({2, 6}, 1500))).empty());
}

TEST_CASE("many: a given zone that misses the log is doubted where another zone hits it") {
    LogText log;
    log.at(0).launch_2023(2, 6, "2_0_11_A").at(600'000).launch_2023(2, 7, "2_0_11_B");
    constexpr std::int64_t hour_ms = 3'600'000;
    // Written at 10:05 of a zone 8 hours ahead, but UTC is given.
    Dump dump = dump_of({2, 6}, 300'000 - 8 * hour_ms);
    const Location wrong = locate_in(task_map_of(log), dump);
    CHECK(shown(wrong.op) == "none");
    CHECK(message_of(wrong, "utc_offset_doubtful").find("UTC+08:00") != std::string::npos);
    dump.path_ids.time = "20260304020000";
    CHECK(message_of(locate_in(task_map_of(log), dump), "utc_offset_doubtful").empty());
    // Ids that the log does not know doubt nothing.
    CHECK(
        message_of(locate_in(task_map_of(log), dump_of({2, 9}, 300'000 - 8 * hour_ms)), "utc_offset_doubtful").empty());
}
