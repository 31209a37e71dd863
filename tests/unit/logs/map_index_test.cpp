// The index of a task map: facts and processes are found without going through all of them.
#include <doctest/doctest.h>

#include <vector>

#include "logs/lookup/map_index.hpp"
#include "logs/lookup/task_use.hpp"
#include "logs/processes/process_facts.hpp"

using namespace opdebug;
using namespace opdebug::logs;

namespace {

StoredFact fact_at(std::int64_t time_us, FactKind kind) {
    StoredFact stored;
    stored.fact.kind = kind;
    stored.time_us = time_us;
    stored.place.text = "line at " + std::to_string(time_us);
    return stored;
}

StoredFact launch_at(std::int64_t time_us, std::uint64_t stream, std::uint64_t task, std::uint64_t address) {
    StoredFact stored = fact_at(time_us, FactKind::kernel_of_task);
    stored.fact.stream_id = stream;
    stored.fact.task_id = task;
    stored.fact.address1 = address;
    stored.fact.kernel_name = "mul";
    return stored;
}

StoredFact named_model_at(std::int64_t time_us, std::uint64_t ge_model, const char* name) {
    StoredFact stored = fact_at(time_us, FactKind::ge_model);
    stored.fact.ge_model_id = ge_model;
    stored.fact.model_name = name;
    stored.place.text += name;  // equal lines of one time count once
    return stored;
}

Process process_of_facts(std::int64_t pid, StoredFacts facts) {
    Process process;
    process.pid = pid;
    process.facts = std::move(facts);
    index_facts(process);
    process.states_anything = true;
    process.first_time_us = process.facts.front().time_us;
    process.last_time_us = process.facts.back().time_us;
    return process;
}

std::vector<std::uint32_t> list(Places places) {
    return {places.begin(), places.end()};
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("places of facts: by key, each in ascending order") {
    const FactPlaces<int> places({{7, 4}, {3, 9}, {7, 1}, {5, 2}, {7, 3}});
    CHECK(places.size() == 3);
    CHECK(list(places.of(7)) == Numbers{1, 3, 4});
    CHECK(list(places.of(3)) == Numbers{9});
    CHECK(places.of(4).empty());
    CHECK(places.of(8).empty());
    CHECK(places.first_from(4) == 1);
    CHECK(places.first_from(8) == 3);
    std::vector<int> keys;
    for (std::size_t number = 0; number < places.size(); ++number) {
        keys.push_back(places.key(number));
        CHECK(list(places.places(number)) == list(places.of(keys.back())));
    }
    CHECK(keys == std::vector<int>{3, 5, 7});
    CHECK(FactPlaces<int>().of(1).empty());
}

TEST_CASE("index of a map: processes by task, stream and address, in their order") {
    TaskMap::Contents map;
    map.processes.push_back(process_of_facts(10, {launch_at(100, 2, 6, 0xa0), launch_at(200, 2, 7, 0xb0)}));
    map.processes.push_back(process_of_facts(20, {launch_at(100, 3, 6, 0xb0)}));
    map.processes.push_back(process_of_facts(30, {launch_at(150, 2, 6, 0xb0), launch_at(160, 2, 6, 0xb0)}));
    const MapIndex& index = map.index();
    CHECK(list(index.processes(About::task, 2, 6)) == Numbers{0, 2});
    CHECK(list(index.processes(About::task, 3, 6)) == Numbers{1});
    CHECK(index.processes(About::task, 3, 7).empty());
    CHECK(list(index.processes(About::stream, 2)) == Numbers{0, 2});
    CHECK(list(index.processes(About::kernel_at_address, 0xb0)) == Numbers{0, 1, 2});
    CHECK(list(index.facts(map.processes[2], About::kernel_at_address, 0xb0)) == Numbers{0, 1});
    CHECK(list(index.facts(map.processes[0], About::kernel_at_address, 0xb0)) == Numbers{1});
    CHECK(&map.index() == &index);
}

TEST_CASE("index of a map: the host process that ends last of those begun by a time") {
    TaskMap::Contents map;
    map.processes.push_back(process_of_facts(10, {launch_at(100, 2, 6, 1), launch_at(900, 2, 7, 1)}));
    map.processes.push_back(process_of_facts(20, {launch_at(200, 2, 6, 1), launch_at(300, 2, 7, 1)}));
    map.processes.push_back(process_of_facts(30, {launch_at(500, 2, 6, 1), launch_at(950, 2, 7, 1)}));
    CHECK(map.index().last_of_those_begun(99) == nullptr);
    CHECK(map.index().last_of_those_begun(100) == &map.processes[0]);
    CHECK(map.index().last_of_those_begun(499) == &map.processes[0]);
    CHECK(map.index().last_of_those_begun(500) == &map.processes[2]);
}

TEST_CASE("nearest fact: of two equally near the earlier, of several at one time the first that fits") {
    const Process process = process_of_facts(1, {named_model_at(100, 5, "a"), named_model_at(200, 5, "b"),
                                                 named_model_at(200, 5, "c"), named_model_at(400, 5, "d")});
    const Numbers all{0, 1, 2, 3};
    const auto name_near = [&](std::int64_t time_us, const char* without) {
        const StoredFact* found = nearest_fact(
            process, all, time_us, [without](const StoredFact& stored) { return stored.fact.model_name != without; });
        return found == nullptr ? std::string("none") : found->fact.model_name;
    };
    CHECK(name_near(150, "") == "a");
    CHECK(name_near(151, "") == "b");
    CHECK(name_near(151, "b") == "c");
    CHECK(name_near(300, "") == "b");
    CHECK(name_near(300, "b") == "c");
    CHECK(name_near(301, "") == "d");
    CHECK(name_near(301, "d") == "b");
    CHECK(name_near(-9, "") == "a");
    CHECK(name_near(9000, "d") == "b");
    CHECK(nearest_fact(process, {}, 100, [](const StoredFact&) { return true; }) == nullptr);
}

TEST_CASE("index of a map: the history of a stream is that of its lines, on each device") {
    StoredFacts facts;
    for (std::int64_t i = 0; i < 6; ++i) {
        StoredFact line = fact_at(100 * i, i % 3 == 2 ? FactKind::stream_close : FactKind::stream_open);
        line.fact.stream_id = 7;
        line.fact.format_id = "opens";
        line.fact.device_id = i < 3 ? 0 : 1;
        facts.push_back(line);
    }
    TaskMap::Contents map;
    map.processes.push_back(process_of_facts(1, facts));
    const Process& process = map.processes.front();
    for (const DeviceFilter device : {DeviceFilter(0), DeviceFilter(1), DeviceFilter(5)}) {
        const auto history = map.index().history(process, 7, device);
        const std::vector<StreamWindow> windows = stream_windows(process, 7, device);
        REQUIRE(history->size() == windows.size());
        for (std::size_t i = 0; i < windows.size(); ++i) {
            CHECK((*history)[i].window.span.begin == windows[i].span.begin);
            CHECK((*history)[i].window.span.end == windows[i].span.end);
        }
    }
    CHECK(map.index().history(process, 7, 0)->size() == 2);
    CHECK(map.index().history(process, 7, 5)->size() == 1);  // no line of the stream names it: open all the time
}
