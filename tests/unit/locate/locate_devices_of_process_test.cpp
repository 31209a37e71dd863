// One process that works on two devices: streams, their tasks and the runtime's models have equal numbers on each, and
// most lines on models name no device.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "joined_logs.hpp"
#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr int overflow_ms = 20'000;

/// What one thread of the process loads: on each device a model of its own.
struct Load {
    int thread;
    int device;
    int stream;
    std::string_view name;
};
constexpr Load first{501, 0, 21, "net_a"};
constexpr Load second{502, 1, 22, "net_b"};
constexpr Load second_of_equal_stream{502, 1, 21, "net_b"};

int ge_model(const Load& load) {
    return load.device + 5;
}

LogText& set_up(LogText& log, const Load& load) {
    return log.thread(load.thread).set_up_stream(load.stream, load.device).bind(3, load.stream);
}
LogText& ge_set_up(LogText& log, const Load& load) {
    return log.thread(load.thread)
        .ge("InitRuntimeResource", fmt::format("Logical stream index: 0, rtstream: {}, model: {}, stream flag: 256.",
                                               load.stream, ge_model(load)));
}
LogText& task(LogText& log, const Load& load) {
    return log.thread(load.thread).save_dump_task(fmt::format("{}/Exp", load.name), load.stream, 118);
}
LogText& metrics(LogText& log, const Load& load) {
    return log.thread(load.thread)
        .ge("Init", fmt::format("model_metrics:name={}, alloc_dev_mem=1 B, shared_dev_mem=0 B, device_id={}, "
                                "rts_model_id=3",
                                load.name, load.device));
}

/// Both threads at the same time, line by line.
LogText two_loads(const Load& a, const Load& b) {
    LogText log(100);
    std::int64_t at = 0;
    for (auto* const step : {set_up, ge_set_up, task, metrics}) {
        step(log.at(at += 10), a);
        step(log.at(at += 10), b);
    }
    return log;
}

Dump dump_on(const Load& load) {
    Dump dump = dump_of({static_cast<std::uint64_t>(load.stream), 118, 3}, overflow_ms);
    dump.path_ids.device_id = load.device;
    return dump;
}

/// By the whole log, by what is read of it for this dump alone, and by a saved map: they must not differ.
std::string answer(const LogText& log, const Dump& dump) {
    Logs logs;
    const std::string file = logs.add("plog-100_20260304100000000.log", log);
    const auto by = [&dump](const std::string& path, bool reads_all) {
        const Location location = located_in({path}, dump, reads_all);
        CHECK(candidates_of(location).empty());
        return shown(location.op) + " of " + shown(location.model);
    };
    const std::string whole = by(file, true);
    const std::string map = logs.save({file});
    CHECK(by(file, false) == whole);
    CHECK(by(map, true) == whole);
    CHECK(by(map, false) == whole);
    return whole;
}

std::string answer(const LogText& log, const Load& load) {
    return answer(log, dump_on(load));
}

constexpr std::string_view of_first = "net_a/Exp|-|-|exact of net_a|3|5|-";
constexpr std::string_view of_second = "net_b/Exp|-|-|exact of net_b|3|6|-";

LogText& destroy(LogText& log) {
    return log.at(10'000).runtime("ModelDestroy", "model_id=3.");
}
LogText& free_id(LogText& log, int device) {
    return log.at(10'001).runtime("ModelIdFree", fmt::format("Succ, deviceId={}, id=3, tsId=0.", device));
}
LogText& alive(LogText& log) {
    return log.thread(1).at(60'000).ge("Run", "alive");
}

LogText& reports(LogText& log, int device) {
    return log.thread(700)
        .at(overflow_ms + 500)
        .runtime("ProcLogicCqReport",
                 fmt::format("CQE warning, device_id={}, stream_id=21, task_id=118, sqe_type=0(aicore), "
                             "errType=0x1(x), sqSwStatus=0x2f",
                             device),
                 "WARNING");
}

}  // namespace

TEST_CASE("devices of a process: the name of the runtime's model is that of the model on the task's device") {
    for (const LogText& log : {two_loads(first, second), two_loads(second, first)}) {
        CHECK(answer(log, first) == of_first);
        CHECK(answer(log, second) == of_second);
    }
}

TEST_CASE("devices of a process: GE's set-up of a stream of equal number on the other device is another model's") {
    for (const LogText& log : {two_loads(first, second_of_equal_stream), two_loads(second_of_equal_stream, first)}) {
        CHECK(answer(log, first) == of_first);
        CHECK(answer(log, second_of_equal_stream) == of_second);
    }
}

TEST_CASE("devices of a process: where a model of equal number ends on the other device, this one's goes on") {
    LogText by_thread = two_loads(first, second), by_freed_number = by_thread, whole = by_thread;
    alive(destroy(by_thread.thread(second.thread)));
    alive(free_id(destroy(by_freed_number.thread(700)), second.device));
    alive(free_id(destroy(whole.thread(second.thread).at(9999).unbind(3, second.stream)), second.device));
    for (const LogText& log : {by_thread, by_freed_number, whole}) {
        CHECK(answer(log, first) == of_first);
        CHECK(answer(log, second).starts_with("none"));
        CHECK(remarks_of(locate_in(task_map_of(log), dump_on(first))).empty());
    }
}

TEST_CASE("devices of a process: GE's number of the only device may be another one than the runtime's") {
    LogText log(100);
    const Load on_three{501, 3, 21, "net_a"};
    set_up(log.at(0), on_three);
    task(log.at(10), on_three);
    metrics(log.at(20), first);  // ASCEND_RT_VISIBLE_DEVICES=3, and no line states it
    CHECK(answer(log, on_three) == "net_a/Exp|-|-|exact of net_a|3|-|-");
}

TEST_CASE("devices of a process: the report of an overflow on the other device is none of this one's") {
    LogText log = two_loads(first, second_of_equal_stream);
    const auto map = task_map_of(alive(reports(log, second.device)));
    CHECK(message_of(locate_in(map, dump_on(first)), "overflow_in_log").empty());
    CHECK(!message_of(locate_in(map, dump_on(second_of_equal_stream)), "overflow_in_log").empty());
}

TEST_CASE("devices of a process: what the graph compiler launches on its stream of equal number never runs") {
    const auto compile = [](LogText& log, int thread) -> LogText& {
        log.thread(thread).at(1000).set_up_stream(21, 64).bind(576, 21).launch_2023(21, 118, "00_1_Compile");
        log.at(2000).unbind(576, 21);
        return log.runtime("StreamIdFree", "Stream id free success, stream_id=21, device_id=64, tsId=0");
    };
    const auto real = [](LogText& log) -> LogText& {
        return set_up(log.at(0), first).launch_2023(21, 118, "00_1_Real");
    };
    LogText by_other(100), by_itself(100), single(100);
    compile(real(by_other), 900);
    compile(real(by_itself), first.thread);
    compile(single.at(0).thread(first.thread).set_up_stream(21, 0), first.thread);
    single.at(3000).launch_2023(21, 118, "00_1_Late");  // the compiler has released its own
    CHECK(answer(by_other, first) == "Real|-|00_1_Real|kernel of -|3|-|-");
    CHECK(answer(by_itself, first) == "Real|-|00_1_Real|kernel of -|3|-|-");
    CHECK(answer(single, first).starts_with("Late|-|00_1_Late|kernel"));
    // Not released: by a thread that set the stream up for real as well, a line may be of either.
    LogText open(100), own_open(100);
    real(open).at(1000).thread(900).set_up_stream(21, 64).launch_2023(21, 118, "00_1_Compile");
    own_open.at(0).thread(first.thread).set_up_stream(21, 0).at(1000).set_up_stream(21, 64);
    own_open.at(3000).launch_2023(21, 118, "00_1_Late");
    CHECK(answer(open, first) == "Real|-|00_1_Real|kernel of -|3|-|-");
    CHECK(answer(own_open, first).starts_with("Late|-|00_1_Late|kernel"));
}
