// Runs and launches that lie in several logs and maps.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "joined_logs.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

LogText debug_log(std::int64_t begin, std::string_view op) {
    return LogText(7100)
        .at(begin)
        .ge("Init", "begin")
        .at(begin + 500)
        .save_dump_task(op, 21, 6)
        .at(begin + 30'000)
        .ge("Run", "end");
}

LogText run_log(std::int64_t begin, std::string_view model) {
    return LogText(7100).at(begin + 400).bind(3, 21, model);
}

}  // namespace

TEST_CASE("joined runs: a run that begins between two maps") {
    Logs logs;
    const std::string first_debug = logs.add("debug/plog/plog-7100_1.log", debug_log(0, "old/Add"));
    const std::string first_run = logs.add("run/plog/plog-7100_1.log", run_log(0, "old_net"));
    const std::string second_debug = logs.add("debug/plog/plog-7100_2.log", debug_log(60'000, "new/Mul"));
    const std::string second_run = logs.add("run/plog/plog-7100_2.log", run_log(60'000, "new_net"));
    const std::string first = logs.save({first_debug, first_run}), second = logs.save({second_debug, second_run});
    const std::string both = logs.save({first, second});
    for (const std::vector<std::string>& read :
         {std::vector{first_debug, first_run, second_debug, second_run}, std::vector{first, second}, std::vector{both},
          std::vector{both, second}, std::vector{first, second_debug, second_run}}) {
        CHECK(operator_in(read, {21, 6, 3}, 20'000) == "old/Add|-|-|exact");
        CHECK(operator_in(read, {21, 6, 3}, 80'000) == "new/Mul|-|-|exact");
    }
}

TEST_CASE("joined runs: the new run shows by a stream that nobody asks for") {
    Logs logs;
    const std::string first = logs.save(
        {logs.add("plog-7100_1.log", LogText(7100).at(0).set_up_stream(50).set_up_stream(21).bind(3, 21).save_dump_task(
                                         "old/Add", 21, 6))});
    const std::string again =
        logs.add("plog-7100_2.log", LogText(7100).at(60'000).set_up_stream(50).at(90'000).ge("Run", "x"));
    const std::string second = logs.save({again});
    CHECK(operator_in({first, second}, {21, 6, 3}, 10'000) == "old/Add|-|-|exact");
    CHECK(operator_in({first, second}, {21, 6, 3}, 70'000).rfind("none", 0) == 0);
    CHECK(operator_in({first, again}, {21, 6, 3}, 70'000).rfind("none", 0) == 0);
}

TEST_CASE("joined runs: maps of a log that goes on are one run") {
    Logs logs;
    const std::string first = logs.save({logs.add("plog-7100_1.log", LogText(7100)
                                                                         .at(0)
                                                                         .set_up_stream(50)
                                                                         .set_up_stream(21)
                                                                         .bind(3, 21)
                                                                         .save_dump_task("net/Add", 21, 6)
                                                                         .at(30'000)
                                                                         .ge("Run", "x"))});
    // Rotation takes a millisecond; the release of stream 50 was lost.
    const std::string second =
        logs.save({logs.add("plog-7100_2.log", LogText(7100).at(30'001).set_up_stream(50).at(90'000).ge("Run", "x"))});
    CHECK(operator_in({first, second}, {21, 6, 3}, 70'000) == "net/Add|-|-|exact");
}

TEST_CASE("joined runs: a pause between two maps is reported as between two logs") {
    Logs logs;
    const std::string first = logs.save({logs.add("plog-7100_1.log", debug_log(0, "net/Add"))});
    const std::string second =
        logs.save({logs.add("plog-7100_2.log", debug_log(100'000, "net/Mul").at(140'000).ge("Run", "x"))});
    const std::string third = logs.save({logs.add(
        "plog-7100_3.log", LogText(7100).at(210'000).save_dump_task("net/Relu", 9, 9).at(220'000).ge("Run", "x"))});
    CHECK(operator_in({first, second, third}, {21, 6}, 120'000) == "net/Mul|-|-|exact");
    CHECK(operator_in({first, second, third}, {21, 6}, 215'000) == "net/Mul|-|-|type, warning run_unclear");
}

TEST_CASE("joined runs: what is missing in one map is no new run where another map has it") {
    Logs logs;
    const std::string first = logs.add("plog-7100_1.log", LogText(7100)
                                                              .at(0)
                                                              .set_up_stream(50)
                                                              .set_up_stream(21)
                                                              .bind(3, 21)
                                                              .save_dump_task("net/Add", 21, 6)
                                                              .at(30'000)
                                                              .ge("Run", "x"));
    const std::string filling =
        logs.add("plog-7100_2.log", LogText(7100).at(30'001).ge("Run", "x").at(60'000).ge("Run", "x"));
    const std::string ending =
        logs.add("plog-7100_2b.log", LogText(7100).at(30'001).free_stream(50).at(40'000).ge("Run", "x"));
    const std::string third =
        logs.add("plog-7100_3.log", LogText(7100).at(60'001).set_up_stream(50).at(90'000).ge("Run", "x"));
    const std::string parts = logs.save({first, third});
    CHECK(operator_in({parts}, {21, 6, 3}, 70'000).rfind("none", 0) == 0);
    CHECK(operator_in({parts, logs.save({filling})}, {21, 6, 3}, 70'000) == "net/Add|-|-|exact");
    CHECK(operator_in({parts, logs.save({ending})}, {21, 6, 3}, 70'000) == "net/Add|-|-|exact");
}

namespace {

constexpr const char* kFirstLaunch = "debug/plog/plog-5100_20260304100000000.log";
constexpr const char* kSecondLaunch = "debug/plog/plog-5100_20260304100001000.log";

LogText launched() {
    return LogText().at(0).ge("Init", "x").set_up_stream(7).at(10).launch(7, 41, "toy_add");
}

LogText sent(LogText log) {
    return log.at(11).sent(7, 42).at(30'000).ge("Run", "x");
}

/// The launch is under 42, not under the id that its line was printed with.
void check_is_of_42(const std::vector<std::string>& logs_and_maps) {
    CHECK(operator_in(logs_and_maps, {7, 42}, 1000) == "-|-|toy_add|kernel");
    CHECK(operator_in(logs_and_maps, {7, 41}, 1000).rfind("none", 0) == 0);
}

}  // namespace

TEST_CASE("joined launches: a log that was saved before a submit line, and goes on in the same file") {
    Logs logs;
    const std::string begin = logs.save({logs.add(kFirstLaunch, launched())});
    const std::string log = logs.add(kFirstLaunch, sent(launched()));
    const std::string full = logs.save({log});
    for (const std::vector<std::string>& read :
         {std::vector{log}, std::vector{full}, std::vector{begin, log}, std::vector{begin, full},
          std::vector{logs.save({begin, log})}, std::vector{logs.save({begin, full})}}) {
        check_is_of_42(read);
    }
}

TEST_CASE("joined launches: a log that was saved before a submit line, and goes on in the next file") {
    Logs logs;
    const std::string first = logs.add(kFirstLaunch, launched());
    const std::string begin = logs.save({first});
    const std::string second = logs.add(kSecondLaunch, sent(LogText()));
    const std::string full = logs.save({first, second});
    for (const std::vector<std::string>& read :
         {std::vector{first, second}, std::vector{begin, first, second}, std::vector{begin, full},
          std::vector{logs.save({begin, first, second})}}) {
        check_is_of_42(read);
    }
}

TEST_CASE("joined launches: another launch of the thread takes the place of one that was not sent") {
    Logs logs;
    const std::string begin = logs.save({logs.add(kFirstLaunch, launched())});
    const std::string log =
        logs.add(kFirstLaunch, launched().at(12).launch(7, 41, "toy_mul").sent(7, 42).at(30'000).ge("R", "x"));
    for (const std::vector<std::string>& read : {std::vector{log}, std::vector{begin, log}}) {
        CHECK(operator_in(read, {7, 42}, 1000) == "-|-|toy_mul|kernel");
        CHECK(operator_in(read, {7, 41}, 1000).rfind("none", 0) == 0);
    }
}

TEST_CASE("joined launches: one that no source confirms stays, another log may confirm one that only the map has") {
    Logs logs;
    const std::string begin = logs.save({logs.add(kFirstLaunch, launched())});
    const std::string unsent = logs.add(kFirstLaunch, launched().at(30'000).ge("Run", "x"));
    CHECK(operator_in({begin, unsent}, {7, 41}, 1000) == "-|-|toy_add|kernel");
    const std::string second = logs.add(kSecondLaunch, sent(LogText()));
    check_is_of_42({begin, second});
    check_is_of_42({begin, logs.save({second})});
    check_is_of_42({begin, logs.add(kFirstLaunch, sent(LogText()))});  // its begin is gone
}
