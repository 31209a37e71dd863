// Values by stream and task, against a map with an entry for each task.
#include "logs/processes/task_table.hpp"

#include <map>
#include <random>

#include <doctest/doctest.h>

using namespace opdebug::logs;

TEST_CASE("task table: a value stays with its task") {
    TaskTable<int> table;
    CHECK(table.find({7, 3}) == nullptr);
    table[{7, 3}] = 5;
    REQUIRE(table.find({7, 3}) != nullptr);
    CHECK(*table.find({7, 3}) == 5);
    CHECK(table.find({7, 4}) == nullptr);  // a neighbour, in the same entry
    CHECK(table.find({7, 1000}) == nullptr);
    CHECK(table.find({8, 3}) == nullptr);
    table.clear();
    CHECK(table.find({7, 3}) == nullptr);
}

TEST_CASE("task table: neighbours that come in falling order keep their values") {
    TaskTable<std::uint64_t> table;
    for (std::uint64_t task = 40; task-- > 0;) {
        table[{7, task}] = task;
    }
    for (std::uint64_t task = 0; task < 40; ++task) {
        REQUIRE(table.find({7, task}) != nullptr);
        CHECK(*table.find({7, task}) == task);
    }
    CHECK(table.find({7, 40}) == nullptr);
}

TEST_CASE("task table: many tasks on many streams keep their values") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    TaskTable<std::uint64_t> table;
    std::map<TaskKey, std::uint64_t> expected;
    for (std::uint64_t round = 1; round <= 20000; ++round) {
        // Streams that share their location among the recent ones; ids of 64 bits, as a log may claim.
        const TaskKey task{random() % 4 * 16 + random() % 3, random() % 8 == 0 ? random() : random() % 200};
        if (random() % 2 == 0) {
            table[task] = round;
            expected[task] = round;
        }
        const std::uint64_t* const found = table.find(task);
        const auto known = expected.find(task);
        REQUIRE((found != nullptr ? *found : 0) == (known != expected.end() ? known->second : 0));
    }
    for (const auto& [task, value] : expected) {
        REQUIRE(table.find(task) != nullptr);
        REQUIRE(*table.find(task) == value);
    }
}
