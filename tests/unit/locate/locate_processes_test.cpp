// Which of several processes answers: by device, rank, stream and what its log reports.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

Dump dump_on(std::uint64_t device, std::uint64_t model = 65535) {
    Dump dump = dump_of({5, 7, model}, 3000);
    dump.path_ids.device_id = device;
    return dump;
}

}  // namespace

TEST_CASE(
    "processes: which device one works on is known from logs and saved maps alike, whatever tasks are asked for") {
    const auto rank = [](int pid, int device, std::string_view kernel) {
        return LogText(pid).at(500).set_up_stream(2, device).at(1000 + pid).launch_2023(5, 7, kernel).text();
    };
    const TemporaryDirectory directory;
    write_file(directory / "logs/plog-10_1.log", rank(10, 4, "0_1_OnFour"));
    write_file(directory / "logs/plog-20_1.log", rank(20, 5, "0_1_OnFive"));
    ReadLogsOptions options;
    options.wanted = WantedTasks{{{5, 7}}, {}};
    write_file(directory / "tasks.map", saved({directory / "logs"}));
    for (const std::string& path : {directory / "logs", directory / "tasks.map"}) {
        const auto wanted = read_logs({path}, options);
        REQUIRE(wanted.ok());
        CHECK(shown(locate_in(wanted->task_map, dump_on(5)).op) == "OnFive|-|0_1_OnFive|kernel");
        CHECK(shown(locate_in(wanted->task_map, dump_on(4)).op) == "OnFour|-|0_1_OnFour|kernel");
    }
}

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
    check_located(
        answer(a, reported(b, 30'001)),
        {.op = "net/b|-|-|type", .candidates = "net/b|-|-|type; net/a|-|-|type", .remarks = "info overflow_in_log"});
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

namespace {

constexpr const char* kWorld = "10.0.0.1%eth0_60000_0_1";

/// A process on device 0 that launches the kernel and creates a communicator.
std::string process_log(int pid, std::string_view kernel, std::string_view communicators) {
    LogText log(pid);
    log.at(1000).runtime_2021("KernelTaskEventLogProc",
                              fmt::format("device_id=0, stream_id=5, task_id=7, kernel_name={}, devfunc_name = te_x "
                                          "task_type=AiCoreKernel, task_launched_num=1",
                                          kernel));
    return std::string(communicators) + log.text();
}

std::string communicator(int pid, int ranks, int rank, std::string_view group = kWorld,
                         std::string_view function = "HcclCommInitRootInfoInner") {
    return fmt::format(
        "[INFO] HCCL({0},python3):2026-03-04-10:00:00.000.000 [op_base.cc:1] [{0}]Entry-{1}:ranks[{2}], "
        "rank[{3}], rootinfo: host ip[10.0.0.1] port[60000] nicDeploy[1] identifier[{4}], "
        "deviceLogicId[0]\n",
        pid, function, ranks, rank, group);
}

Dump dump_of_rank(std::uint64_t rank) {
    Dump dump = dump_of({5, 7}, 3000);
    dump.path_ids.device_id = 0;
    dump.path_ids.rank = rank;
    return dump;
}

constexpr const char* kBoth = "First|-|0_1_First|kernel; Second|-|0_1_Second|kernel";

}  // namespace

TEST_CASE("rank: of processes that fit alike the one of the dump's rank answers") {
    for (const char* function :
         {"HcclCommInitRootInfo", "HcclCommInitRootInfoInner", "HcclCommInitRootInfoConfigInner"}) {
        const auto map = task_map_of({process_log(10, "0_1_First", communicator(10, 16, 0, kWorld, function)),
                                      process_log(20, "0_1_Second", communicator(20, 16, 8, kWorld, function))});
        CHECK(shown(locate_in(map, dump_of_rank(8)).op) == "Second|-|0_1_Second|kernel");
        CHECK(candidates_of(locate_in(map, dump_of_rank(8))).empty());
        CHECK(shown(locate_in(map, dump_of_rank(0)).op) == "First|-|0_1_First|kernel");
        // Neither has this rank: their lines may be lost.
        CHECK(candidates_of(locate_in(map, dump_of_rank(3))) == kBoth);
    }
}

TEST_CASE("rank: the largest group of a process counts") {
    const auto map = task_map_of({process_log(10, "0_1_First", communicator(10, 2, 1) + communicator(10, 16, 0)),
                                  process_log(20, "0_1_Second", communicator(20, 16, 1) + communicator(20, 2, 0))});
    CHECK(shown(locate_in(map, dump_of_rank(1)).op) == "Second|-|0_1_Second|kernel");
}

TEST_CASE(
    "rank: groups of the same size show no rank of the job; neither does one with another name than groups of all") {
    for (const char* second : {"10.0.0.2%eth0_60000_0_1", "tensor_parallel"}) {
        const auto map = task_map_of({process_log(10, "0_1_First", communicator(10, 2, 1, second)),
                                      process_log(20, "0_1_Second", communicator(20, 2, 0))});
        CHECK_MESSAGE(candidates_of(locate_in(map, dump_of_rank(1))) == kBoth, second);
    }
}

TEST_CASE("rank: the device decides first") {
    LogText on_one(20);
    on_one.at(1000).runtime_2021("KernelTaskEventLogProc",
                                 "device_id=1, stream_id=5, task_id=7, kernel_name=0_1_Second, devfunc_name = te_x "
                                 "task_type=AiCoreKernel, task_launched_num=1");
    const auto map =
        task_map_of({process_log(10, "0_1_First", communicator(10, 16, 3)), communicator(20, 16, 0) + on_one.text()});
    Dump dump = dump_of_rank(3);
    dump.path_ids.device_id = 1;
    CHECK(shown(locate_in(map, dump).op) == "Second|-|0_1_Second|kernel");
}

TEST_CASE("rank: a process with two ranks of one group, or without a line, stays") {
    const auto map = task_map_of({process_log(10, "0_1_First", communicator(10, 16, 0) + communicator(10, 16, 1)),
                                  process_log(20, "0_1_Second", "")});
    CHECK(candidates_of(locate_in(map, dump_of_rank(8))) == kBoth);
}
