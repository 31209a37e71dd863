// Ties by a profiler's trace: from the task of an overflow to the call that launched it.
#include <string>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "packed_text.hpp"
#include "text.hpp"
#include "trace_ties.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Step 2: linear, relu, linear; then the backward of the second linear on another thread.
MadeTrace two_linears() {
    MadeTrace trace;
    trace.step(2, 0, 10'000);
    trace.operation("aten::linear", 100, 50);
    trace.operation("aten::addmm", 110, 30, 1, 10);
    trace.launch(3, 17, kMatMul, 500, 115);
    trace.operation("aten::relu", 200, 20);
    trace.launch(3, 18, "aclnnRelu_ReluAiCore_Relu", 520, 205);
    trace.operation("aten::linear", 300, 50);
    trace.operation("aten::addmm", 310, 30, 1, 12);
    trace.launch(3, 19, kMatMul, 540, 315);
    trace.operation("autograd::engine::evaluate_function: AddmmBackward0", 600, 100, 2, 12);
    trace.operation("AddmmBackward0", 605, 90, 2, 12);
    trace.operation("aten::mm", 610, 30, 2);
    trace.launch(3, 30, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    return trace;
}

const std::string kExact = "0 exact Functional.linear.0.forward\n";
const std::string kByType = "0 type_only Functional.linear.0.forward\n";

ApiReport linear_of_step_2() {
    return made_report({of_step(2, "Functional.linear.0.forward")});
}

}  // namespace

TEST_CASE("ties by trace: the flow leads from the task to the call") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.1.forward")});
    const ApiTies ties =
        folder.ties(two_linears().text(), report, {of_task_at(3, 19, 540), of_task_at(3, 18, 520, "Relu")});
    CHECK(lines_of(ties) == "0 type_only Functional.linear.1.forward\n1 exact aten::relu -\n");
    CHECK(codes_of(ties.diagnostics) == "steps_assumed ");
    REQUIRE(ties.ties.size() == 2);
    CHECK(ties.ties[0].because ==
          "the trace shows that aten::linear in step 2 launched the task; ProfilerStep#2 is read as step 2 of the "
          "dumps; the step has more such operations, or other APIs make them, too");
    CHECK(contains(ties.ties[1].because, "no finding fits it"));
    // A task that is not in the trace is tied by its type; a step of the profiler may be another one of the dumps.
    CHECK(folder.lines(two_linears().text(), report, {of_task(3, 77)}) == "0 type_only Functional.linear.1.forward\n");
    CHECK(folder.lines(two_linears().text(), made_report({of_step(0, "Functional.linear.1.forward")}),
                       {of_task_at(3, 19, 540)}) ==
          "0 exact aten::linear -\n0 type_only Functional.linear.1.forward\n");
}

TEST_CASE("ties by trace: a backward belongs to the call of its forward") {
    TraceFolder folder;
    const ApiReport report =
        made_report({of_step(2, "Functional.linear.1.forward"), of_step(2, "Functional.linear.1.backward", 1)});
    const KernelOverflow overflow = of_task_at(3, 30, 800);
    CHECK(folder.lines(two_linears().text(), report, {overflow}) == "0 type_only Functional.linear.1.backward\n");
    // Without sequence numbers only the node is known, and the operator type has to do. So has it if several threads
    // have the number.
    for (const int sequence : {-1, 12}) {
        CAPTURE(sequence);
        MadeTrace trace;
        trace.step(2, 0, 10'000);
        trace.operation("aten::linear", 100, 50, 1, 12);
        trace.operation("aten::relu", 200, 50, 5, 12);
        trace.operation("AddmmBackward0", 605, 90, 2, sequence);
        trace.launch(3, 30, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
        CHECK(folder.lines(trace.text(), report, {overflow}) ==
              "0 exact AddmmBackward0 -\n"
              "0 type_only Functional.linear.1.forward\n"
              "0 type_only Functional.linear.1.backward\n");
    }
}

TEST_CASE("ties by trace: both formats, compressed or not, and the other name of the stream") {
    TraceFolder folder;
    const std::string text = one_linear().text();
    std::string physical = text;
    for (std::size_t at = 0; (at = physical.find("\"Stream Id\"", at)) != std::string::npos; at += 8) {
        physical.replace(at, 11, "\"Physic Stream Id\"");
    }
    for (const std::string& trace : {text, one_linear().in_object(), gzip_of(text), zstd_of(text), physical}) {
        CHECK(folder.lines(trace, linear_of_step_2(), {of_task_at(3, 19, 540)}) == kExact);
    }
}

TEST_CASE("ties by trace: what is not certain is not exact") {
    TraceFolder folder;
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::add_", 10, 10);
    trace.launch(3, 5, "aclnnInplaceAdd_AddAiCore_Add", 100, 11);
    // x.add_(y) and x += y are the same operation, and two APIs.
    CHECK(folder.lines(trace.text(), made_report({made_finding("Tensor.add_.0.forward")}),
                       {of_task_at(3, 5, 100, "Add")}) == "0 type_only Tensor.add_.0.forward\n");
    MadeTrace stepless;
    stepless.operation("aten::linear", 10, 10);
    stepless.launch(3, 5, kMatMul, 100, 11);
    const ApiReport linear = made_report({made_finding("Functional.linear.0.forward")});
    CHECK(folder.lines(stepless.text(), linear, {of_task_at(3, 5, 100)}) == kByType);
    // The dump has five calls of linear in step 2, the trace one operation.
    CHECK(folder.lines(one_linear().text(), made_report({of_step(2, "Functional.linear.4.forward")}),
                       {of_task_at(3, 19, 540)}) == "0 type_only Functional.linear.4.forward\n");
    MadeTrace of_two = one_linear();
    of_two.event(R"({"ph": "X", "name": "aten::relu", "pid": 7, "tid": 1, "ts": "1699529623000300.000", "dur": 5, )"
                 R"("cat": "cpu_op"})");
    const ApiTies ties = folder.ties(of_two.text(), linear_of_step_2(), {of_task_at(3, 19, 540)});
    CHECK(lines_of(ties) == kByType);
    CHECK(contains(ties.ties[0].because, "several processes"));
    KernelOverflow of_other_step = of_task_at(3, 19, 540);
    of_other_step.step = 2;
    CHECK(folder.lines(one_linear(kMatMul, 5).text(), linear_of_step_2(), {of_other_step}) ==
          "0 type_only aten::linear -\n" + kByType);
}

TEST_CASE("ties by trace: operations inside of calls, and those of backwards, are no calls") {
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::outer", 10, 50);
    trace.operation("aten::linear", 15, 10);
    trace.operation("ViewBackward0", 70, 20);
    trace.operation("aten::linear", 75, 5);
    trace.operation("aten::linear", 100, 10);
    trace.launch(3, 5, kMatMul, 200, 101);
    TraceFolder folder;
    CHECK(folder.lines(trace.text(), made_report({made_finding("Functional.linear.0.forward")}),
                       {of_task_at(3, 5, 200)}) == kExact);
}

TEST_CASE("ties by trace: the time selects the execution, because task ids come back") {
    TraceFolder folder;
    const auto lines = [&](const KernelOverflow& overflow) {
        return folder.lines(one_linear().text(), linear_of_step_2(), {overflow});
    };
    CHECK(lines(of_task_at(3, 19, 540)) == kExact);
    CHECK(lines(of_task(3, 19)) == kByType);
    // The task ran from 540.75 for 2.5 us; a second after its end is near, and what began later is not meant.
    CHECK(lines(of_task_at(3, 19, 540 + 1'000'001)) == kExact);
    for (const std::uint64_t start : {538U, 540U + 1'000'003U, 540U + 50'000'000U}) {
        CAPTURE(start);
        CHECK(lines(of_task_at(3, 19, start)) == kByType);
    }
    // At that time the task was a Gelu; that it was a MatMulV2 before is not the answer.
    MadeTrace trace = one_linear();
    trace.operation("aten::gelu", 200, 50);
    trace.launch(3, 19, "aclnnGelu_GeluAiCore_Gelu", 600, 215);
    const ApiTies ties = folder.ties(trace.text(), linear_of_step_2(), {of_task_at(3, 19, 600)});
    CHECK(lines_of(ties) == kByType);
    CHECK(codes_of(ties.diagnostics) == "trace_unused ");
}

TEST_CASE("ties by trace: types are compared whole") {
    TraceFolder folder;
    const auto lines = [&](const char* kernel, const char* type, const char* own_kernel = "") {
        KernelOverflow overflow = of_task_at(3, 19, 540, type);
        overflow.kernel = own_kernel;
        return folder.lines(one_linear(kernel).text(), linear_of_step_2(), {overflow});
    };
    CHECK_FALSE(contains(lines("aclnnAddmm_MatMulAiCore_MatMul", "Mul"), "exact"));
    CHECK(contains(lines("MatMulV2_3f_high_precision", "MatMulV2"), "exact"));
    CHECK_FALSE(contains(lines("te_MatMulV2b_3f", "MatMulV2"), "exact"));
    CHECK_FALSE(contains(lines("fused_kernel_17", "MatMulV2"), "exact"));
    // Without a type the kernel's own name has it, else stream, task and time are all there is.
    CHECK(lines(kMatMul, "", kMatMul) == kExact);
    CHECK(lines(kMatMul, "") == kByType);
}

TEST_CASE("ties by trace: a trace without flows, of another rank, or without these tasks is reported") {
    TraceFolder folder;
    MadeTrace trace;
    trace.operation("aten::linear", 10, 10);
    trace.task(3, 5, kMatMul, 100);
    CHECK(codes_of(folder.ties(trace.text(), linear_of_step_2(), {of_task(3, 5)}).diagnostics) ==
          "trace_without_flows trace_unused ");
    const ApiTies other_rank =
        folder.ties(one_linear().text(), linear_of_step_2(), {of_task_at(3, 19, 540)}, "rank7/trace_view.json");
    CHECK(codes_of(other_rank.diagnostics) == "trace_unused ");
    CHECK(contains(other_rank.diagnostics[0].message, "no overflow dump of its rank (7) has a task, time"));
    CHECK(codes_of(folder.ties(one_linear().text(), linear_of_step_2(), {}).diagnostics) == "trace_unused ");
}

TEST_CASE("ties by trace: the rank of a trace is that of its profiler_info") {
    TraceFolder folder;
    ApiFinding of_rank_1 = of_step(2, "Functional.linear.0.forward");
    of_rank_1.rank = 1;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward"), of_rank_1});
    KernelOverflow first = of_task_at(3, 19, 540), second = of_task_at(3, 19, 540);
    second.rank = 1;
    write_file(folder.folder() / "x_ascend_pt/profiler_info_1.json", "{}");
    const std::string path = "x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json";
    const ApiTies ties = folder.ties(one_linear().text(), report, {first, second}, path);
    CHECK(lines_of(ties) == kByType + "1 exact Functional.linear.0.forward\n");
    CHECK(ties.ties[1].finding == std::size_t{1});
    // Of two ranks, a trace without one is of neither for certain.
    CHECK_FALSE(contains(folder.lines(one_linear().text(), report, {first, second}), "exact"));
    // A device that is treated as the trace's rank makes it less sure, and is reported without a finding, too.
    second.rank.reset();
    second.device_id = 1;
    const ApiTies device = folder.ties(one_linear().text(), made_report({}), {second}, path);
    CHECK(lines_of(device) == "0 type_only aten::linear -\n");
    CHECK(contains(device.ties[0].because, "device 1 is assumed to be rank 1"));
    CHECK(codes_of(device.diagnostics) == "device_rank_assumed steps_assumed ");
    // Without rank and device the overflow is of one of the ranks.
    second.device_id.reset();
    CHECK(folder.lines(one_linear().text(), report, {second}) == "0 type_only aten::linear -\n");
}

TEST_CASE("ties by trace: of several traces the one of the overflow's time counts, and an unreadable one is reported") {
    TemporaryDirectory folder;
    ApiTieOptions options;
    const std::string good = write_file(folder / "rank0/good.json", one_linear().text());
    options.traces = {write_file(folder / "rank0/bad.json", "no trace"), good, folder / "rank0/absent.json", good,
                      write_file(folder / "rank0/later.json", one_linear("aclnnGelu_GeluAiCore_Gelu").text())};
    const ApiTies ties = *tie_api_findings(linear_of_step_2(), {of_task_at(3, 19, 540)}, options);
    CHECK(lines_of(ties) == kExact);
    CHECK(codes_of(ties.diagnostics) == "trace_unread trace_unread trace_unused steps_assumed ");
    CHECK(ties.diagnostics[0].severity == Severity::error);
    // Two ranks of unknown traces, each with another call: nothing is known.
    MadeTrace other;
    other.step(2, 0, 10'000);
    other.operation("aten::matmul", 100, 50);
    other.launch(3, 19, kMatMul, 540, 115);
    options.traces = {write_file(folder / "a.json", one_linear().text()), write_file(folder / "b.json", other.text())};
    CHECK(lines_of(*tie_api_findings(linear_of_step_2(), {of_task_at(3, 19, 540)}, options)) == kByType);
}
