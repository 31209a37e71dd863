// Ties by a profiler's trace: from the task of an overflow to the call that launched it.
#include <utility>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "made_ties.hpp"
#include "packed_text.hpp"
#include "temporary_directory.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* kMatMul = "aclnnAddmm_MatMulCommon_MatMulV2";

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

ApiFinding of_step(std::uint64_t step, const char* api, std::uint64_t position = 0) {
    ApiFinding finding = made_finding(api, position);
    finding.step = step;
    return finding;
}

KernelOverflow of_task(std::uint64_t stream, std::uint64_t task, const char* type = "MatMulV2") {
    KernelOverflow overflow = made_overflow(type);
    overflow.stream_id = stream;
    overflow.task_id = task;
    return overflow;
}

class TraceFolder {
public:
    ApiTies ties(const std::string& trace, const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                 const std::string& path = "trace_view.json") {
        ApiTieOptions options;
        options.traces = {write_file(folder_ / path, trace)};
        Result<ApiTies> ties = tie_api_findings(report, overflows, options);
        REQUIRE_MESSAGE(ties.ok(), to_string(ties.error()));
        return std::move(*ties);
    }
    std::string lines(const std::string& trace, const ApiReport& report, const std::vector<KernelOverflow>& overflows) {
        return lines_of(ties(trace, report, overflows));
    }
    const TemporaryDirectory& folder() const { return folder_; }

private:
    TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("ties by trace: the flow leads from the task to the call") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.1.forward")});
    const ApiTies ties = folder.ties(two_linears().text(), report, {of_task(3, 19), of_task(3, 18, "Relu")});
    CHECK(lines_of(ties) == "0 exact Functional.linear.1.forward\n1 exact aten::relu -\n");
    CHECK(ties.diagnostics.empty());
    REQUIRE(ties.ties.size() == 2);
    CHECK(ties.ties[0].because ==
          "the trace says that aten::linear, call 1 of it in step 2 (from 0) launched the task; step and count of the "
          "call are the same");
    CHECK(ties.ties[1].because.find("no finding has this step and count") != std::string::npos);
    // Of another step it is not that call.
    CHECK(folder.lines(two_linears().text(), made_report({of_step(3, "Functional.linear.1.forward")}),
                       {of_task(3, 19)}) == "0 exact aten::linear -\n");
    // A task that is not in the trace is tied by its type.
    CHECK(folder.lines(two_linears().text(), report, {of_task(3, 77)}) ==
          "0 type_and_order Functional.linear.1.forward\n");
}

TEST_CASE("ties by trace: a backward belongs to the call of its forward") {
    TraceFolder folder;
    const ApiReport report =
        made_report({of_step(2, "Functional.linear.1.forward"), of_step(2, "Functional.linear.1.backward", 1)});
    CHECK(folder.lines(two_linears().text(), report, {of_task(3, 30)}) == "0 exact Functional.linear.1.backward\n");
    // By the flow from forward to backward where there are no sequence numbers.
    MadeTrace flow;
    flow.step(2, 0, 10'000);
    flow.operation("aten::linear", 100, 50);
    flow.operation("aten::linear", 300, 50);
    flow.operation("aten::addmm", 310, 30);
    flow.operation("AddmmBackward0", 605, 90, 2);
    flow.operation("aten::mm", 610, 30, 2);
    flow.launch(3, 30, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    flow.flow("fwdbwd", "1", 310, 1, 605, 4242, 2);
    CHECK(folder.lines(flow.text(), report, {of_task(3, 30)}) == "0 exact Functional.linear.1.backward\n");
    // Without both only the node is known, and the operator type has to do.
    MadeTrace alone;
    alone.step(2, 0, 10'000);
    alone.operation("AddmmBackward0", 605, 90, 2);
    alone.launch(3, 30, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    CHECK(folder.lines(alone.text(), report, {of_task(3, 30)}) ==
          "0 exact AddmmBackward0 -\n"
          "0 type_only Functional.linear.1.forward\n"
          "0 type_only Functional.linear.1.backward\n");
}

TEST_CASE("ties by trace: both forms, packed or not, and the other name of the stream") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.1.forward")});
    const std::string expected = "0 exact Functional.linear.1.forward\n";
    const std::string text = two_linears().text();
    CHECK(folder.lines(two_linears().in_object(), report, {of_task(3, 19)}) == expected);
    CHECK(folder.lines(gzip_of(text), report, {of_task(3, 19)}) == expected);
    CHECK(folder.lines(zstd_of(text), report, {of_task(3, 19)}) == expected);
    std::string physical = text;
    for (std::size_t at = 0; (at = physical.find("\"Stream Id\"", at)) != std::string::npos; at += 8) {
        physical.replace(at, 11, "\"Physic Stream Id\"");
    }
    CHECK(folder.lines(physical, report, {of_task(3, 19)}) == expected);
}

TEST_CASE("ties by trace: task ids come back, and the time tells which execution is meant") {
    MadeTrace trace = two_linears();
    trace.operation("aten::linear", 5000, 50);
    trace.launch(3, 19, kMatMul, 5100, 5010);
    TraceFolder folder;
    const ApiReport report =
        made_report({of_step(2, "Functional.linear.1.forward", 0), of_step(2, "Functional.linear.2.forward", 1)});
    KernelOverflow overflow = of_task(3, 19);
    overflow.timestamp_us = MadeTrace::kBegin + 545;
    CHECK(folder.lines(trace.text(), report, {overflow}) == "0 exact Functional.linear.1.forward\n");
    overflow.timestamp_us = MadeTrace::kBegin + 5101;
    CHECK(folder.lines(trace.text(), report, {overflow}) == "0 exact Functional.linear.2.forward\n");
    overflow.timestamp_us.reset();
    const ApiTies unknown = folder.ties(trace.text(), report, {overflow});
    CHECK(lines_of(unknown) == "0 type_only Functional.linear.1.forward\n0 type_only Functional.linear.2.forward\n");
    CHECK(unknown.ties[0].because.find("the task was launched 2 times") != std::string::npos);
    // A day later it is no trace of this run.
    overflow.timestamp_us = MadeTrace::kBegin + 86'400'000'000;
    const ApiTies later = folder.ties(trace.text(), report, {overflow});
    CHECK(lines_of(later).find("exact") == std::string::npos);
    CHECK(codes_of(later.diagnostics) == "trace_other_time ");
}

TEST_CASE("ties by trace: what is not certain is not exact") {
    TraceFolder folder;
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::add_", 10, 10);
    trace.operation("aten::add_", 30, 10);
    trace.launch(3, 5, "aclnnInplaceAdd_AddAiCore_Add", 100, 31);
    const KernelOverflow overflow = of_task(3, 5, "Add");
    // x.add_(y) and x += y are the same operation, and two APIs.
    const ApiTies spelled = folder.ties(trace.text(), made_report({made_finding("Tensor.add_.1.forward")}), {overflow});
    CHECK(lines_of(spelled) == "0 type_and_order Tensor.add_.1.forward\n");
    CHECK(spelled.ties[0].because.find("other APIs may count as the same operation") != std::string::npos);
    // One add_ and one += : counts are 0 each, the trace's is 1.
    const ApiReport both =
        made_report({made_finding("Tensor.add_.0.forward", 0), made_finding("Tensor.__iadd__.0.forward", 1)});
    CHECK(folder.lines(trace.text(), both, {overflow}) ==
          "0 type_only Tensor.add_.0.forward\n0 type_only Tensor.__iadd__.0.forward\n");
    // Without steps in the trace the count is that of the trace.
    MadeTrace stepless;
    stepless.operation("aten::linear", 10, 10);
    stepless.launch(3, 5, kMatMul, 100, 11);
    CHECK(folder.lines(stepless.text(), made_report({made_finding("Functional.linear.0.forward")}), {of_task(3, 5)}) ==
          "0 type_and_order Functional.linear.0.forward\n");
    // The kernel of that task is another one: not this run, or not this rank.
    const ApiTies other = folder.ties(trace.text(), both, {of_task(3, 5, "MatMulV2")});
    CHECK(lines_of(other).find("exact") == std::string::npos);
    CHECK(codes_of(other.diagnostics) == "trace_other_kernel ");
    // Other names than those of eager mode may hide the type.
    MadeTrace hidden;
    hidden.step(0, 0, 1000);
    hidden.operation("aten::linear", 10, 10);
    hidden.launch(3, 5, "fused_kernel_17", 100, 11);
    const ApiTies unclear = folder.ties(hidden.text(), made_report({made_finding("Functional.linear.0.forward")}),
                                        {of_task(3, 5, "MatMulV2")});
    CHECK(lines_of(unclear) == "0 type_only Functional.linear.0.forward\n");
    CHECK(unclear.ties[0].because.find("the name of its kernel there does not tell the operator type") !=
          std::string::npos);
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
    CHECK(folder.lines(trace.text(), made_report({made_finding("Functional.linear.0.forward")}), {of_task(3, 5)}) ==
          "0 exact Functional.linear.0.forward\n");
}

TEST_CASE("ties by trace: the rank of a trace is that of its profiler_info") {
    TraceFolder folder;
    ApiFinding of_rank_1 = of_step(2, "Functional.linear.1.forward");
    of_rank_1.rank = 1;
    const ApiReport report = made_report({of_step(2, "Functional.linear.1.forward"), of_rank_1});
    KernelOverflow first = of_task(3, 19), second = of_task(3, 19);
    second.rank = 1;
    write_file(folder.folder() / "x_ascend_pt/profiler_info_1.json", "{}");
    const ApiTies ties = folder.ties(two_linears().text(), report, {first, second},
                                     "x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    CHECK(lines_of(ties) ==
          "0 type_and_order Functional.linear.1.forward\n"
          "1 exact Functional.linear.1.forward\n");
    CHECK(ties.ties[1].finding == std::size_t{1});
    // Of two ranks, a trace without one is of neither for certain.
    const ApiTies unknown = folder.ties(two_linears().text(), report, {first, second});
    CHECK(lines_of(unknown).find("exact") == std::string::npos);
    CHECK(codes_of(unknown.diagnostics) == "trace_rank_unknown ");
}

TEST_CASE("ties by trace: of several traces of a rank the one of the overflow's time counts") {
    TemporaryDirectory folder;
    MadeTrace first, later;
    constexpr std::uint64_t kHour = 3'600'000'000;
    for (const auto& [trace, begin] : {std::pair(&first, std::uint64_t{0}), std::pair(&later, kHour)}) {
        trace->step(begin == 0 ? 0 : 50, begin, 1000);
        trace->operation("aten::linear", begin + 10, 10);
        trace->launch(3, 5, kMatMul, begin + 100, begin + 11);
    }
    const ApiReport report =
        made_report({of_step(0, "Functional.linear.0.forward"), of_step(50, "Functional.linear.0.forward")});
    KernelOverflow overflow = of_task(3, 5);
    overflow.timestamp_us = MadeTrace::kBegin + kHour + 105;
    const auto ties = [&](const char* first_path, const char* later_path) {
        ApiTieOptions options;
        options.traces = {write_file(folder / first_path, first.text()), write_file(folder / later_path, later.text())};
        return *tie_api_findings(report, {overflow}, options);
    };
    const ApiTies known = ties("rank0/a.json", "rank0/b.json");
    CHECK(lines_of(known) == "0 exact Functional.linear.0.forward\n");
    CHECK(known.ties[0].finding == std::size_t{1});
    CHECK(known.diagnostics.empty());
    // That of another rank has nothing to say; two that name no rank are of one rank or of two.
    CHECK(lines_of(ties("rank0/a.json", "rank1/b.json")).find("exact") == std::string::npos);
    const ApiTies unknown = ties("a.json", "b.json");
    CHECK(lines_of(unknown) == "0 type_only Functional.linear.0.forward\n");
    CHECK(codes_of(unknown.diagnostics) == "trace_rank_unknown ");
}

TEST_CASE("ties by trace: a trace without flows says so") {
    MadeTrace trace;
    trace.operation("aten::linear", 10, 10);
    trace.task(3, 5, kMatMul, 100);
    TraceFolder folder;
    const ApiTies ties =
        folder.ties(trace.text(), made_report({made_finding("Functional.linear.0.forward")}), {of_task(3, 5)});
    CHECK(lines_of(ties) == "0 type_and_order Functional.linear.0.forward\n");
    CHECK(codes_of(ties.diagnostics) == "trace_without_flows ");
}
