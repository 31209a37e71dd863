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

TEST_CASE("many: a launch line a little later than the dump is taken, and told") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A");
    const Location later = locate_in(task_map_of(log), dump_of({2, 6}, 990));
    CHECK(shown(later.op) == "A|-|2_0_11_A|kernel");
    CHECK(remarks_of(later) == "info clocks_unclear");
    log.at(2100).launch_2023(2, 7, "2_1_12_B");
    CHECK(remarks_of(locate_in(task_map_of(log), dump_of({2, 7}, 500))) == "warning clocks_unclear");
    CHECK(remarks_of(locate_in(task_map_of(log), dump_of({2, 6}, 1500))).empty());
}
