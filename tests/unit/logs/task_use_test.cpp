// What a (stream, task) meant, and when: tasks of models, and single executions whose ids are used again.
#include "logs/lookup/task_use.hpp"

#include <string>

#include <doctest/doctest.h>

#include "fact_log.hpp"
#include "log_builder.hpp"
#include "task_uses.hpp"

using namespace opdebug::logs;
using opdebug::test::fact;
using opdebug::test::FactLog;
using opdebug::test::log_begin_us;
using opdebug::test::LogText;
using opdebug::test::operator_of;
using opdebug::test::process_of;
using opdebug::test::task_map_of;
using opdebug::test::uses_of_task;

namespace {

std::string milliseconds(std::int64_t time) {
    return time == kEndOfTime ? "end" : std::to_string((time - log_begin_us) / 1000);
}

std::string name_of(const Fact& fact) {
    return fact.kind == FactKind::operator_of_task ? "op " + fact.operator_name
           : fact.kind == FactKind::kernel_of_task ? "kernel " + fact.kernel_name
           : fact.kind == FactKind::fault_kernel   ? "fault " + fact.kernel_name
           : fact.kind == FactKind::model_of_task  ? "model " + std::to_string(fact.model_id.value_or(0))
                                                   : std::string(to_string(fact.kind));
}

/// One line per use: "model 1000..2000: op A, kernel B" or "single ...", times in milliseconds.
std::string shown(const std::vector<TaskUse>& uses) {
    std::string text;
    for (const TaskUse& use : uses) {
        text += (use.persistent ? "model " : "single ") + milliseconds(use.span.begin) + ".." +
                milliseconds(use.span.end) + ":";
        for (const StoredFact* fact : use.facts) {
            text += (fact == use.facts.front() ? " " : ", ") + name_of(fact->fact);
        }
        text += "\n";
    }
    return text;
}

std::string uses_of(const LogText& log, TaskKey task) {
    const auto map = task_map_of(log);
    return shown(uses_of_task(process_of(*map), task));
}

std::string uses_of(const FactLog& log, TaskKey task, DeviceFilter device = {}) {
    const auto map = task_map_of({log});
    return shown(uses_of_task(process_of(*map), task, device));
}

Fact final_launch(const std::string& kernel) {
    Fact made = opdebug::test::launch(2, 6, kernel);
    made.task_id_provisional = false;
    return made;
}

Fact launched_on_device(Fact fact, std::uint64_t device) {
    fact.device_id = device;
    return fact;
}

Fact in_context(Fact fact, std::uint64_t context) {
    fact.context_id = context;
    return fact;
}

}  // namespace

TEST_CASE("task use: what is said of a model's task before and after the binding is one use, until the unbinding") {
    LogText log;
    log.at(1000).set_up_stream(7).at(1100).launch_2023(7, 2, "00_1_a/b").at(1200).bind(3, 7);
    log.at(1300).save_dump_task("a/b", 7, 2).at(5000).unbind(3, 7).at(6000).free_stream(7);
    CHECK(uses_of(log, {7, 2}) == "model 1100..5000: kernel 00_1_a/b, op a/b\n");
}

TEST_CASE("task use: what ran on a stream long before it was bound is of single execution") {
    LogText log;
    log.at(1000)
        .set_up_stream(7)
        .launch_2023(7, 2, "00_1_x")
        .at(10'000)
        .bind(3, 7)
        .at(11'000)
        .save_dump_task("a/b", 7, 2);
    CHECK(uses_of(log, {7, 2}) == "single 1000..10000: kernel 00_1_x\nmodel 11000..end: op a/b\n");
    // Nothing else names the model's task: the lines may have been logged before the binding.
    CHECK(uses_of(LogText().at(1000).save_dump_task("a/b", 7, 2).at(10'000).bind(3, 7), {7, 2}) ==
          "model 1000..end: op a/b\n");
}

TEST_CASE("task use: a stream that is bound to an equal model again without an unbinding has other tasks") {
    LogText log;
    log.at(1000).bind(3, 7).at(1100).save_dump_task("first", 7, 2).at(1900).bind(3, 7).save_dump_task("first", 7, 2);
    log.at(20'000).bind(3, 7).at(21'000).save_dump_task("second", 7, 2);
    log.at(30'000).bind(3, 7).at(31'000).save_dump_task("third", 7, 2);
    CHECK(uses_of(log, {7, 2}) ==
          "model 1100..20000: op first\nmodel 21000..30000: op second\nmodel 31000..end: op third\n");
}

TEST_CASE("task use: the same ids in a second model on the stream are a second use") {
    LogText log;
    log.at(1000).bind(3, 7).at(1100).save_dump_task("first", 7, 2).at(2000).unbind(3, 7);
    log.at(3000).bind(4, 7).at(3100).save_dump_task("second", 7, 2);
    CHECK(uses_of(log, {7, 2}) == "model 1100..2000: op first\nmodel 3100..end: op second\n");
}

TEST_CASE("task use: a binding that says nothing of the task is no use of it") {
    CHECK(uses_of(LogText().at(1000).bind(3, 7).at(1100).save_dump_task("a", 7, 2), {7, 3}).empty());
}

TEST_CASE("task use: each launch of a single execution is a use that the next one ends") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "2_0_11_A").at(2000).launch_2023(2, 6, "2_0_11_B");
    log.at(1500).launch_2023(2, 7, "2_0_11_Other");
    CHECK(uses_of(log, {2, 6}) == "single 1000..2000: kernel 2_0_11_A\nsingle 2000..end: kernel 2_0_11_B\n");
}

TEST_CASE("task use: single executions end when the stream is released") {
    LogText log;
    log.at(500).set_up_stream(2).at(1000).launch_2023(2, 6, "2_0_11_A").at(4000).free_stream(2);
    CHECK(uses_of(log, {2, 6}) == "single 1000..4000: kernel 2_0_11_A\n");
}

TEST_CASE("task use: what was said of a stream whose set-up and release are lost ends where the id is set up again") {
    LogText log;
    log.at(1000).launch_2023(7, 5, "2_0_11_A").at(2000).set_up_stream(7).at(3000).launch_2023(7, 5, "2_0_11_B");
    CHECK(uses_of(log, {7, 5}) == "single 1000..2000: kernel 2_0_11_A\nsingle 3000..end: kernel 2_0_11_B\n");
    CHECK(uses_of(LogText().at(1000).save_dump_task("a/b", 7, 5).at(2000).set_up_stream(7), {7, 5}) ==
          "model 1000..2000: op a/b\n");
    // Bound to a model, with the unbinding lost as well.
    LogText bound;
    bound.at(1000).bind(3, 7).at(1100).save_dump_task("a/b", 7, 5).at(2000).set_up_stream(7);
    bound.at(2100).bind(3, 7).at(2200).save_dump_task("c/d", 7, 5);
    CHECK(uses_of(bound, {7, 5}) == "model 1100..2000: op a/b\nmodel 2200..end: op c/d\n");
    // A release that is logged states where the earlier stream ends; after it nothing holds until the set-up.
    LogText released;
    released.at(1000).launch_2023(7, 5, "2_0_11_A").at(1500).free_stream(7).at(2000).set_up_stream(7);
    CHECK(uses_of(released, {7, 5}) == "single 1000..1500: kernel 2_0_11_A\n");
}

TEST_CASE("task use: a stream's own set-up sends a task in front of the line that it is set up") {
    LogText log;  // as in the real log of 2023-07; CREATE_STREAM has type 7
    log.at_us(1'000'000).sent(7, 0, 7).at_us(1'000'300).set_up_stream(7).at(3000).launch_2023(7, 0, "2_0_11_B");
    CHECK(uses_of(log, {7, 0}) == "single 3000..end: kernel 2_0_11_B\n");
    // Where kernels show that there was an earlier stream, it ends there at the latest.
    CHECK(uses_of(
              LogText().at(500).launch_2023(7, 0, "2_0_11_A").at_us(1'000'000).sent(7, 0, 7).at(1001).set_up_stream(7),
              {7, 0}) == "single 500..1000: kernel 2_0_11_A\nsingle 1000..1001: submit\n");
}

TEST_CASE("task use: a later run of the process id may lose the set-up of its first stream, too") {
    FactLog log;
    log.at(0).state(fact(FactKind::stream_open, 2)).at(1000).state(final_launch("k1"));
    log.at(2000).state(fact(FactKind::run_begin, -1)).at(3000).state(final_launch("k2"));
    log.at(4000).state(fact(FactKind::stream_open, 2)).at(5000).state(final_launch("k3"));
    CHECK(uses_of(log, {2, 6}) ==
          "single 1000..2000: kernel k1\nsingle 3000..4000: kernel k2\nsingle 5000..end: kernel k3\n");
}

TEST_CASE("task use: GE's line belongs to the launch that is nearest in time, before or after it") {
    LogText log;
    log.at(1000).launch_2023(2, 6, "k1").at(1001).kernel_trace("first", 2, 6);
    log.at(8999).kernel_trace("second", 2, 6).at(9000).launch_2023(2, 6, "k2");
    CHECK(uses_of(log, {2, 6}) == "single 1000..9000: kernel k1, op first\nsingle 9000..end: op second, kernel k2\n");
}

TEST_CASE("task use: without launch lines each trace is of an execution of its own") {
    LogText log;
    log.at(1000).kernel_trace("first", 2, 6).at(3001).kernel_trace("first", 2, 6);
    log.at(5000).kernel_trace("second", 2, 6);
    CHECK(uses_of(log, {2, 6}) ==
          "single 1000..3001: op first\nsingle 3001..5000: op first\nsingle 5000..end: op second\n");
}

TEST_CASE("task use: the line of a failure begins no new use of a launched task") {
    LogText log;
    log.at(1000)
        .launch_2023(2, 6, "k1")
        .at(1500)
        .runtime(
            "PrintErrorInfo",
            "Aicore kernel execute failed, device_id=0, stream_id=2, report_stream_id=2, task_id=6, flip_num=0, fault "
            "kernel_name=k1, program id=1, hash=97.",
            "ERROR");
    CHECK(uses_of(log, {2, 6}) == "single 1000..end: kernel k1, fault k1\n");
}

TEST_CASE("task use: the model of 2021 that is named for a task alone is kept with it") {
    LogText log;
    log.at(1000).runtime_2021("ModelGetTaskId", "model_id=5, get stream_id=8 task_id=21");
    log.at(1001).launch_2021(8, 21, "-1_0_2_block/conv");
    CHECK(uses_of(log, {8, 21}).find("model 5") != std::string::npos);
}

TEST_CASE("task use: what ran on a stream after its model was unbound is not lost") {
    LogText log;
    log.at(1000).bind(3, 7).at(1100).save_dump_task("of_model", 7, 2).at(2000).unbind(3, 7);
    log.at(3000).launch_2023(7, 2, "2_0_11_Single");
    CHECK(uses_of(log, {7, 2}) == "model 1100..2000: op of_model\nsingle 3000..end: kernel 2_0_11_Single\n");
}

TEST_CASE("task use: a failure belongs to the launch before it, however near the next one is") {
    Fact failure = fact(FactKind::fault_kernel, 2, 6);
    failure.kernel_name = "k1";
    FactLog log;
    log.at(1000).state(final_launch("k1")).at(8999).state(failure).at(9000).state(final_launch("k2"));
    CHECK(uses_of(log, {2, 6}) == "single 1000..9000: kernel k1, fault k1\nsingle 9000..end: kernel k2\n");
}

TEST_CASE("task use: without launch lines a line belongs to the operator that was named before it") {
    FactLog log;
    log.at(1000).state(operator_of(2, 6, "first")).at(4000).state(operator_of(2, 6, "first"));
    log.at(5000).state(operator_of(2, 6, "second"));
    CHECK(uses_of(log, {2, 6}) == "single 1000..5000: op first, op first\nsingle 5000..end: op second\n");
}

TEST_CASE("task use: the operators of the contexts of one task are one use") {
    FactLog log;
    log.at(1000).state(operator_of(2, 6, "whole")).state(in_context(operator_of(2, 6, "a"), 0));
    log.state(in_context(operator_of(2, 6, "b"), 1));
    CHECK(uses_of(log, {2, 6}) == "single 1000..end: op whole, op a, op b\n");
    log.at(2000).state(in_context(operator_of(2, 6, "c"), 0)).state(in_context(operator_of(2, 6, "d"), 1));
    CHECK(uses_of(log, {2, 6}) == "single 1000..2000: op whole, op a, op b\nsingle 2000..end: op c, op d\n");
}

TEST_CASE("task use: a launch whose id nobody confirmed ends no use of a confirmed one") {
    Fact unconfirmed = final_launch("guess");
    unconfirmed.task_id_unconfirmed = true;
    FactLog log;
    log.at(1000).state(final_launch("k1")).at(2000).state(unconfirmed);
    CHECK(uses_of(log, {2, 6}) == "single 1000..end: kernel k1, kernel guess\n");
    CHECK(uses_of(FactLog().at(2000).state(unconfirmed), {2, 6}) == "single 2000..end: kernel guess\n");
}

TEST_CASE("task use: launches, operators and models of the graph compiler's device 64 say nothing") {
    FactLog log;
    log.at(1000)
        .state(launched_on_device(final_launch("compiled"), 64))
        .state(launched_on_device(operator_of(2, 6, "compiled"), 64));
    Fact model = fact(FactKind::model_of_task, 2, 6);
    model.model_id = 576;
    log.state(launched_on_device(model, 64)).at(2000).state(launched_on_device(final_launch("k1"), 0));
    CHECK(uses_of(log, {2, 6}) == "single 2000..end: kernel k1\n");
    CHECK(uses_of(log, {2, 6}, 0) == "single 2000..end: kernel k1\n");
}

TEST_CASE("task use: what is said while the graph compiler has the stream is of no use") {
    FactLog log;
    log.at(1000).state(launched_on_device(fact(FactKind::stream_open, 2), 64)).at(1100).state(final_launch("compiled"));
    log.state(operator_of(2, 6, "compiled")).at(1200).state(fact(FactKind::stream_close, 2));
    log.at(2000).state(launched_on_device(fact(FactKind::stream_open, 2), 0)).at(2100).state(final_launch("k1"));
    CHECK(uses_of(log, {2, 6}) == "single 2100..end: kernel k1\n");
}

TEST_CASE("task use: a submit line without a launch line begins a use, and its echoes of other formats none") {
    const auto sent = [](const std::string& format, int type) {
        Fact made = opdebug::test::submit(2, 6, type);
        made.format_id = format;
        return made;
    };
    FactLog log;
    log.at(1000).state(final_launch("k1")).at(1001).state(sent("U1", 0)).state(sent("U2", 0));
    log.at(60000).state(sent("U1", 1)).at(60001).state(sent("U2", 1)).at(90000).state(sent("U1", 1));
    CHECK(uses_of(log, {2, 6}) ==
          "single 1000..60000: kernel k1\nsingle 60000..90000: submit, submit\nsingle 90000..end: submit\n");
}

TEST_CASE("task use: a submit line seconds after a launch that has its own is of a launch that was lost") {
    LogText log;
    log.at(1000).launch(2, 0, "k1").sent(2, 6).at(1900).sent(2, 6).at(3300).sent(2, 6);
    CHECK(uses_of(log, {2, 6}) == "single 1000..3300: kernel k1\nsingle 3300..end: submit\n");
}

TEST_CASE("task use: an AICPU kernel's submit line is no echo of an AI Core launch") {
    Fact launch = final_launch("k1");
    launch.task_type = 0;
    FactLog log;
    log.at(1000).state(launch).at(2000).state(opdebug::test::submit(2, 6, 1));
    CHECK(uses_of(log, {2, 6}) == "single 1000..2000: kernel k1\nsingle 2000..end: submit\n");
}

TEST_CASE("task use: an operator of another name far from any launch is a use of its own") {
    FactLog log;
    log.at(1000).state(final_launch("k1")).at(1001).state(operator_of(2, 6, "first"));
    log.at(60000).state(operator_of(2, 6, "first")).at(90000).state(operator_of(2, 6, "second"));
    CHECK(uses_of(log, {2, 6}) == "single 1000..90000: kernel k1, op first, op first\nsingle 90000..end: op second\n");
}

TEST_CASE("task use: the failure of another kernel, or after another number of wraps, is a use of its own") {
    const auto failure = [](const std::string& kernel, std::uint64_t flip) {
        Fact made = fact(FactKind::fault_kernel, 2, 6);
        made.kernel_name = kernel;
        made.flip_num = flip;
        return made;
    };
    FactLog log;
    log.at(1000).state(final_launch("k1")).at(2000).state(failure("k1_mix_aic", 0)).at(60000).state(failure("x", 1));
    CHECK(uses_of(log, {2, 6}) == "single 1000..60000: kernel k1, fault k1_mix_aic\nsingle 60000..end: fault x\n");
    FactLog back;
    back.at(1000).state(failure("a", 0)).at(2000).state(failure("b", 1)).at(3000).state(failure("a", 0));
    CHECK(uses_of(back, {2, 6}) ==
          "single 1000..2000: fault a\nsingle 2000..3000: fault b\nsingle 3000..end: fault a\n");
}

TEST_CASE("task use: a line that only tasks of models have makes the use one of a model, without any binding") {
    Fact stated = operator_of(2, 6, "a");
    stated.of_model = true;
    const auto map = task_map_of({FactLog().at(1000).state(stated)});
    const std::vector<TaskUse> uses = uses_of_task(process_of(*map), {2, 6});
    REQUIRE(uses.size() == 1);
    CHECK(uses[0].persistent);
    CHECK(uses[0].bindings.empty());
}

TEST_CASE("task use: a new binding without an unbinding ends the earlier model's use") {
    LogText log;
    log.at(1000).bind(3, 7).at(1100).save_dump_task("first", 7, 2).at(2000).bind(4, 7);
    log.at(2100).save_dump_task("second", 7, 2);
    CHECK(uses_of(log, {7, 2}) == "model 1100..2000: op first\nmodel 2100..end: op second\n");
}

TEST_CASE("task use: a capture binds its stream to the captured model, also after its end") {
    const auto capture = [](FactKind kind) {
        Fact made = opdebug::test::binding(kind, 9, 90);
        made.origin_stream_id = 7;
        return made;
    };
    FactLog log;
    log.at(1000).state(capture(FactKind::capture_stream)).at(1100).state(opdebug::test::launch(7, 0, "k"));
    log.at(1101).state(opdebug::test::submit(90, 5)).at(2000).state(capture(FactKind::capture_end));
    CHECK(uses_of(log, {90, 5}) == "model 1100..end: kernel k\n");
}

TEST_CASE("task use: dump arguments and persistent tasks are those of a model, public tasks are not") {
    CHECK(uses_of(LogText().at(1000).save_dump_task("a", 7, 2), {7, 2}) == "model 1000..end: op a\n");
    const std::string ids = " task, stream_id=7, task_id=2, task_type=0 (KERNEL_AICORE), head=0, tail=1";
    CHECK(uses_of(LogText().at(1000).runtime("AddTaskToStream", "persistent" + ids), {7, 2}) ==
          "model 1000..end: submit\n");
    CHECK(uses_of(LogText().at(1000).runtime("AddTaskToList", "public" + ids), {7, 2}) == "single 1000..end: submit\n");
}
