// Statements that two lines of a thread make together.
#include "logs/processes/process_collector.hpp"

#include <string>

#include <doctest/doctest.h>

#include "fact_log.hpp"
#include "log_builder.hpp"

using namespace opdebug::logs;
using namespace opdebug::test;

namespace {

FormatDefinition remembers(const std::string& name, bool once = false) {
    FormatDefinition format;
    format.remembers = name;
    format.once = once;
    return format;
}

FormatDefinition forgets(const std::string& name) {
    FormatDefinition format;
    format.forgets = name;
    return format;
}

FormatDefinition completed_by(const std::vector<std::string>& names) {
    FormatDefinition format;
    format.completed_by = names;
    return format;
}

Fact named(const std::string& op) {
    Fact made = fact(FactKind::part, -1);
    made.operator_name = op;
    return made;
}

Fact ge_model_run(std::uint64_t model) {
    Fact made = fact(FactKind::part, -1);
    made.ge_model_id = model;
    return made;
}

/// "7/2 op (model 3), ..." for each operator line.
std::string operators_of(const FactLog& log) {
    std::string text;
    const auto map = task_map_of({log});
    for (const Process& process : map->contents().processes) {
        for (const StoredFact& stored : process.facts) {
            const Fact& said = stored.fact;
            text += (text.empty() ? "" : ", ") + std::to_string(said.stream_id.value_or(0)) + "/" +
                    std::to_string(said.task_id.value_or(0)) + " " + said.operator_name;
            text += said.ge_model_id ? " (model " + std::to_string(*said.ge_model_id) + ")" : "";
        }
    }
    return text;
}

const Fact nameless = fact(FactKind::operator_of_task, 7, 2);

}  // namespace

TEST_CASE("two lines: the second takes what it lacks from the first of its thread, which is kept as proof") {
    FactLog log;
    log.state(named("a"), remembers("op", true)).state(nameless, completed_by({"op"}));
    CHECK(operators_of(log) == "7/2 a");
    const auto map = task_map_of({log});
    REQUIRE(process_of(*map).facts.size() == 1);
    REQUIRE(process_of(*map).facts[0].completed_by.size() == 1);
    CHECK(process_of(*map).facts[0].completed_by[0].line == 1);
}

TEST_CASE("two lines: without the first, the second states nothing") {
    CHECK(operators_of(FactLog().state(nameless, completed_by({"op"}))).empty());
    CHECK(operators_of(FactLog().state(named("a"), remembers("other")).state(nameless, completed_by({"op"}))).empty());
}

TEST_CASE("two lines: those of another thread are not joined") {
    CHECK(operators_of(FactLog().state(named("a"), remembers("op")).thread(2).state(nameless, completed_by({"op"})))
              .empty());
}

TEST_CASE("two lines: what counts once is gone after its use, else it stays") {
    FactLog once, ever;
    once.state(named("a"), remembers("op", true)).state(nameless, completed_by({"op"}));
    CHECK(operators_of(once.at(2000).state(fact(FactKind::operator_of_task, 7, 3), completed_by({"op"}))) == "7/2 a");
    ever.state(named("a"), remembers("op")).state(nameless, completed_by({"op"}));
    CHECK(operators_of(ever.at(2000).state(fact(FactKind::operator_of_task, 7, 3), completed_by({"op"}))) ==
          "7/2 a, 7/3 a");
}

TEST_CASE("two lines: a thread remembers the latest line of a name, until one that ends it") {
    FactLog log;
    log.state(named("a"), remembers("op")).state(named("b"), remembers("op"));
    CHECK(operators_of(log.state(nameless, completed_by({"op"}))) == "7/2 b");
    FactLog ended;
    ended.state(named("a"), remembers("op")).state(fact(FactKind::part, -1), forgets("op"));
    CHECK(operators_of(ended.state(nameless, completed_by({"op"}))).empty());
}

TEST_CASE("two lines: that tell one thing differently do not belong together") {
    Fact about_8 = named("a");
    about_8.stream_id = 8;
    Fact about_7 = named("b");
    about_7.stream_id = 7;
    CHECK(operators_of(FactLog().state(about_8, remembers("op")).state(nameless, completed_by({"op"}))).empty());
    CHECK(operators_of(FactLog().state(about_7, remembers("op")).state(nameless, completed_by({"op"}))) == "7/2 b");
}

TEST_CASE("two lines: a remembered line that is later belongs to a file of a later time") {
    FactLog debug("debug"), run("run");
    debug.at(5000).state(named("late"), remembers("op"));
    run.at(1000).state(nameless, completed_by({"op"}));
    CHECK(process_of(*task_map_of({debug, run.state(operator_of(1, 1, "x"))})).facts.size() == 1);
}

TEST_CASE("two lines: a complete statement takes further members, and is a statement without them") {
    FactLog log;
    log.state(ge_model_run(3), remembers("run")).state(operator_of(7, 2, "a"), completed_by({"run"}));
    CHECK(operators_of(log) == "7/2 a (model 3)");
    CHECK(operators_of(FactLog().state(operator_of(7, 2, "a"), completed_by({"run"}))) == "7/2 a");
}

TEST_CASE("two lines: three lines can be one statement") {
    FactLog log;
    log.state(named("a"), remembers("op", true)).state(ge_model_run(3), remembers("run"));
    CHECK(operators_of(log.state(nameless, completed_by({"op", "run"}))) == "7/2 a (model 3)");
}

TEST_CASE("two lines: a statement that is remembered counts for itself as well") {
    FactLog log;
    log.state(operator_of(7, 2, "a"), remembers("op"))
        .at(1)
        .state(fact(FactKind::operator_of_task, 7, 3), completed_by({"op"}));
    CHECK(operators_of(log) == "7/2 a");  // the second shows another task, so nothing is used
}

TEST_CASE("two lines: a launch line takes the model and its submit line the task id") {
    FactLog log;
    log.state(ge_model_run(3), remembers("run")).state(launch(46, 0, "K"), completed_by({"run"})).state(submit(46, 9));
    const auto map = task_map_of({log});
    CHECK(kernels_in(*map) == "46/9 K");
    CHECK(process_of(*map).facts.front().fact.ge_model_id == std::uint64_t{3});
}
