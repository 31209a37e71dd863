// Saved maps of processes with so many facts that several threads pack them.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fact_log.hpp"
#include "logs/map_file/map_file.hpp"
#include "saved_map.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t kTasks = 50'000;  // of stream 5; of stream 6 a tenth
constexpr std::uint64_t kOftenUsed = 0x1000;

/// Launches of two streams; each hundredth has the same address, all others their own.
std::shared_ptr<const TaskMap> long_map() {
    FactLog log("plog-5100_1.log");
    const auto add_launch = [&log](std::uint64_t stream_id, std::uint64_t task_id) {
        logs::Fact launch =
            fact(logs::FactKind::kernel_of_task, static_cast<int>(stream_id), static_cast<int>(task_id));
        launch.address1 = task_id % 100 == 0 ? kOftenUsed : 0x10000 * stream_id + task_id;
        launch.kernel_name = fmt::format("kernel_{}", task_id % 90);
        log.state(launch);
    };
    for (std::uint64_t task_id = 0; task_id < kTasks; ++task_id) {
        log.at(static_cast<std::int64_t>(task_id));
        add_launch(5, task_id);
        if (task_id % 10 == 0) {
            add_launch(6, task_id);
        }
    }
    return task_map_of({log});
}

std::uint64_t facts_with(const std::string& map, std::uint64_t address) {
    WantedTasks wanted;
    wanted.addresses = {address};
    const auto read = logs::read_map_bytes(Bytes(map), wanted);
    REQUIRE(read.ok());
    std::uint64_t count = 0;
    for (const logs::StoredFact& stored : read->processes.at(0).facts) {
        count += stored.fact.address1 == address ? 1U : 0U;
    }
    return count;
}

}  // namespace

TEST_CASE("saved map of one long process: the same bytes by any number of threads, packed and opened") {
    const auto map = long_map();
    const Result<std::string> by_one = save_task_map(*map, 1);
    REQUIRE(by_one.ok());
    for (const unsigned threads : {2U, 8U}) {
        CAPTURE(threads);
        const Result<std::string> by_several = save_task_map(*map, threads);
        REQUIRE(by_several.ok());
        CHECK((*by_one == *by_several));
    }
    REQUIRE(map->contents().processes.size() == 1);  // opens it
    const Result<std::string> opened = save_task_map(*map, 2);
    REQUIRE(opened.ok());
    CHECK((*by_one == *opened));
}

TEST_CASE("saved map of one long process: every task is found, by its ids and by its address") {
    const std::string map = saved(*long_map());
    const auto all = logs::read_map_bytes(Bytes(map), std::nullopt);
    REQUIRE(all.ok());
    CHECK(all->processes.at(0).facts.size() == kTasks + kTasks / 10);
    for (const std::uint64_t task_id : {std::uint64_t{1}, std::uint64_t{27'499}, std::uint64_t{27'501},
                                        kTasks - 1}) {  // around the middle, where the runs meet
        CAPTURE(task_id);
        const auto one = logs::read_map_bytes(Bytes(map), task(5, task_id));
        REQUIRE(one.ok());
        REQUIRE(one->processes.at(0).facts.size() == 1);
        CHECK(one->processes[0].facts[0].fact.kernel_name == fmt::format("kernel_{}", task_id % 90));
        CHECK(facts_with(map, 0x50000 + task_id) == 1);
    }
    CHECK(facts_with(map, kOftenUsed) == 2 * kTasks / 100);
}
