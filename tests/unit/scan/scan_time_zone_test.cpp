// The zone of a tree's dumps: the first dump below a time folder shows it for all of them.
#include <doctest/doctest.h>

#include <filesystem>

#include <fmt/format.h>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "scan/dump_tree.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t minute_ms = 60'000;
/// Of the logs, which cover 10:00 to 15:00 with one execution of the dumps' task each minute.
constexpr std::int64_t ahead_of_utc_ms = 8 * 60 * minute_ms;

std::shared_ptr<const TaskMap> log_of_five_hours() {
    LogText log;
    for (int minute = 0; minute < 300; ++minute) {
        log.at(minute * minute_ms).launch_2023(563, 57, fmt::format("0_0_0_at_{}", minute));
    }
    return task_map_of(log);
}

/// A dump of half a minute after that minute of the logs.
std::string write_dump(const std::string& folder, int minute) {
    const std::int64_t written_us = log_time_us(minute * minute_ms + 30'000 - ahead_of_utc_ms);
    const std::string file = fmt::format("{}/Opdebug.Node_OpDebug.57.563.{}", folder, written_us);
    write_file(file, build_overflow_dump(ai_core_example()));
    return file;
}

/// On a machine in UTC.
ScanOptions with_log(const std::shared_ptr<const TaskMap>& log) {
    ScanOptions options;
    options.locate.task_map = log;
    return options;
}

std::string kernel_of(const ScannedDump& scanned) {
    return scanned.location.op ? scanned.location.op->best.kernel.value_or("-") : "none";
}

}  // namespace

TEST_CASE("scan time zone: a first dump right after the time folder tells the zone of those of hours later") {
    const TemporaryDirectory directory;
    const std::string time_folder = directory / "20260304100100";  // a minute after the begin of the log
    write_dump(time_folder + "/0/net/1/0", 1);
    const std::string late = write_dump(time_folder + "/0/net/1/44", 200);
    write_dump(time_folder + "/1/net/1/60", 250);
    const auto log = log_of_five_hours();

    ScanOptions options = with_log(log);
    const auto tree = find_dump_tree({directory.path().string()}, options);
    REQUIRE(tree);
    options.locate.clocks = estimate_clocks(wanted_tasks(*tree, options)->dumps, options.locate);
    const Scanned scanned = scan_tree({directory.path().string()}, options);
    REQUIRE(scanned.dumps.size() == 3);
    CHECK(kernel_of(scanned.dumps[0]) == "0_0_0_at_1");
    CHECK(kernel_of(scanned.dumps[1]) == "0_0_0_at_200");
    CHECK(kernel_of(scanned.dumps[2]) == "0_0_0_at_250");
    for (const ScannedDump& dump : scanned.dumps) {
        CHECK(dump.location.op->candidates.empty());
        CHECK(contains(message_of(dump.location, "time_zone"), "UTC+08:00 (from the time folder"));
    }
    CHECK(contains(message_of(scanned.dumps[1].location, "time_zone"), "and the first dump in it"));

    // Alone it may be of several zones.
    const Scanned alone = scan_tree({late}, with_log(log));
    REQUIRE(alone.dumps.size() == 1);
    CHECK(alone.dumps[0].location.op->candidates.size() > 1);
}
