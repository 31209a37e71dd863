// Of several processes that fit a record alike, the one that reports this very overflow.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("processes: of several that fit alike the one whose log reports this very overflow answers") {
    const auto rank = [](int pid, std::string_view op) {
        LogText log(pid);
        log.at(1000).bind(3, 5).save_dump_task(op, 5, 7);
        return log;
    };
    const auto reported = [](LogText log, std::int64_t at, int device = 0, int task = 7) {
        log.at(at).runtime("ProcLogicCqReport",
                           fmt::format("CQE warning, device_id={}, stream_id=5, task_id={}, sqe_type=0(aicore), "
                                       "errType=0x1(x), sqSwStatus=0x2f",
                                       device, task),
                           "WARNING");
        return log;
    };
    const LogText a = rank(10, "net/a");
    const LogText b = rank(20, "net/b");
    const auto answer = [](const LogText& first, const LogText& second) {
        return locate_in(task_map_of({first.text(), second.text()}), dump_of({5, 7, 3}, 30'000));
    };
    const Location location = answer(a, reported(b, 30'001));
    CHECK(candidates_of(location) == "net/b|-|-|type; net/a|-|-|type");
    CHECK(shown(location.op) == "net/b|-|-|type");
    CHECK(remarks_of(location) == "info overflow_in_log");
    SUBCASE("by the warning of a failed task, too") {
        LogText failed = b;
        failed.at(30'001).runtime("TaskFailCallBack",
                                  "stream_id=5, exposed_stream_id=5, exception_task_id=7, "
                                  "retCode=0x715005b,[aicore overflow]",
                                  "WARNING");
        CHECK(candidates_of(answer(a, failed)) == "net/b|-|-|type; net/a|-|-|type");
    }
    SUBCASE("where only a kernel is known there, too: a name is worth nothing in the wrong process") {
        LogText launches(20);
        launches.at(1000).bind(3, 5).launch_2023(5, 7, "0_1_OnB");
        CHECK(candidates_of(answer(a, reported(launches, 30'001))) == "OnB|-|0_1_OnB|kernel; net/a|-|-|type");
    }
    SUBCASE("not of another time or task, and not where all report it") {
        const std::string in_order = "net/a|-|-|type; net/b|-|-|type";
        CHECK(candidates_of(answer(a, reported(b, 40'001))) == in_order);
        CHECK(candidates_of(answer(a, reported(b, 30'001, 0, 8))) == in_order);
        CHECK(candidates_of(answer(reported(a, 30'002), reported(b, 30'001))) == in_order);
    }
}
