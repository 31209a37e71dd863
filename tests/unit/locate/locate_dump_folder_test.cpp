// Lines that state into which folder a process writes its dumps: of several processes that fit alike, whose dump it is.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

LogText& launch(LogText& log, int device, std::string_view kernel) {
    return log.at(1000).runtime_2021("KernelTaskEventLogProc",
                                     fmt::format("device_id={}, stream_id=5, task_id=7, kernel_name={}, devfunc_name = "
                                                 "te_x task_type=AiCoreKernel, task_launched_num=1",
                                                 device, kernel));
}

LogText& writes_below(LogText& log, std::string_view time) {
    return log.at(500).ge("SetDumpOptions", fmt::format("Get dump path /data/dump/{}/ successfully", time));
}

/// A few seconds after the times of the folders of these tests.
Dump dump_in(std::string_view time) {
    Dump dump = dump_of({5, 7}, 3000);
    dump.path_ids.time = time;
    dump.path_ids.device_id = 0;
    return dump;
}

}  // namespace

TEST_CASE("dump folder: of ranks that fit alike the one that writes into the dump's folder answers") {
    LogText first(10), second(20);
    launch(writes_below(first, "20260304100000"), 0, "0_1_First");
    launch(writes_below(second, "20260304100001"), 0, "0_1_Second");
    const auto map = task_map_of({first.text(), second.text()});
    CHECK(candidates_of(locate_in(map, dump_in("20260304100000"))).empty());
    CHECK(shown(locate_in(map, dump_in("20260304100000")).op) == "First|-|0_1_First|kernel");
    CHECK(shown(locate_in(map, dump_in("20260304100001")).op) == "Second|-|0_1_Second|kernel");
    // Neither states it: the lines may be lost.
    CHECK(candidates_of(locate_in(map, dump_in("20260304095959"))) ==
          "First|-|0_1_First|kernel; Second|-|0_1_Second|kernel");
}

TEST_CASE("dump folder: who says nothing of folders stays, the line may be lost") {
    LogText says(10), silent(20);
    launch(writes_below(says, "20260304100000"), 0, "0_1_Says");
    launch(silent, 0, "0_1_Silent");
    CHECK(candidates_of(locate_in(task_map_of({says.text(), silent.text()}), dump_in("20260304100000"))) ==
          "Says|-|0_1_Says|kernel; Silent|-|0_1_Silent|kernel");
}

TEST_CASE("dump folder: ranks that began in one second share it, the device decides") {
    LogText on_zero(10), on_one(20);
    launch(writes_below(on_zero, "20260304100000"), 0, "0_1_OnZero");
    launch(on_one, 1, "0_1_OnOne");  // its line was rotated away
    Dump dump = dump_in("20260304100000");
    dump.path_ids.device_id = 1;
    CHECK(shown(locate_in(task_map_of({on_zero.text(), on_one.text()}), dump).op) == "OnOne|-|0_1_OnOne|kernel");
}

TEST_CASE("dump folder: applications of AscendCL, commands and single operators say it in words of their own") {
    LogText other(20);
    launch(writes_below(other, "20260304100001"), 0, "0_1_Other");
    for (const char* message :
         {"[INFO] GE(10,python3):2026-03-04-10:00:00.000.000 [a.cc:1]10 SetDumpPath:Dump path is "
          "/data/20260304100000/\n",
          "[INFO] GE(10,python3):2026-03-04-10:00:00.000.000 [a.cc:1]10 Handle:dump path = "
          "/data/20260304100000/.\n",
          "[INFO] IDEDD(10,python3):2026-03-04-10:00:00.000.000 [a.cpp:1][tid:10] Dump op to path "
          "/data/20260304100000/0.\n"}) {
        LogText first(10);
        launch(first, 0, "0_1_First");
        const Location location =
            locate_in(task_map_of({message + first.text(), other.text()}), dump_in("20260304100000"));
        CHECK_MESSAGE(shown(location.op) == "First|-|0_1_First|kernel", message);
        CHECK_MESSAGE(candidates_of(location).empty(), message);
    }
}
