// The device in the name of an FFTS+ dump: a hint between processes that fit alike, where no folder shows the device.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* in_order = "OnFour|-|0_1_OnFour|kernel; OnFive|-|0_1_OnFive|kernel";
constexpr const char* five_first = "OnFive|-|0_1_OnFive|kernel; OnFour|-|0_1_OnFour|kernel";

Dump named(const std::string& name) {
    Dump dump = dump_of({5, 7}, 3000);
    dump.name = parse_dump_name(name);
    return dump;
}

}  // namespace

TEST_CASE("name's device: of processes that fit alike its one comes first") {
    const auto map = task_map_of({rank_on(10, 4, "0_1_OnFour").text(), rank_on(20, 5, "0_1_OnFive").text()});
    const std::string name = "Opdebug.Node_OpDebug.7.5.1673383728094391";
    const Location five = locate_in(map, named(name + ".4.1.0.5"));
    CHECK(candidates_of(five) == five_first);
    CHECK(remarks_of(five).empty());
    CHECK(candidates_of(locate_in(map, named(name + ".4.1.0.4"))) == in_order);
    SUBCASE("no other device counts") {
        for (const char* without : {".4.1.0.6", ""}) {
            const Location location = locate_in(map, named(name + without));
            CHECK(candidates_of(location) == in_order);
            CHECK(remarks_of(location).empty());
        }
    }
    SUBCASE("the folder's device is no hint and leaves nothing to it") {
        Dump dump = named(name + ".4.1.0.5");
        dump.path_ids.device_id = 4;
        CHECK(shown(locate_in(map, dump).op) == "OnFour|-|0_1_OnFour|kernel");
        CHECK(candidates_of(locate_in(map, dump)).empty());
        CHECK(remarks_of(locate_in(map, dump)).empty());
    }
    SUBCASE("ranks of a job that run the same need no hint") {
        const auto alike = task_map_of({rank_on(10, 4, "0_1_Same").text(), rank_on(20, 5, "0_1_Same").text()});
        const Location location = locate_in(alike, named(name + ".4.1.0.5"));
        CHECK(shown(location.op) == "Same|-|0_1_Same|kernel");
        CHECK(remarks_of(location).empty());
    }
    SUBCASE("a log that reports this very overflow counts more") {
        LogText reports = rank_on(10, 4, "0_1_OnFour");
        reports.at(3001).runtime(
            "ProcLogicCqReport",
            "CQE warning, device_id=4, stream_id=5, task_id=7, sqe_type=0(aicore), errType=0x1(x), "
            "sqSwStatus=0x2f",
            "WARNING");
        const Location location =
            locate_in(task_map_of({reports.text(), rank_on(20, 5, "0_1_OnFive").text()}), named(name + ".4.1.0.5"));
        CHECK(candidates_of(location) == in_order);
    }
}
