// The operator of a single execution (no model): ids are used once and come back after the wrap.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("locate: of several launches of the same ids the latest before the overflow counts") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A").at(60'000).launch_2023(2, 6, "2_0_11_B");
    log.at(120'000).launch_2023(2, 6, "2_0_11_C");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 1005)).op) == "A|-|2_0_11_A|kernel");
    CHECK(candidates_of(locate_in(map, dump_of({2, 6}, 59'900))) == "A|-|2_0_11_A|kernel; B|-|2_0_11_B|kernel");
    CHECK(candidates_of(locate_in(map, dump_of({2, 6}, 60'000))) == "B|-|2_0_11_B|kernel; A|-|2_0_11_A|kernel");
    CHECK(shown(locate_in(map, dump_of({2, 6}, 150'000)).op) == "C|-|2_0_11_C|kernel");
}

TEST_CASE("locate: GE's trace line names the node of the launch beside it, its kernel the type") {
    LogText log;
    log.at(1000).launch(2, 0, "Cast_0123456789abcdef0123456789abcdef_1").sent(2, 6).kernel_trace("net/Cast_1", 2, 6);
    log.at(60'000).kernel_trace("net/Mul_2", 2, 6).at(60'001).launch(2, 0, "Mul_0123456789abcdef0123456789abcdef_3");
    log.sent(2, 6);
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 1005)).op) ==
          "net/Cast_1|Cast|Cast_0123456789abcdef0123456789abcdef_1|exact");
    CHECK(shown(locate_in(map, dump_of({2, 6}, 60'005)).op) ==
          "net/Mul_2|Mul|Mul_0123456789abcdef0123456789abcdef_3|type");
}

TEST_CASE("locate: device and host clocks differ, a launch up to five seconds after the dump is taken") {
    LogText log;
    log.at(10'000).launch_2023(2, 6, "2_0_11_A");
    const auto map = task_map_of(log);
    CHECK(shown(locate_in(map, dump_of({2, 6}, 9000)).op) == "A|-|2_0_11_A|kernel");
    const Location earlier = locate_in(map, dump_of({2, 6}, 4900));
    CHECK(shown(earlier.op) == "none");
    CHECK(remarks_of(earlier) == "warning task_set_up_later");
}

TEST_CASE("locate: a launch within the second after the dump does not push out an earlier one") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A").at(10'000).launch_2023(2, 6, "2_0_11_B");
    CHECK(shown(locate_in(task_map_of(log), dump_of({2, 6}, 9900)).op) == "A|-|2_0_11_A|kernel");
}
