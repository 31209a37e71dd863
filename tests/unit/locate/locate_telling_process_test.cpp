// Of several processes that fit a record alike, the one that tells of this very overflow.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "temporary_directory.hpp"

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
    CHECK(candidates_of(location) == "net/b|-|-|exact; net/a|-|-|exact");
    CHECK(shown(location.op) == "net/b|-|-|exact");
    CHECK(remarks_of(location) == "info overflow_in_log");
    SUBCASE("by the warning of a failed task, too") {
        LogText failed = b;
        failed.at(30'001).runtime("TaskFailCallBack",
                                  "stream_id=5, exposed_stream_id=5, exception_task_id=7, "
                                  "retCode=0x715005b,[aicore overflow]",
                                  "WARNING");
        CHECK(candidates_of(answer(a, failed)) == "net/b|-|-|exact; net/a|-|-|exact");
    }
    SUBCASE("where only a kernel is known there, too: a name is worth nothing in the wrong process") {
        LogText launches(20);
        launches.at(1000).bind(3, 5).launch_2023(5, 7, "0_1_OnB");
        CHECK(candidates_of(answer(a, reported(launches, 30'001))) == "OnB|-|0_1_OnB|kernel; net/a|-|-|exact");
    }
    SUBCASE("not of another time or task, and not where all report it") {
        const std::string in_order = "net/a|-|-|exact; net/b|-|-|exact";
        CHECK(candidates_of(answer(a, reported(b, 40'001))) == in_order);
        CHECK(candidates_of(answer(a, reported(b, 30'001, 0, 8))) == in_order);
        CHECK(candidates_of(answer(reported(a, 30'002), reported(b, 30'001))) == in_order);
    }
}

TEST_CASE("processes: the ids in the dump's name are the debug task's of one of several that fit alike") {
    const auto rank = [](int pid, std::string_view op, int debug_stream, int debug_task) {
        LogText log(pid);
        log.at(1000).bind(3, 5).save_dump_task(op, 5, 7);
        log.runtime("DebugRegister",
                    fmt::format("model_id=3, flag=3, streamId={}, taskId={}", debug_stream, debug_task));
        return log.text();
    };
    Dump dump = dump_of({5, 7, 3}, 30'000);
    dump.name = DumpName{};
    dump.name->stream_id = 30;
    dump.name->task_id = 9;
    const std::vector<std::string> logs{rank(10, "net/a", 31, 9), rank(20, "net/b", 30, 9)};
    const Location location = locate_in(task_map_of(logs), dump);
    CHECK(candidates_of(location) == "net/b|-|-|exact; net/a|-|-|exact");
    CHECK(remarks_of(location) == "info debug_task_in_name");
    CHECK(message_of(location, "debug_task_in_name").find("process 20 (log1:3)") != std::string::npos);
    SUBCASE("also where only what dumps ask for is kept of the logs") {
        ReadLogsOptions options;
        add_wanted(dump, options.wanted.emplace());
        const TemporaryDirectory folder;
        const auto read =
            read_logs({write_file(folder / "a.log", logs[0]), write_file(folder / "b.log", logs[1])}, options);
        REQUIRE(read.ok());
        CHECK(shown(locate_in(read->task_map, dump).op) == "net/b|-|-|exact");
    }
    SUBCASE("not where both or none have them") {
        dump.name->stream_id = 32;
        CHECK(shown(locate_in(task_map_of(logs), dump).op) == "net/a|-|-|exact");
        const auto both = task_map_of({rank(10, "net/a", 30, 9), rank(20, "net/b", 30, 9)});
        dump.name->stream_id = 30;
        CHECK(remarks_of(locate_in(both, dump)).empty());
    }
}
