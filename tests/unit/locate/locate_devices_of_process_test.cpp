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

TEST_CASE(
    "devices of a process: which of GE's models is executed, the thread tells that set streams up on one device") {
    const auto execute = [](LogText& log, const Load& load) -> LogText& {
        log.thread(load.thread).ge("Run", fmt::format("rtModelExecute start, model id:{}.", ge_model(load)));
        log.runtime("ModelExecute", fmt::format("model_id=3, stream_id={}, flag=0.", 136 + load.device));
        return log.ge("PrintDynamicType", fmt::format("current execute mode is dynamic in process, model id = {}, "
                                                      "model_name = {}.",
                                                      ge_model(load), load.name));
    };
    const auto log_of = [&execute](const Load& a, const Load& b) {
        LogText log(100);
        set_up(log.at(0), a);
        set_up(log.at(10), b);
        task(log.at(20), a);
        task(log.at(30), b);
        execute(log.at(40), a);
        execute(log.at(50), b);
        return log;
    };
    for (const LogText& log : {log_of(first, second), log_of(second, first)}) {
        CHECK(answer(log, first) == of_first);
        CHECK(answer(log, second) == of_second);
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

TEST_CASE("devices of a process: the end of a model on whichever device ends both") {
    LogText by_other = two_loads(first, second);
    alive(destroy(by_other.thread(700)));
    LogText by_both = two_loads(first, second);  // the thread has set streams up on either
    alive(destroy(by_both.thread(first.thread).at(5000).set_up_stream(30, second.device)));
    for (const LogText& log : {by_other, by_both}) {
        CHECK(answer(log, first).starts_with("none"));
        CHECK(answer(log, second).starts_with("none"));
    }
}

TEST_CASE("devices of a process: each thread is known that sets streams up on a device, not the first one alone") {
    LogText log(100);
    log.at(0).thread(600).set_up_stream(40, first.device).set_up_stream(41, second.device);
    for (const Load& load : {first, second}) {
        task(ge_set_up(set_up(log.at(10), load), load), load);
        metrics(log, load);
    }
    alive(destroy(log.thread(second.thread)));
    CHECK(answer(log, first) == of_first);
    CHECK(answer(log, second).starts_with("none"));
}

TEST_CASE("devices of a process: threads and devices of another run of the process id are others") {
    const Load first_run{501, 0, 21, "net_a"}, second_run{600, 1, 21, "net_b"};
    constexpr int behind_ms = 3'600'000;
    const auto run = [](LogText log, const Load& load) { return task(ge_set_up(set_up(log, load), load), load); };
    const LogText before = run(LogText(100).at(0), first_run);
    const auto ends_by = [&](int thread, int device) {
        LogText again = run(LogText(100).at(behind_ms), second_run);
        again.at(behind_ms + 500).thread(600).set_up_stream(40, device);
        return again.at(behind_ms + 1000).thread(thread).runtime("ModelDestroy", "model_id=3.");
    };
    Dump dump = dump_of({21, 118, 3}, behind_ms + overflow_ms);
    dump.path_ids.device_id = second_run.device;
    const auto answer_of = [&](LogText again) {
        Logs logs;
        const std::string old_file = logs.add("plog-100_20260304100000000.log", before);
        const std::string file =
            logs.add("plog-100_20260304110000000.log", again.at(behind_ms + 60'000).ge("Run", "alive"));
        const std::string old_map = logs.save({old_file}), map = logs.save({file}), both = logs.save({old_map, map});
        const std::string found = operator_in({old_file, file}, dump);
        for (const auto& read : {std::vector{old_map, map}, std::vector{old_map, file}, std::vector{both}}) {
            CHECK(operator_in(read, dump) == found);
        }
        return found;
    };
    // In the first run the thread worked on device 0; in the second one it may work on any.
    CHECK(answer_of(ends_by(501, 1)).starts_with("none"));
    CHECK(answer_of(ends_by(501, 0)).starts_with("none"));
    // What the threads of the second run set up counts, also where a thread of that number did so in the first one.
    const auto by_own = [&](LogText again) {
        again.at(behind_ms + 500).thread(501).set_up_stream(41, first_run.device);
        return again.at(behind_ms + 1000).runtime("ModelDestroy", "model_id=3.");
    };
    CHECK(answer_of(by_own(run(LogText(100).at(behind_ms), second_run))).starts_with("net_b/Exp|-|-|exact"));
}

TEST_CASE("devices of a process: GE's number of the only device may be another one than the runtime's") {
    LogText log(100);
    const Load on_three{501, 3, 21, "net_a"};
    set_up(log.at(0), on_three);
    task(log.at(10), on_three);
    metrics(log.at(20), first);  // ASCEND_RT_VISIBLE_DEVICES=3, and no line states it
    CHECK(answer(log, on_three) == "net_a/Exp|-|-|exact of net_a|3|-|-");
}

TEST_CASE("devices of a process: GE's numbers of several devices are the runtime's only where none may be shifted") {
    // ASCEND_RT_VISIBLE_DEVICES=2,3 and 1,2, and no line states it; in each, GE's lines have 0 and 1. Loaded by the
    // threads that set the streams up, and by others.
    for (const int lowest : {2, 1}) {
        for (const int further : {0, 100}) {
            const Load low{501, lowest, 21, "net_a"}, high{502, lowest + 1, 22, "net_b"};
            const Load as_zero{501 + further, 0, 21, "net_a"}, as_one{502 + further, 1, 22, "net_b"};
            LogText log(100);
            set_up(log.at(0), low);
            set_up(log.at(10), high);
            metrics(task(log.at(20), low).at(21), as_zero);
            metrics(task(log.at(30), high).at(31), as_one);
            CHECK(answer(log, low) == "net_a/Exp|-|-|exact of net_a|3|-|-");
            CHECK(answer(log, high) == "net_b/Exp|-|-|exact of net_b|3|-|-");
        }
    }
}

TEST_CASE("devices of a process: GE's numbers are the runtime's where streams are set up on all devices up to them") {
    LogText log(100);
    set_up(log.at(0), first);
    set_up(log.at(10), second);
    task(log.at(20), first);
    metrics(log.at(21), {601, 1, 22, "net_b"});  // nearer than that of its own model
    metrics(log.at(29), {602, 0, 21, "net_a"});
    task(log.at(30), second);
    CHECK(answer(log, first) == "net_a/Exp|-|-|exact of net_a|3|-|-");
    CHECK(answer(log, second) == "net_b/Exp|-|-|exact of net_b|3|-|-");
}

TEST_CASE("devices of a process: a device is known also where more threads set streams up than are reported apart") {
    LogText many(100);
    for (int i = 0; i < 1100; ++i) {
        many.at(0).thread(1000 + i).set_up_stream(100 + i, first.device);
    }
    many.thread(501).set_up_stream(9000, second.device);
    alive(task(many.at(10), second));  // on a stream whose set-up is lost
    LogText other(101);
    alive(other.at(0).set_up_stream(21, first.device).save_dump_task("net_other/Exp", second.stream, 118));
    Logs logs;
    const std::vector files{logs.add("plog-100_20260304100000000.log", many),
                            logs.add("plog-101_20260304100000000.log", other)};
    CHECK(operator_in(files, dump_on(second)).starts_with("net_b/Exp|-|-|exact"));
    CHECK(candidates_of(located_in(files, dump_on(second), true)).empty());  // the other process is on another device
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
