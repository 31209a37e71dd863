// Places by stream and task, against a sorted list.
#include "logs/processes/places_by_task.hpp"

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

using namespace opdebug::logs;

namespace {

using Row = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>;

std::vector<Row> rows_of(PlacesByTask& places) {
    std::vector<Row> rows;
    places.take([&rows](std::uint64_t group, std::uint64_t stream_id, std::uint64_t task_id, std::uint32_t place) {
        rows.emplace_back(group, stream_id, task_id, place);
    });
    return rows;
}

}  // namespace

TEST_CASE("places by task: by group, stream and task, and those of one task as they came") {
    PlacesByTask places;
    places.add(2, 9, 1, 0);
    places.add(2, 7, 5, 1);
    places.add(2, 7, 4, 2);  // the ids began anew
    places.add(2, 7, 5, 3);
    places.add(0, 0, 0, 4);
    CHECK(rows_of(places) == std::vector<Row>{{0, 0, 0, 4}, {2, 7, 4, 2}, {2, 7, 5, 1}, {2, 7, 5, 3}, {2, 9, 1, 0}});
    CHECK(rows_of(places).empty());
}

TEST_CASE("places by task: any ids on many streams") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    PlacesByTask places;
    std::vector<Row> expected;
    for (std::uint32_t place = 0; place < 5000; ++place) {
        // Streams that share their place among the recent ones.
        const Row row{random() % 2, random() % 4 * 16 + random() % 3, random() % 8 == 0 ? random() : place / 8, place};
        expected.push_back(row);
        places.add(std::get<0>(row), std::get<1>(row), std::get<2>(row), place);
    }
    std::sort(expected.begin(), expected.end());
    CHECK(rows_of(places) == expected);
}

TEST_CASE("places by task: ids that lie close to each other and come in any order") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    for (const std::uint64_t ids : {2U, 100U, 3000U, 30'000U}) {  // of 1000 places: some counted, some compared
        PlacesByTask places;
        std::vector<Row> expected;
        for (std::uint32_t place = 0; place < 1000; ++place) {
            const Row row{0, 7, UINT64_MAX - random() % ids, place};
            expected.push_back(row);
            places.add(0, 7, std::get<2>(row), place);
        }
        std::sort(expected.begin(), expected.end());
        CHECK(rows_of(places) == expected);
    }
}
