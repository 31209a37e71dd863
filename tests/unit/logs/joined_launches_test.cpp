// A map made between a launch and the submit line that gives its final task id, next to logs and maps that have both.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "joined_logs.hpp"

using namespace opdebug;
using namespace opdebug::test;

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
