// One rank's lines on the task are missing: what ranks on other devices state about a task of that number is not its.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr int overflow_ms = 30'000;

/// A process whose log goes on until the overflow and later.
LogText alive(LogText log) {
    log.at(overflow_ms + 10'000).ge("Run", "alive");
    return log;
}

/// A rank that shows its task: node "net/r<device>".
LogText whole_rank(int pid, int device) {
    LogText log(pid);
    log.at(1000).set_up_stream(21, device).bind(3, 21, "bert").save_dump_task(fmt::format("net/r{}", device), 21, 13);
    return alive(log);
}

Dump dump_of_device(std::optional<std::uint64_t> device) {
    Dump dump = dump_of({21, 13, 3}, overflow_ms);
    dump.path_ids.device_id = device;
    return dump;
}

/// The answer for device 1, where process 20 is the one whose lines are missing.
Location with_rank_one(const LogText& rank, const Dump& dump = dump_of_device(1)) {
    return locate_in(task_map_of({whole_rank(10, 0).text(), rank.text(), whole_rank(30, 2).text()}), dump);
}

constexpr std::string_view others = "net/r0|-|-|type; net/r2|-|-|type";

}  // namespace

TEST_CASE("other devices: a process whose device no line tells may be the dump's, and answers") {
    LogText unknown(40), rank(20);
    unknown.at(1000).bind(3, 21, "bert").save_dump_task("net/unknown", 21, 13);
    rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    const auto map = task_map_of({whole_rank(10, 0).text(), alive(rank).text(), alive(unknown).text()});
    CHECK(shown(locate_in(map, dump_of_device(1)).op) == "net/unknown|-|-|exact");
    CHECK(candidates_of(locate_in(map, dump_of_device(1))).empty());
}

TEST_CASE("other devices: the log of the dump's device answers for the rank") {
    LogText rank(20), device(7);
    rank.at(1000).set_up_stream(21, 1).bind(3, 21, "bert");
    device.at(1500).device("Load", "[stream id:21, task id:13, context id:65535] op name[net/r1], op type[Mul]");
    const auto map = map_of_files({{"log/debug/plog/plog-10_1.log", whole_rank(10, 0).text()},
                                   {"log/debug/plog/plog-20_1.log", alive(rank).text()},
                                   {"log/debug/device-1/device-20_1.log", device.text()}});
    const Location location = locate_in(map, dump_of_device(1));
    CHECK(shown(location.op) == "net/r1|Mul|-|exact");
    CHECK(location.op->candidates.empty());
    // That of another device is not used, either; one remark states all.
    const auto of_another = map_of_files({{"log/debug/plog/plog-10_1.log", whole_rank(10, 0).text()},
                                          {"log/debug/plog/plog-20_1.log", alive(rank).text()},
                                          {"log/debug/device-0/device-10_1.log", device.text()}});
    CHECK(shown(locate_in(of_another, dump_of_device(1)).op) == "none");
}

TEST_CASE("other devices: where a process works on the dump's device, lines of others are of other dumps") {
    LogText rank(20);
    rank.at(1000).set_up_stream(22, 1);
    const Location location = with_rank_one(alive(rank));
    CHECK(shown(location.op) == "none");
    CHECK(message_of(location, "uses_excluded").find("device contradicts") != std::string::npos);
    CHECK(shown(with_rank_one(alive(rank), dump_of_device(0)).op) == "net/r0|-|-|exact");
    CHECK(candidates_of(with_rank_one(alive(rank), dump_of_device(std::nullopt))) == others);
}
