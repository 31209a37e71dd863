// Device logs are in another zone than the host's: those of a run that began behind the overflow are told by its host.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t device_log_minute = 60'000;
constexpr std::int64_t behind_host = 6 * 60 * device_log_minute;  ///< the clock of devices
constexpr std::int64_t overflow = 10 * device_log_minute;

/// A host process that logs from one time to another.
std::string host(int pid, std::int64_t begin, std::int64_t end) {
    return LogText(pid).at(begin).ge("Init", "begin").at(end).ge("Run", "alive").text();
}

/// Its device log, which names the operator at the same time.
std::string device_log(std::string_view op, std::int64_t begin) {
    return LogText(990)
        .at(begin - behind_host)
        .device("Load", fmt::format("[stream id:21, task id:13, context id:65535] op name[{}], op type[Mul]", op))
        .text();
}

LogFileText plog(int pid, const std::string& text, const std::string& root = "log") {
    return {fmt::format("{}/debug/plog/plog-{}_1.log", root, pid), text};
}

LogFileText device_file(int device, int pid, const std::string& text, const std::string& root = "log") {
    return {fmt::format("{}/debug/device-{}/device-{}_1.log", root, device, pid), text};
}

std::string answers(const std::vector<LogFileText>& files, std::int64_t at = overflow) {
    Dump dump = dump_of({21, 13}, at);
    dump.path_ids.device_id = 0;
    const Location location = locate_in(map_of_files(files), dump);
    return location.op && location.op->candidates.empty() ? shown(location.op) : candidates_of(location);
}

// The first run's process id is the higher one: process ids begin anew.
const LogFileText first_host = plog(900, host(900, 0, 15 * device_log_minute));
const LogFileText first_device = device_file(0, 900, device_log("first/op", 1000));
const LogFileText later_host = plog(100, host(100, 20 * device_log_minute, 40 * device_log_minute));
const LogFileText later_device = device_file(0, 100, device_log("later/op", 20 * device_log_minute + 1000));

constexpr std::string_view both = "later/op|Mul|-|exact; first/op|Mul|-|exact";

}  // namespace

TEST_CASE("later runs: the device log of a run that began behind the overflow does not answer") {
    CHECK(answers({first_host, first_device, later_host, later_device}) == "first/op|Mul|-|exact");
}

TEST_CASE(
    "later runs: it answers where no other's host logs at that time, for older files may have been rotated away") {
    CHECK(answers({later_host, later_device}) == "later/op|Mul|-|exact");
    CHECK(answers({first_host, later_host, later_device}) == "later/op|Mul|-|exact");
    CHECK(answers({first_device, later_host, later_device}) == both);
    CHECK(answers({plog(900, host(900, 0, 5 * device_log_minute)), first_device, later_host, later_device}) == both);
}

TEST_CASE("later runs: processes beside each other, as of two containers with one log folder, are both possible") {
    CHECK(answers({plog(900, host(900, 0, 25 * device_log_minute)), first_device, later_host, later_device}) == both);
}

TEST_CASE("later runs: processes of two hosts are no runs one after the other") {
    const LogFileText later_host_elsewhere =
        plog(100, host(100, 20 * device_log_minute, 40 * device_log_minute), "node1");
    const LogFileText later_device_elsewhere =
        device_file(0, 100, device_log("later/op", 20 * device_log_minute + 1000), "node1");
    CHECK(answers({first_host, first_device, later_host_elsewhere, later_device_elsewhere}) == both);
}

TEST_CASE("later runs: one that begins within ten seconds behind the dump is possible, for clocks differ") {
    const auto with_begin = [](std::int64_t behind) {
        return answers({plog(900, host(900, 0, overflow - 1000)), first_device,
                        plog(100, host(100, overflow + behind, 40 * device_log_minute)), later_device});
    };
    CHECK(with_begin(10'000) == both);
    CHECK(with_begin(10'001) == "first/op|Mul|-|exact");
}
