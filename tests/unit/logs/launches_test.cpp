// Launch lines without a final task id: which submit line decides them, and what counts without one.
#include "logs/processes/launches.hpp"

#include <string>

#include <doctest/doctest.h>

#include "fact_log.hpp"
#include "log_builder.hpp"
#include "logs/processes/builder.hpp"
#include "match_lines.hpp"

using namespace opdebug::logs;
using namespace opdebug::test;

namespace {

std::string kernels_of(const FactLog& log) {
    return kernels_in(*task_map_of({log}));
}

Fact submit_950(int stream, int position, std::uint64_t number) {
    Fact made = submit(stream, position);
    made.task_sn = number;
    return made;
}

Fact capture(FactKind kind, int origin, int stream) {
    Fact made = fact(kind, stream);
    made.origin_stream_id = static_cast<std::uint64_t>(origin);
    return made;
}

Fact renumbering(int stream, int from, int to) {
    Fact made = fact(FactKind::task_renumbered, stream, to);
    made.previous_task_id = static_cast<std::uint64_t>(from);
    return made;
}

}  // namespace

TEST_CASE("launch: without any submit line of the process 0 is kept and marked, other ids count") {
    CHECK(kernels_of(FactLog().state(launch(46, 0, "A"))) == "46/0? A");
    CHECK(kernels_of(FactLog().state(launch(46, 0, "A")).at(1).state(launch(46, 7, "B"))) == "46/0? A, 46/7 B");
}

TEST_CASE("launch: without any submit line a launch without task id says nothing") {
    CHECK(kernels_of(FactLog().state(launch(46, -1, "A"))).empty());
    CHECK(kernels_of(FactLog().state(launch(46, -1, "A")).state(launch(46, -1, "B"))).empty());
}

TEST_CASE("launch: where submit lines are logged, the last launch of a thread counts and is marked") {
    FactLog log;
    log.state(launch(46, 0, "A")).state(submit(46, 3)).at(1).state(launch(46, 9, "Failed"));
    log.at(2).state(launch(46, 9, "Last"));
    CHECK(kernels_of(log) == "46/3 A, 46/9? Last");
}

TEST_CASE("launch: submit lines of another thread tell that the process logs them") {
    FactLog log;
    log.thread(1).state(launch(46, 4, "Failed")).state(launch(46, 5, "A"));
    log.thread(2).state(submit(47, 1));
    CHECK(kernels_of(log) == "46/5? A");
}

TEST_CASE("launch: a submit line of a copy, an event or a model's execution decides nothing") {
    for (const int type : {2, 3, 5, 6, 12, 13, 14, 67}) {
        const std::string kernels = kernels_of(FactLog().state(launch(46, 0, "K")).state(submit(46, 2, type)));
        CHECK_MESSAGE(kernels == "46/0? K", type);
    }
    for (const int type : {0, 66, 107}) {  // kernels: of AI Cores, of vector cores, fusions
        const std::string kernels = kernels_of(FactLog().state(launch(46, 0, "K")).state(submit(46, 2, type)));
        CHECK_MESSAGE(kernels == "46/2 K", type);
    }
}

TEST_CASE("launch: one submit line decides one launch, and one without a name ends the launch before it") {
    CHECK(kernels_in(*task_map_of(LogText().launch(46, 0, "A").sent(46, 12).sent(46, 13))) == "46/12 A");
    CHECK(kernels_in(*task_map_of(LogText().launch(46, 0, "Failed").launch(46, 0, "").sent(46, 12))).empty());
}

TEST_CASE("launch: the deciding line is kept as proof") {
    const auto map = task_map_of({FactLog().state(launch(46, 0, "K")).state(submit(46, 5, 2)).state(submit(46, 12))});
    const StoredFact& kept = process_of(*map).facts.front();
    CHECK(kept.place.line == 1);
    REQUIRE(kept.submit);
    CHECK(kept.submit->line == 3);
    CHECK_FALSE(kept.fact.task_id_provisional);
}

TEST_CASE(
    "launch of 950: the submit line brings the task id, and the low bits of the task's number are an id as well") {
    // 65536 * 3 + 20 = 196628
    CHECK(kernels_of(FactLog().state(launch(46, -1, "K")).state(submit_950(46, 12, 196628))) == "46/12 K, 46/20sn K");
    CHECK(kernels_of(FactLog().state(launch(46, -1, "K")).state(submit_950(46, 12, 65536 + 12))) == "46/12 K");
}

TEST_CASE("launch of 950: only a submit line of the same stream counts") {
    CHECK(kernels_of(FactLog().state(launch(46, -1, "K")).state(submit_950(45, 1, 1)).state(submit_950(46, 2, 2))) ==
          "46/2 K");
}

TEST_CASE("launch of 950: an AICPU launch without stream belongs to the next AICPU kernel of the thread") {
    FactLog log;
    log.state(launch(-1, -1, "GetNext")).state(submit(46, 2, 0)).state(submit(47, 3, 1)).state(submit(48, 4, 1));
    CHECK(kernels_of(log) == "47/3 GetNext");
}

TEST_CASE("capture: the submit line on the capture stream decides the launch on its origin") {
    FactLog log;
    log.state(capture(FactKind::capture_stream, 46, 90)).state(launch(46, 0, "K")).state(submit(90, 5));
    CHECK(kernels_of(log) == "90/5 K");
    CHECK(process_of(*task_map_of({log})).facts.back().fact.origin_stream_id == std::uint64_t{46});
}

TEST_CASE("capture: a stream that captures another origin, or no longer, decides nothing") {
    FactLog other, ended;
    other.state(capture(FactKind::capture_stream, 45, 90)).state(launch(46, 0, "K")).state(submit(90, 5));
    CHECK(kernels_of(other) == "46/0? K");
    ended.state(capture(FactKind::capture_stream, 46, 90)).state(capture(FactKind::capture_end, 46, 90));
    ended.state(launch(46, 0, "K")).state(submit(90, 5)).state(submit(46, 6));
    CHECK(kernels_of(ended) == "46/6 K");
}

TEST_CASE("capture: on another device the ids mean other streams") {
    Fact on_device_1 = capture(FactKind::capture_stream, 46, 90);
    on_device_1.device_id = 1;
    Fact on_device_0 = submit(90, 5);
    on_device_0.device_id = 0;
    CHECK(kernels_of(FactLog().state(on_device_1).state(launch(46, 0, "K")).state(on_device_0)) == "46/0? K");
    on_device_0.device_id = 1;
    CHECK(kernels_of(FactLog().state(on_device_1).state(launch(46, 0, "K")).state(on_device_0)) == "90/5 K");
}

TEST_CASE("renumbered launch: the new id counts when no submit line follows") {
    CHECK(kernels_of(FactLog().state(launch(46, 4, "K")).state(renumbering(46, 4, 31))) == "46/31 K");
    FactLog more;
    more.state(launch(46, 4, "K")).state(renumbering(46, 4, 31)).at(1).state(launch(46, 5, "L"));
    CHECK(kernels_of(more.state(submit(46, 32))) == "46/31 K, 46/32 L");
}

TEST_CASE("renumbered launch: a submit line that follows has the last word") {
    CHECK(kernels_of(FactLog().state(launch(46, 4, "K")).state(renumbering(46, 4, 31)).state(submit(46, 32))) ==
          "46/32 K");
}

TEST_CASE("renumbered launch: another stream, another id or another thread is another task") {
    CHECK(kernels_of(FactLog().state(launch(46, 4, "K")).state(renumbering(45, 4, 31))) == "46/4 K");
    CHECK(kernels_of(FactLog().state(launch(46, 4, "K")).state(renumbering(46, 3, 31))) == "46/4 K");
    CHECK(kernels_of(FactLog().state(launch(46, 4, "K")).thread(2).state(renumbering(46, 4, 31))) == "46/4 K");
}

TEST_CASE("launch without task id: read from lines by a format that captures none") {
    const auto formats = LogFormats::load({{"toy.json", R"json({
        "schema": "opdebug.log_formats/1",
        "formats": [
            {"id": "toy.launch", "catalogue": "T1", "states": "kernel_of_task", "log": "runtime_log",
             "modules": ["TOY"], "literal": "queue ", "pattern": "queue (?<stream_id>\\d+) name (?<kernel_name>\\w+)",
             "task_id_provisional": true, "versions": "2031", "source": "toy",
             "samples": ["[INFO] TOY(1,toy):2031-01-02-03:04:05.006 [a.cc:7] 1 Put: queue 3 name Mul"]},
            {"id": "toy.sent", "catalogue": "T2", "states": "submit", "log": "runtime_log", "modules": ["TOY"],
             "literal": "sent ", "pattern": "sent (?<stream_id>\\d+):(?<task_id>\\d+) no (?<task_sn>\\d+)",
             "versions": "2031", "source": "toy",
             "samples": ["[INFO] TOY(1,toy):2031-01-02-03:04:05.006 [a.cc:9] 1 Send: sent 3:4 no 70000"]}]})json"}});
    REQUIRE_MESSAGE(formats.ok(), (formats ? "" : formats.error().message));
    LogText log;
    log.line("INFO", "TOY", "[a.cc:7] 8 Put: queue 6 name Sub")
        .line("INFO", "TOY", "[a.cc:9] 8 Send: sent 6:2 no 65538");
    TaskMapBuilder builder;
    builder.begin_file("log0");
    builder.add(match_lines(log.text(), **formats));
    CHECK(kernels_in(*builder.finish()) == "6/2 Sub");
}

TEST_CASE("launch: a submit line more than ten seconds later is that of another task") {
    CHECK(kernels_of(FactLog().at(0).state(launch(46, 0, "K")).at(10'000).state(submit(46, 5))) == "46/5 K");
    CHECK(kernels_of(FactLog().at(0).state(launch(46, 0, "K")).at(10'001).state(submit(46, 5))) == "46/0? K");
}

TEST_CASE("capture: the file that tells of it may be read before that of the tasks") {
    FactLog run("/a/run/plog/1.log"), debug("/a/debug/plog/1.log");
    run.at(1000).state(capture(FactKind::capture_stream, 46, 90)).at(2000);
    run.state(capture(FactKind::capture_end, 46, 90));
    debug.at(1500).state(launch(46, 0, "K")).state(submit(90, 5)).at(3000).state(launch(46, 0, "L"));
    debug.state(submit(90, 6)).state(submit(46, 7));
    CHECK(kernels_in(*task_map_of({run, debug})) == "90/5 K, 46/7 L");
}

TEST_CASE("launch: those of other tasks do not wait for the end of a log without submit lines") {
    FactLog log;
    for (int i = 1; i <= 100; ++i) {
        log.at(i).state(launch(46, i, "K"));
    }
    opdebug::WantedTasks wanted;
    wanted.tasks = {{46, 50}};
    CHECK(kernels_in(*task_map_of({log}, wanted)) == "46/50 K");
}

TEST_CASE(
    "launch: the submit line of an AICPU kernel does not decide the launch of an AI Core one, nor the other way") {
    LogText ai_core;
    ai_core.launch(46, 0, "K").sent(46, 5, 1).sent(46, 6, 0);
    CHECK(kernels_in(*task_map_of(ai_core)) == "46/6 K");
    LogText aicpu;
    aicpu.runtime(
        "StreamLaunchCpuKernel",
        "device_id=0, stream_id=46, task_id=0, flag=0, kernelFlag=0x0, blkdim=1, soName=null, kernel_name=Run.");
    aicpu.sent(46, 5, 0).sent(46, 6, 1);
    CHECK(kernels_in(*task_map_of(aicpu)) == "46/6 Run");
}
