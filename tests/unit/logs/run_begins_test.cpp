// Two runs in one folder of logs whose process ids are equal, as containers have them that are started again.
#include <doctest/doctest.h>

#include <string>

#include "golden_log.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* first_debug = "debug/plog/plog-7100_20260304100000000.log";
constexpr const char* first_run = "run/plog/plog-7100_20260304100000000.log";
constexpr const char* second_debug = "debug/plog/plog-7100_20260304100100000.log";
constexpr const char* second_run = "run/plog/plog-7100_20260304100100000.log";

/// A process that loads a model and crashes: nothing is unbound or released.
std::string debug_log(std::int64_t begin, std::string_view op, std::int64_t end) {
    LogText log(7100);
    log.at(begin).ge("Init", "begin").at(begin + 500).save_dump_task(op, 21, 6).at(end).ge("Run", "end");
    return log.text();
}

std::string run_log(std::int64_t begin, std::string_view model) {
    LogText log(7100);
    log.at(begin).runtime("Init", "begin").at(begin + 400).bind(3, 21, model);
    return log.text();
}

}  // namespace

TEST_CASE("runs: the second run binds the same stream to the same model: its own lines count") {
    const std::vector<LogFile> files{{first_debug, debug_log(0, "old/Add", 30'000)},
                                     {first_run, run_log(0, "old_net")},
                                     {second_debug, debug_log(60'000, "new/Mul", 90'000)},
                                     {second_run, run_log(60'200, "new_net")}};
    const Location first = located(files, {21, 6, 3}, 20'000), second = located(files, {21, 6, 3}, 70'000);
    CHECK(shown(first.op) == "old/Add|-|-|exact");
    CHECK(shown(first.model) == "old_net|3|-|-");
    CHECK(candidates_of(first).empty());
    CHECK(shown(second.op) == "new/Mul|-|-|exact");
    CHECK(shown(second.model) == "new_net|3|-|-");
    CHECK(candidates_of(second).empty());
    CHECK(remarks_of(second).empty());
}

TEST_CASE("runs: the new run begins with the first line of all its files, the old one ends with the last of its own") {
    LogText debug(7100);
    debug.at(60'000).save_dump_task("new/Mul", 21, 6).at(90'000).ge("Run", "end");
    const std::vector<LogFile> files{{first_debug, debug_log(0, "old/Add", 30'000)},
                                     {first_run, run_log(0, "old_net")},
                                     {second_debug, debug.text()},
                                     {second_run, run_log(65'000, "new_net")}};
    CHECK(shown(located(files, {21, 6, 3}, 29'000).op) == "old/Add|-|-|exact");
    CHECK(shown(located(files, {21, 6, 3}, 70'000).op) == "new/Mul|-|-|exact");
    CHECK(candidates_of(located(files, {21, 6, 3}, 70'000)).empty());
}

TEST_CASE("runs: what only the first run told is no answer for the second") {
    LogText debug(7100), again(7100);
    debug.at(0)
        .set_up_stream(21)
        .set_up_stream(50)
        .bind(3, 21)
        .save_dump_task("old/Add", 21, 6)
        .at(30'000)
        .ge("Run", "x");
    again.at(60'000).set_up_stream(50).save_dump_task("new/Mul", 50, 6).at(90'000).ge("Run", "x");
    const std::vector<LogFile> files{{first_debug, debug.text()}, {second_debug, again.text()}};
    CHECK(shown(located(files, {21, 6, 3}, 70'000).op) == "none");
    CHECK(shown(located(files, {50, 6}, 70'000).op) == "new/Mul|-|-|exact");
}

TEST_CASE("runs: a log that goes on in a further file is one run, also where a release was lost") {
    LogText debug(7100), further(7100);
    debug.at(0)
        .set_up_stream(21)
        .set_up_stream(50)
        .bind(3, 21)
        .save_dump_task("net/Add", 21, 6)
        .at(30'000)
        .ge("Run", "x");
    further.at(30'001).set_up_stream(50).at(90'000).ge("Run", "x");
    const std::vector<LogFile> files{{first_debug, debug.text()}, {second_debug, further.text()}};
    const Location location = located(files, {21, 6, 3}, 70'000);
    CHECK(shown(location.op) == "net/Add|-|-|exact");
    CHECK(remarks_of(location).empty());
}

TEST_CASE("runs: where nothing tells whether a new run began behind a pause, a remark says so") {
    LogText debug(7100), further(7100);
    debug.at(0).set_up_stream(21).bind(3, 21).save_dump_task("net/Add", 21, 6).at(30'000).ge("Run", "x");
    further.at(100'000).ge("Run", "x").at(110'000).ge("Run", "x");
    const std::vector<LogFile> files{{first_debug, debug.text()}, {second_debug, further.text()}};
    const Location location = located(files, {21, 6, 3}, 105'000);
    CHECK(shown(location.op) == "net/Add|-|-|exact");
    CHECK(remarks_of(location) == "warning run_unclear");
    CHECK(message_of(location, "run_unclear").find("plog-7100_20260304100100000.log") != std::string::npos);
    CHECK(remarks_of(located(files, {21, 6, 3}, 20'000)).empty());
}
