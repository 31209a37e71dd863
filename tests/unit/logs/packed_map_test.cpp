// Maps that are packed until something is asked.
#include "logs/processes/packed_map.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fact_log.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::test;

TEST_CASE("packed map: the same size and the same bytes before and after it is opened") {
    const auto map = task_map_of({LogText().at(0).set_up_stream(5).at(1).launch(5, 0, "Add").sent(5, 7).text(),
                                  LogText(5101).at(5).launch_2023(6, 8, "Mul").text()});
    const TaskMapSize size = size_of(*map);
    const Result<std::string> packed = save_task_map(*map);
    REQUIRE(packed.ok());
    CHECK(map->contents().processes.size() == 2);  // opens it
    const Result<std::string> opened = save_task_map(*map);
    REQUIRE(opened.ok());
    CHECK(*packed == *opened);
    CHECK(size.tasks == 2);
    CHECK(size_of(*map).tasks == 2);
    CHECK(size.processes == 2);
    CHECK(size_of(*map).processes == 2);
}

TEST_CASE("packed map: the same bytes also where launches come out of order, and of two folders that are one process") {
    // Lines are their file and number: long enough for differences.
    const std::string folder = "a_job_with_a_long_name/of_a_host_with_a_long_name/";
    FactLog of_host(folder + "run/plog-1.log", 7);
    FactLog of_other_folder(folder + "old/plog-1.log", 7);
    for (int task = 0; task < 200; ++task) {  // launches of three threads wait for their submit lines
        of_host.at(task).thread(task % 3).state(launch(5, 0, "Add_" + std::to_string(task)));
        if (task % 3 == 2) {
            for (int late = 0; late < 3; ++late) {  // the last one is kept first
                of_host.at(task).thread((task - late) % 3).state(submit(5, 400 - task + late));
            }
        }
        of_other_folder.at(500 - task).state(binding(FactKind::model_bind, task, 5));
    }
    const auto map = task_map_of({of_other_folder, of_host});
    const Result<std::string> packed = save_task_map(*map);
    REQUIRE(packed.ok());
    REQUIRE(map->contents().processes.size() == 1);  // opens it
    CHECK(map->contents().processes[0].facts.size() > 300);
    const Result<std::string> opened = save_task_map(*map);
    REQUIRE(opened.ok());
    CHECK(*packed == *opened);
}

TEST_CASE("packed map: a device that is inferred is in the saved map as well") {
    const auto map = task_map_of({LogText()
                                      .at(0)
                                      .thread(1)
                                      .set_up_stream(5, 0)
                                      .thread(2)
                                      .set_up_stream(5, 1)
                                      .at(1)
                                      .thread(2)
                                      .launch_2023(5, 7, "Add")
                                      .thread(1)
                                      .launch_2023(5, 7, "Mul")
                                      .text()});
    const Result<std::string> packed = save_task_map(*map);
    const Process& process = process_of(*map);
    std::string devices;
    for (const StoredFact& stored : process.facts) {
        devices += stored.fact.kernel_name.empty()
                       ? ""
                       : fmt::format("{} on {} ", stored.fact.kernel_name, stored.fact.device_id.value_or(99));
    }
    CHECK(devices == "Add on 1 Mul on 0 ");
    CHECK(process.shared_streams.at(5).size() == 2);
    CHECK(packed.ok());
    CHECK(save_task_map(*map).ok());
    CHECK(*packed == *save_task_map(*map));
}

TEST_CASE("packed map: a new run counts also where the line that tells of it names a task") {
    const auto opened_on = [](std::uint64_t device) {
        Fact opened = fact(FactKind::stream_open, 5);
        opened.device_id = device;
        return opened;
    };
    Fact launch = fact(FactKind::kernel_of_task, 5, 7);
    launch.kernel_name = "Add";
    FactLog log;
    log.at(0).thread(1).state(opened_on(0)).at(10).thread(3).state(launch);
    log.at(20).state(fact(FactKind::run_begin, 9, 1)).at(30).thread(2).state(opened_on(1));
    const auto map = task_map_of({log});
    const StoredFacts& facts = process_of(*map).facts;
    REQUIRE(facts.size() == 6);  // with the devices of the process
    CHECK(facts[2].fact.kernel_name == "Add");
    // What the new run sets up says nothing of the one before, whose stream may have been open on device 1 as well.
    CHECK_FALSE(facts[2].fact.device_id.has_value());
}
