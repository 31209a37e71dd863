// Ties by a profiler's trace: from the task of an overflow to the call that launched it.
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
          "dumps; there are 2 such operations");
    CHECK(contains(ties.ties[1].because, "no finding fits it"));
    // A task that is not in the trace is tied by its type.
    CHECK(folder.lines(two_linears().text(), report, {of_task(3, 77)}) == "0 type_only Functional.linear.1.forward\n");
}

TEST_CASE("ties by trace: a profiler may count its steps in another way, and ties by type stand after its answer") {
    TraceFolder folder;
    const ApiReport of_other_step = made_report({of_step(0, "Functional.linear.1.forward")});
    const ApiTies ties = folder.ties(two_linears().text(), of_other_step, {of_task_at(3, 19, 540)});
    CHECK(lines_of(ties) == "0 exact aten::linear -\n0 type_only Functional.linear.1.forward\n");
    CHECK(contains(ties.ties[0].because, "no finding fits it"));
    // The bare location states nothing next to it.
    CHECK(folder.lines(two_linears().text(), of_other_step, {of_task_at(3, 18, 520, "Relu")}) ==
          "0 exact aten::relu -\n");
    // A trace without steps does not state which of the calls it was.
    MadeTrace stepless;
    stepless.operation("aten::linear", 10, 10);
    stepless.launch(3, 5, kMatMul, 100, 11);
    CHECK(folder.lines(stepless.text(), made_report({made_finding("Functional.linear.7.forward")}),
                       {of_task_at(3, 5, 100)}) == "0 type_only Functional.linear.7.forward\n");
}

TEST_CASE("ties by trace: operations without a name say nothing") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    for (const char* const name : {"null", "\"\"", "[]"}) {
        CAPTURE(name);
        std::string text = one_linear().text();
        const std::string linear = "\"aten::linear\"";
        text.replace(text.find(linear), linear.size(), name);
        const ApiTies ties = folder.ties(text, report, {of_task_at(3, 19, 540)});
        CHECK(lines_of(ties) == "0 type_only Functional.linear.0.forward\n");  // by its type
        CHECK_FALSE(contains(ties.ties[0].because, "trace"));
    }
}

TEST_CASE("ties by trace: a call beyond the number of operations in the trace is not exact") {
    // The dump has five calls of linear in step 2, the trace one operation: they count other steps, or calls are
    // missing.
    TraceFolder folder;
    const ApiTies ties = folder.ties(one_linear().text(), made_report({of_step(2, "Functional.linear.4.forward")}),
                                     {of_task_at(3, 19, 540)});
    CHECK(lines_of(ties) == "0 type_only Functional.linear.4.forward\n");
    REQUIRE(ties.ties.size() == 1);
    CHECK(contains(ties.ties[0].because, "the dump has more such calls than the trace"));
}

TEST_CASE("ties by trace: a backward belongs to the call of its forward") {
    TraceFolder folder;
    const ApiReport report =
        made_report({of_step(2, "Functional.linear.1.forward"), of_step(2, "Functional.linear.1.backward", 1)});
    const std::string expected = "0 type_only Functional.linear.1.backward\n";
    const KernelOverflow overflow = of_task_at(3, 30, 800);
    CHECK(folder.lines(two_linears().text(), report, {overflow}) == expected);
    // Without sequence numbers only the node is known, and the operator type has to do.
    MadeTrace alone;
    alone.step(2, 0, 10'000);
    alone.operation("AddmmBackward0", 605, 90, 2);
    alone.launch(3, 30, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    CHECK(folder.lines(alone.text(), report, {overflow}) ==
          "0 exact AddmmBackward0 -\n"
          "0 type_only Functional.linear.1.forward\n"
          "0 type_only Functional.linear.1.backward\n");
}

TEST_CASE("ties by trace: a sequence number that several threads have names no forward") {
    TraceFolder folder;
    MadeTrace trace;
    trace.step(2, 0, 10'000);
    trace.operation("aten::linear", 100, 50, 1, 12);
    trace.operation("aten::relu", 200, 50, 5, 12);
    trace.operation("AddmmBackward0", 605, 90, 2, 12);
    trace.launch(3, 30, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    CHECK(folder.lines(trace.text(), made_report({of_step(2, "Functional.relu.0.backward")}),
                       {of_task_at(3, 30, 800)}) == "0 exact AddmmBackward0 -\n");
}

TEST_CASE("ties by trace: operations of several processes make nothing exact") {
    TraceFolder folder;
    MadeTrace trace = one_linear();
    trace.event(R"({"ph": "X", "name": "aten::relu", "pid": 7, "tid": 1, "ts": "1699529623000300.000", "dur": 5, )"
                R"("cat": "cpu_op"})");
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    const ApiTies ties = folder.ties(trace.text(), report, {of_task_at(3, 19, 540)});
    CHECK(lines_of(ties) == "0 type_only Functional.linear.0.forward\n");
    CHECK(contains(ties.ties[0].because, "several processes"));
}

TEST_CASE("ties by trace: both forms, packed or not, and the other name of the stream") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    const std::string expected = "0 exact Functional.linear.0.forward\n";
    const std::string text = one_linear().text();
    const KernelOverflow overflow = of_task_at(3, 19, 540);
    CHECK(folder.lines(one_linear().in_object(), report, {overflow}) == expected);
    CHECK(folder.lines(gzip_of(text), report, {overflow}) == expected);
    CHECK(folder.lines(zstd_of(text), report, {overflow}) == expected);
    std::string physical = text;
    for (std::size_t at = 0; (at = physical.find("\"Stream Id\"", at)) != std::string::npos; at += 8) {
        physical.replace(at, 11, "\"Physic Stream Id\"");
    }
    CHECK(folder.lines(physical, report, {overflow}) == expected);
}

TEST_CASE("ties by trace: task ids come back, and the time tells which execution is meant") {
    MadeTrace trace = one_linear();
    trace.operation("aten::matmul", 5000, 50);
    trace.launch(3, 19, kMatMul, 5100, 5010);
    TraceFolder folder;
    const ApiReport report =
        made_report({of_step(2, "Functional.linear.0.forward", 0), of_step(2, "Torch.matmul.0.forward", 1)});
    KernelOverflow overflow = of_task(3, 19);
    overflow.timestamp_us = MadeTrace::kBegin + 545;
    CHECK(folder.lines(trace.text(), report, {overflow}) == "0 exact Functional.linear.0.forward\n");
    overflow.timestamp_us = MadeTrace::kBegin + 5101;
    CHECK(folder.lines(trace.text(), report, {overflow}) == "0 type_only Torch.matmul.0.forward\n");
    // A day later it is no trace of this run.
    overflow.timestamp_us = MadeTrace::kBegin + 86'400'000'000;
    const ApiTies later = folder.ties(trace.text(), report, {overflow});
    CHECK_FALSE(contains(lines_of(later), "exact"));
    CHECK(codes_of(later.diagnostics) == "trace_other_time ");
}

TEST_CASE("ties by trace: what is not certain is not exact") {
    TraceFolder folder;
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::add_", 10, 10);
    trace.operation("aten::add_", 30, 10);
    trace.launch(3, 5, "aclnnInplaceAdd_AddAiCore_Add", 100, 31);
    const KernelOverflow overflow = of_task_at(3, 5, 100, "Add");
    // x.add_(y) and x += y are the same operation, and two APIs.
    const ApiTies spelled = folder.ties(trace.text(), made_report({made_finding("Tensor.add_.1.forward")}), {overflow});
    CHECK(lines_of(spelled) == "0 type_only Tensor.add_.1.forward\n");
    CHECK(contains(spelled.ties[0].because, "calls of other APIs may be the same operation"));
    // One add_ and one += : both can be it.
    const ApiReport both =
        made_report({made_finding("Tensor.add_.0.forward", 0), made_finding("Tensor.__iadd__.0.forward", 1)});
    CHECK(folder.lines(trace.text(), both, {overflow}) ==
          "0 type_only Tensor.add_.0.forward\n0 type_only Tensor.__iadd__.0.forward\n");
    // Without steps in the trace any call of the API can be it.
    MadeTrace stepless;
    stepless.operation("aten::linear", 10, 10);
    stepless.launch(3, 5, kMatMul, 100, 11);
    CHECK(folder.lines(stepless.text(), made_report({made_finding("Functional.linear.0.forward")}), {of_task(3, 5)}) ==
          "0 type_only Functional.linear.0.forward\n");
    // The kernel of that task is another one: not this run, or not this rank.
    const ApiTies other = folder.ties(trace.text(), both, {of_task_at(3, 5, 100, "MatMulV2")});
    CHECK_FALSE(contains(lines_of(other), "exact"));
    CHECK(codes_of(other.diagnostics) == "trace_other_kernel ");
    // Other names than those of eager mode may hide the type.
    MadeTrace hidden;
    hidden.step(0, 0, 1000);
    hidden.operation("aten::linear", 10, 10);
    hidden.launch(3, 5, "fused_kernel_17", 100, 11);  // no word of it is the type
    const ApiTies unclear = folder.ties(hidden.text(), made_report({made_finding("Functional.linear.0.forward")}),
                                        {of_task_at(3, 5, 100, "MatMulV2")});
    CHECK(lines_of(unclear) == "0 type_only Functional.linear.0.forward\n");
    CHECK(contains(unclear.ties[0].because, "its kernel name in the trace does not contain the operator type"));
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
                       {of_task_at(3, 5, 200)}) == "0 exact Functional.linear.0.forward\n");
}

TEST_CASE("ties by trace: without a near time of the overflow the trace says nothing") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    const auto lines = [&](const KernelOverflow& overflow) {
        return folder.lines(one_linear().text(), report, {overflow});
    };
    const std::string exact = "0 exact Functional.linear.0.forward\n";
    const std::string by_type = "0 type_only Functional.linear.0.forward\n";
    CHECK(lines(of_task_at(3, 19, 540)) == exact);
    CHECK(lines(of_task(3, 19)) == by_type);
    // The task ran from 540.75 for 2.5 us; a second after its end is near, and what began later is not meant.
    CHECK(lines(of_task_at(3, 19, 540 + 1'000'001)) == exact);
    for (const std::uint64_t start : {538U, 540U + 1'000'003U, 540U + 50'000'000U}) {
        CAPTURE(start);
        CHECK(lines(of_task_at(3, 19, start)) == by_type);
    }
}

TEST_CASE("ties by trace: where the task of that time is of another type the trace says nothing") {
    MadeTrace trace = one_linear();
    trace.operation("aten::gelu", 200, 50);
    trace.launch(3, 19, "aclnnGelu_GeluAiCore_Gelu", 600, 215);
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    // At that time the task was a Gelu; that it was a MatMulV2 before is not the answer.
    const ApiTies ties = folder.ties(trace.text(), report, {of_task_at(3, 19, 600)});
    REQUIRE(ties.ties.size() == 1);
    CHECK_FALSE(contains(ties.ties[0].because, "trace"));
    CHECK(codes_of(ties.diagnostics) == "trace_other_kernel ");
}

TEST_CASE("ties by trace: types are compared whole") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    const auto ties = [&](const char* kernel, KernelOverflow overflow) {
        overflow.timestamp_us = MadeTrace::kBegin + 542;
        return folder.ties(one_linear(kernel).text(), report, {overflow});
    };
    // "Mul" is in it, and is not its type.
    CHECK(codes_of(ties("aclnnAddmm_MatMulAiCore_MatMul", of_task(3, 19, "Mul")).diagnostics) == "trace_other_kernel ");
    CHECK(contains(lines_of(ties("MatMulV2_3f_high_precision", of_task(3, 19, "MatMulV2"))), "exact"));
    CHECK_FALSE(contains(lines_of(ties("te_MatMulV2b_3f", of_task(3, 19, "MatMulV2"))), "exact"));
    // Without a type the kernel's own name has it, else stream, task and time are all there is.
    KernelOverflow by_kernel = of_task(3, 19, "");
    by_kernel.kernel = kMatMul;
    CHECK(lines_of(ties(kMatMul, by_kernel)) == "0 exact Functional.linear.0.forward\n");
    const ApiTies untyped = ties(kMatMul, of_task(3, 19, ""));
    CHECK(lines_of(untyped) == "0 type_only Functional.linear.0.forward\n");
    CHECK(contains(untyped.ties[0].because, "the operator type of the overflow is unknown"));
}

TEST_CASE("ties by trace: a step of the trace that is not the overflow's own is a doubt") {
    TraceFolder folder;
    const ApiReport report =
        made_report({of_step(2, "Functional.linear.0.forward"), of_step(5, "Functional.linear.0.forward")});
    KernelOverflow overflow = of_task_at(3, 19, 540);
    overflow.step = 2;
    CHECK(folder.lines(one_linear().text(), report, {overflow}) == "0 exact Functional.linear.0.forward\n");
    const ApiTies differs = folder.ties(one_linear(kMatMul, 5).text(), report, {overflow});
    CHECK(lines_of(differs) == "0 type_only aten::linear -\n0 type_only Functional.linear.0.forward\n");
    REQUIRE(differs.ties.size() == 2);
    CHECK(differs.ties[1].finding == std::size_t{0});  // by its type, in its own step
    CHECK(contains(differs.ties[0].because, "the overflow dump is from step 2, but the trace shows step 5"));
}

TEST_CASE("ties by trace: a trace without flows says so") {
    MadeTrace trace;
    trace.operation("aten::linear", 10, 10);
    trace.task(3, 5, kMatMul, 100);
    TraceFolder folder;
    const ApiTies ties =
        folder.ties(trace.text(), made_report({made_finding("Functional.linear.0.forward")}), {of_task(3, 5)});
    CHECK(lines_of(ties) == "0 type_only Functional.linear.0.forward\n");
    CHECK(codes_of(ties.diagnostics) == "trace_without_flows trace_unused ");
}
