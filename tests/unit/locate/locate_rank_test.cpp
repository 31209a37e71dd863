// Lines of HCCL on the rank of a process in a group: of processes that fit alike, whose dump it is.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

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

TEST_CASE("rank: groups of the same size show no rank of the job, nor does one with another name than groups of all") {
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
