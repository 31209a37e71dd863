// Several processes use the same ids at the same time, as the ranks of a job do: which of them answers.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

Dump dump_on(std::uint64_t device, std::uint64_t model = 65535) {
    Dump dump = dump_of({5, 7, model}, 3000);
    dump.path_ids.device_id = device;
    return dump;
}

}  // namespace

TEST_CASE("processes: the one of the dump's device answers, wherever it stands among them") {
    const auto map = task_map_of(
        {rank_on(10, 4, "0_1_OnFour").text(), rank_on(20, 5, "0_1_OnFive").text(), rank_on(30, 6, "0_1_OnSix").text()});
    CHECK(shown(locate_in(map, dump_on(4)).op) == "OnFour|-|0_1_OnFour|kernel");
    CHECK(shown(locate_in(map, dump_on(5)).op) == "OnFive|-|0_1_OnFive|kernel");
    CHECK(shown(locate_in(map, dump_on(6)).op) == "OnSix|-|0_1_OnSix|kernel");
}

TEST_CASE("processes: one that binds the record's model stays beside the one of the dump's device") {
    LogText of_model(30);
    of_model.at(1000).bind(3, 5, "toy_net").save_dump_task("net/Exp", 5, 7);
    const auto map =
        task_map_of({rank_on(10, 4, "0_1_OnFour").text(), rank_on(20, 5, "0_1_OnFive").text(), of_model.text()});
    CHECK(candidates_of(locate_in(map, dump_on(5, 3))) == "OnFive|-|0_1_OnFive|kernel; net/Exp|-|-|type");
    CHECK(shown(locate_in(map, dump_on(5)).op) == "OnFive|-|0_1_OnFive|kernel");
}

TEST_CASE("processes: where none used the ids on the dump's device, all are candidates in their order") {
    LogText elsewhere = rank_on(30, 6, "0_1_OnSix");
    const auto map =
        task_map_of({rank_on(10, 4, "0_1_OnFour").text(), rank_on(20, 5, "0_1_OnFive").text(), elsewhere.text()});
    const Location location = locate_in(map, dump_on(1));
    REQUIRE(location.op.has_value());
    REQUIRE(location.op->candidates.size() == 3);
    CHECK(location.op->candidates[0].kernel == "0_1_OnFour");
    CHECK(location.op->candidates[1].kernel == "0_1_OnFive");
    CHECK(location.op->candidates[2].kernel == "0_1_OnSix");
}

TEST_CASE("processes: one of the dump's device that did not use the ids yet leaves no answer") {
    LogText later(30);
    later.at(9000).runtime_2021("KernelTaskEventLogProc",
                                "device_id=6, stream_id=5, task_id=7, kernel_name=0_1_Later, devfunc_name = te_x "
                                "task_type=AiCoreKernel, task_launched_num=1");
    const auto map = task_map_of({rank_on(10, 4, "0_1_OnFour").text(), later.text()});
    CHECK(shown(locate_in(map, dump_on(6)).op) == "none");
}

TEST_CASE("processes: where the lines on the task name no device, others of the process tell which it works on") {
    const auto rank = [](int pid, int device, std::string_view kernel) {
        LogText log(pid);
        log.at(500).set_up_stream(2, device).at(1000 + pid).launch_2023(5, 7, kernel);
        return log;
    };
    const auto map = task_map_of({rank(10, 4, "0_1_OnFour").text(), rank(20, 5, "0_1_OnFive").text()});
    CHECK(candidates_of(locate_in(map, dump_on(4))).empty());
    CHECK(shown(locate_in(map, dump_on(4)).op) == "OnFour|-|0_1_OnFour|kernel");
    CHECK(shown(locate_in(map, dump_on(5)).op) == "OnFive|-|0_1_OnFive|kernel");
    CHECK(remarks_of(locate_in(map, dump_on(5))).empty());
    // Also next to one whose lines on the task name another device.
    const auto named = task_map_of({rank_on(10, 4, "0_1_OnFour").text(), rank(20, 5, "0_1_OnFive").text()});
    CHECK(shown(locate_in(named, dump_on(5)).op) == "OnFive|-|0_1_OnFive|kernel");
    CHECK(remarks_of(locate_in(named, dump_on(5))).empty());
    // A process of another device alone is not surely the one of the dump.
    const Location other = locate_in(map, dump_on(6));
    CHECK(candidates_of(other) == "OnFour|-|0_1_OnFour|kernel; OnFive|-|0_1_OnFive|kernel");
    CHECK(message_of(other, "device_differs").find("process 10 uses device 4") != std::string::npos);
}

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
