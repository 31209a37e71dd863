// Lines that were read or written twice, and runs of lines with the same content.
#include "logs/processes/repeated_facts.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "fact_log.hpp"
#include "log_builder.hpp"

using namespace opdebug::logs;
using namespace opdebug::test;

namespace {

/// The numbers of the lines whose facts the map of one process keeps, with the file in front where it is not "log0".
std::string kept_of(const std::vector<FactLog>& logs) {
    const auto map = task_map_of(logs);
    std::string text;
    for (const StoredFact& stored : process_of(*map).facts) {
        const std::string& file = map->contents().files[stored.place.file];
        text += (text.empty() ? "" : ", ") + (file == "log0" ? "" : file + ":") + std::to_string(stored.place.line);
    }
    return text;
}

Fact failure(int stream, int task, const std::string& kernel, std::uint64_t flip = 0) {
    Fact made = fact(FactKind::fault_kernel, stream, task);
    made.kernel_name = kernel;
    made.flip_num = flip;
    return made;
}

Fact final_launch(int stream, int task, const std::string& kernel) {
    Fact made = launch(stream, task, kernel);
    made.task_id_provisional = false;
    return made;
}

Fact graph_of_model(std::uint64_t model, std::uint64_t graph) {
    Fact made = fact(FactKind::ge_model, -1);
    made.ge_model_id = model;
    made.graph_id = graph;
    return made;
}

Fact end_of_model(std::uint64_t model) {
    Fact made = fact(FactKind::model_end, -1);
    made.ge_model_id = model;
    return made;
}

Fact execution(std::uint64_t runtime_model, std::uint64_t ge_model) {
    Fact made = fact(FactKind::model_execute, 99);
    made.model_id = runtime_model;
    made.ge_model_id = ge_model;
    return made;
}

}  // namespace

TEST_CASE("repeated lines: an event of the run log that the debug log repeats is one statement") {
    FactLog debug("debug"), run("run");
    debug.at(1001).state(operator_of(7, 2, "a"));
    run.at(1000).state(operator_of(7, 2, "a"));
    CHECK(kept_of({debug, run}) == "run:1");
}

TEST_CASE("repeated lines: more than a second later, from another thread or with other content it is a statement") {
    CHECK(kept_of({FactLog().at(0).state(operator_of(7, 2, "a")).at(1001).state(operator_of(7, 2, "a"))}) == "1, 2");
    CHECK(kept_of({FactLog().state(operator_of(7, 2, "a")).thread(2).state(operator_of(7, 2, "a"))}) == "1, 2");
    CHECK(kept_of({FactLog().state(operator_of(7, 2, "a")).state(operator_of(7, 2, "b"))}) == "1, 2");
    CHECK(kept_of({FactLog().state(operator_of(7, 2, "a")).state(operator_of(7, 3, "a"))}) == "1, 2");
}

TEST_CASE("repeated lines: within a second it is the same statement, whatever was said of others in between") {
    for (const int second_time : {1499, 1501}) {
        CAPTURE(second_time);
        FactLog log;
        log.at(0).state(operator_of(7, 1, "z")).at(500).state(operator_of(7, 2, "a"));
        log.at(1200).state(operator_of(7, 3, "b")).at(second_time).state(operator_of(7, 2, "a"));
        CHECK(kept_of({log}) == (second_time < 1500 ? "1, 2, 3" : "1, 2, 3, 4"));
    }
}

TEST_CASE("repeated lines: a launch in between makes it a new statement, more than a second after others as well") {
    FactLog log;
    log.at(0).state(operator_of(7, 1, "z")).at(500).state(operator_of(7, 2, "a"));
    log.at(1200).state(operator_of(7, 3, "b")).at(1300).state(final_launch(7, 2, "K"));
    CHECK(kept_of({log.at(1400).state(operator_of(7, 2, "a"))}) == "1, 2, 3, 4, 5");
}

TEST_CASE("repeated lines: of equal lines with one time the first is kept; other lines and times are others") {
    StoredFacts facts;
    const auto add = [&](std::int64_t time_us, std::uint64_t task_id, const std::string& text) {
        StoredFact stored;
        stored.fact = final_launch(7, 2, "K");
        stored.fact.task_id = task_id;
        stored.time_us = time_us;
        stored.place.line = facts.size() + 1;
        stored.place.text = text;
        facts.push_back(std::move(stored));
    };
    add(5, 2, "launch");
    add(5, 2, "another launch");
    add(5, 3, "launch");
    add(5, 2, "launch");
    add(5, 3, "launch");
    add(6, 2, "launch");
    drop_repeated_lines(facts);
    std::string kept;
    for (const StoredFact& stored : facts) {
        kept += std::to_string(stored.place.line) + " ";
    }
    CHECK(kept == "1 2 3 6 ");
}

TEST_CASE("repeated lines: of many lines with one time each is kept once") {
    StoredFacts facts;
    std::uint64_t added = 0;
    const auto add = [&](int number) {
        StoredFact stored;
        stored.fact = final_launch(7, 2, "K");
        stored.time_us = 5;
        stored.place.line = ++added;
        stored.place.text = "launch " + std::to_string(number);
        facts.push_back(std::move(stored));
    };
    for (int number = 0; number < 40; ++number) {
        add(number);
    }
    for (const int number : {3, 15, 16, 30, 39, 40, 40}) {
        add(number);
    }
    drop_repeated_lines(facts);
    CHECK(facts.size() == 41);
    CHECK(facts[40].place.text != facts[39].place.text);
    CHECK(facts[40].place.line == 46);
}

TEST_CASE("repeated lines: what was said again after something else on the stream is a statement") {
    FactLog log;
    log.at(0).state(binding(FactKind::model_bind, 3, 7)).at(1).state(binding(FactKind::model_unbind, 3, 7));
    CHECK(kept_of({log.at(2).state(binding(FactKind::model_bind, 3, 7))}) == "1, 2, 3");
}

TEST_CASE("repeated lines: what was said again after a model ended is a statement, but that it ended") {
    FactLog log;
    log.at(0).state(fact(FactKind::ge_model_stream, 7)).at(300).state(end_of_model(1)).at(301).state(end_of_model(1));
    CHECK(kept_of({log.at(900).state(fact(FactKind::ge_model_stream, 7))}) == "1, 2, 4");
}

TEST_CASE("repeated lines: launches and overflows may come at any rate") {
    CHECK(kept_of({FactLog().at(0).state(final_launch(7, 2, "K")).at(1).state(final_launch(7, 2, "K"))}) == "1, 2");
    const Fact overflow = fact(FactKind::overflow_report, 7, 2);
    CHECK(kept_of({FactLog().at(0).state(overflow).at(1).state(overflow)}) == "1, 2");
}

TEST_CASE("repeated lines: submit lines of a launch tell nothing new for ten seconds; earlier and later ones do") {
    FactLog launched;
    launched.at(100).state(final_launch(7, 2, "K"));
    FactLog submitted("submitted");  // read after the launch, whatever its times
    for (const int milliseconds : {99, 100, 10'100, 10'101}) {
        submitted.at(milliseconds).state(submit(7, 2));
    }
    CHECK(kept_of({launched, submitted}) == "submitted:1, 1, submitted:4");
}

TEST_CASE("repeated lines: submit lines of another device, and of a model's task, tell something new") {
    Fact on_device = final_launch(7, 2, "K");
    on_device.device_id = 0;
    FactLog log;
    log.at(0).state(on_device);
    for (const std::uint64_t device : {std::uint64_t{0}, std::uint64_t{1}}) {
        Fact submitted = submit(7, 2);
        submitted.device_id = device;
        log.at(1).state(submitted);
    }
    Fact of_model = submit(7, 2);
    of_model.of_model = true;
    CHECK(kept_of({log.at(2).state(of_model)}) == "1, 3, 4");
}

TEST_CASE("repeated lines: a failure that is told again is one, whatever its time") {
    FactLog log;
    log.at(0).state(failure(7, 2, "K")).at(5000).thread(9).state(failure(7, 2, "K"));
    CHECK(kept_of({log}) == "1");
}

TEST_CASE("repeated lines: a failure of another task, flip, device or kernel is another one") {
    Fact on_device_1 = failure(7, 2, "K");
    on_device_1.device_id = 1;
    FactLog log;
    log.at(0).state(failure(7, 2, "K")).at(5000).state(failure(7, 3, "K")).state(failure(7, 2, "K", 1));
    CHECK(kept_of({log.state(on_device_1).state(failure(7, 2, "L"))}) == "1, 2, 3, 4, 5");
}

TEST_CASE("repeated lines: a failure after a new launch of the ids is a new one") {
    FactLog log;
    log.at(0).state(failure(7, 2, "K")).at(10).state(final_launch(7, 2, "K")).at(20).state(failure(7, 2, "K"));
    CHECK(kept_of({log}) == "1, 2, 3");
}

TEST_CASE("runs: of lines that name the operator of a task again and again the first and the last are kept") {
    FactLog log;
    for (int i = 0; i < 100; ++i) {
        log.at(i * 2000).state(operator_of(7, 2, "a")).state(operator_of(7, 3, "b"));
    }
    CHECK(kept_of({log}) == "1, 2, 199, 200");
}

TEST_CASE("runs: each thread has its own where lines name no device, which the thread may tell") {
    FactLog log;
    Fact on_device = operator_of(7, 3, "b");
    on_device.device_id = 1;
    for (int i = 0; i < 12; ++i) {
        log.at(i * 2000).thread(i % 3 + 1).state(operator_of(7, 2, "a")).state(on_device);
    }
    // Of the odd lines the first and the last of each of three threads, of the even ones of all together.
    CHECK(kept_of({log}) == "1, 2, 3, 5, 19, 21, 23, 24");
    log.at(24'000).state(operator_of(7, 2, "c")).thread(1).state(operator_of(7, 2, "a"));
    CHECK(kept_of({log}) == "1, 2, 3, 5, 19, 21, 23, 24, 25, 26");
}

TEST_CASE("runs: another line on the task ends the run") {
    FactLog log;
    for (int i = 0; i < 6; ++i) {
        log.at(i * 2000).state(operator_of(7, 2, i < 3 ? "a" : "b"));
    }
    CHECK(kept_of({log}) == "1, 3, 4, 6");
    FactLog launched;
    for (int i = 0; i < 6; ++i) {
        launched.at(i * 2000).state(i == 3 ? final_launch(7, 2, "K") : operator_of(7, 2, "a"));
    }
    CHECK(kept_of({launched}) == "1, 3, 4, 5, 6");
}

TEST_CASE("runs: failures and overflows are all kept: their times count") {
    FactLog log;
    for (int i = 0; i < 4; ++i) {
        log.at(i * 2000).state(fact(FactKind::overflow_report, 7, 2));
    }
    CHECK(kept_of({log}) == "1, 2, 3, 4");
}

TEST_CASE("runs: executions of models in turn are runs of each") {
    FactLog log;
    for (int i = 0; i < 50; ++i) {
        log.at(i * 2000).state(execution(36, 1)).state(execution(37, 2));
    }
    CHECK(kept_of({log}) == "1, 2, 99, 100");
}

TEST_CASE("runs: a model id that is paired anew begins a new run") {
    FactLog log;
    for (int i = 0; i < 9; ++i) {
        log.at(i * 2000).state(execution(36, i < 4 ? 1 : 2));
    }
    CHECK(kept_of({log}) == "1, 4, 5, 9");
}

TEST_CASE("runs: the end of a model begins a new run") {
    FactLog log;
    for (int i = 0; i < 7; ++i) {
        log.at(i * 2000).state(i == 3 ? end_of_model(5) : graph_of_model(5, 8));
    }
    CHECK(kept_of({log}) == "1, 3, 4, 5, 7");
}
