// First culprits across steps: which step answers, dumps without one, and MindSpore's two halves of a step.
#include <doctest/doctest.h>

#include <string>

#include "api_run.hpp"
#include "scan_items.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

void add_dump(ApiRun& run, const std::string& folder, std::vector<MadeCall> calls) {
    run.add_file(folder + "/dump.json", dump_json({"statistics", "L1", "mindspore", std::move(calls)}));
}

MadeCall weight_gradient() {
    MadeCall call = made_call("Cell.fc.Dense.parameters_grad.0", {}, {});
    call.parameters = {{"weight", nan_tensor({8, 8})}};
    return call;
}

MadeCall weight_use() {
    return made_call("Functional.linear.0.forward", {made_tensor(), nan_tensor({8, 8})}, {nan_tensor()});
}

}  // namespace

TEST_CASE("api steps: a dump without a step stands behind those of known ones, and it is said that it may be earlier") {
    ApiRun run;
    add_dump(run, "rank0", {born("Torch.exp.0.forward")});
    add_dump(run, "step8/rank0", {born()});
    add_dump(run, "step9/rank0", {born()});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 8 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(lines_of(report.findings) ==
          "step 8 rank 0 Functional.linear.0.forward born_here\nstep 9 rank 0 Functional.linear.0.forward born_here\n"
          "step - rank 0 Torch.exp.0.forward born_here\n");
    CHECK(message_of(report.diagnostics, "order_unknown") ==
          "1 bad value from dumps without a known step (Torch.exp.0.forward) may be earlier than the first culprit of "
          "step 8: their order is unknown");
}

TEST_CASE("api steps: a dump without a step is first where no step has a culprit, and not told where it has none") {
    ApiRun alone, clean;
    add_dump(alone, "rank0", {born()});
    add_dump(alone, "step8/rank0", {clean_call("Torch.exp.0.forward")});
    CHECK(lines_of(alone.report().first) == "step - rank 0 Functional.linear.0.forward born_here\n");
    CHECK_FALSE(contains(codes_of(alone.report().diagnostics), "order_unknown"));
    add_dump(clean, "rank0", {clean_call("Torch.exp.0.forward")});
    add_dump(clean, "step8/rank0", {born()});
    CHECK(lines_of(clean.report().first) == "step 8 rank 0 Functional.linear.0.forward born_here\n");
    CHECK_FALSE(contains(codes_of(clean.report().diagnostics), "order_unknown"));
}

TEST_CASE("api steps: kernels that CANN dumped without a step do not hide the calls of a known one") {
    ApiRun run;
    run.add(0, 0, {born()});
    run.add_file("20260304180000/0/Exp.exp1.5.3.1772618495000000.csv",
                 "Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,Min Value,Avg Value,Count,Nan Count,"
                 "Negative Inf Count,Positive Inf Count\n"
                 "Input,0,8,DT_FLOAT16,ND,2x2,3,1,2,4,0,0,0\nOutput,0,8,DT_FLOAT16,ND,2x2,inf,1,2,4,0,0,1\n");
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    REQUIRE(report.findings.size() == 2);
    CHECK_FALSE(report.findings[1].step);
    CHECK(contains(message_of(report.diagnostics, "order_unknown"), "(exp1)"));
}

TEST_CASE("api steps: in a step, ranks come by number and processes without one behind them") {
    ApiRun run;
    for (const char* const process : {"step0/proc12", "step0/rank10", "step0/rank2"}) {
        add_dump(run, process, {born()});
    }
    CHECK(lines_of(run.report().first) ==
          "step 0 rank 2 Functional.linear.0.forward born_here\nstep 0 rank 10 Functional.linear.0.forward born_here\n"
          "step 0 rank - Functional.linear.0.forward born_here\n");
}

TEST_CASE("api steps: MindSpore's graph and pynative are two runs, each with its first culprit") {
    ApiRun run;
    add_dump(run, "graph/step3/rank0", {clean_call("Functional.linear.0.forward")});
    add_dump(run, "graph/step5/rank0", {born()});
    add_dump(run, "pynative/step3/rank0", {born("Mint.exp.0.forward")});
    add_dump(run, "pynative/step5/rank0", {born("Mint.exp.0.forward")});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) ==
          "step 5 rank 0 Functional.linear.0.forward born_here\nstep 3 rank 0 Mint.exp.0.forward born_here\n");
    CHECK(contains(message_of(report.diagnostics, "several_runs"), "in 2 folders"));
}

TEST_CASE("api steps: calls between ranks belong together in each of the two alone") {
    const MadeValue good = made_tensor(), bad = nan_tensor();
    ApiRun run;
    add_dump(run, "graph/step0/rank0", {collective("all_reduce", 0, {good}, {bad})});
    add_dump(run, "graph/step0/rank1", {collective("all_reduce", 0, {good}, {bad})});
    add_dump(run, "pynative/step0/rank0", {collective("all_reduce", 0, {good}, {bad})});
    add_dump(run, "pynative/step0/rank1", {born(), collective("all_reduce", 0, {bad}, {bad})});
    CHECK(lines_of(run.report().first) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Functional.linear.0.forward born_here\n");
}

TEST_CASE("api steps: a weight's gradient is looked for in its own run") {
    ApiRun run;
    add_dump(run, "graph/step3/rank0", {clean_call("Functional.gelu.0.forward")});
    add_dump(run, "graph/step4/rank0", {clean_call("Functional.gelu.0.forward")});
    add_dump(run, "pynative/step3/rank0", {weight_gradient()});
    add_dump(run, "pynative/step4/rank0", {weight_use()});
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[1].verdict == ApiVerdict::weight);
    CHECK(contains(codes_of(report.findings[1].remarks), "gradient_of_step_before"));
}
