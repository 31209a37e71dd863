// First culprits across steps, and what came before a bad value.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "scan_items.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

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

TEST_CASE("api steps: a dump without a step stands after those of known ones, and it is said that it may be earlier") {
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

TEST_CASE("api steps: in a step, ranks come by number and processes without one after them") {
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

namespace {

std::string remark_of(const ApiFinding& finding, const std::string& code) {
    for (const Diagnostic& remark : finding.remarks) {
        if (remark.code == code) {
            return remark.message;
        }
    }
    return {};
}

/// The finding of step 1 on the module's forward, where step 0 ended with that gradient.
ApiFinding second_step(const std::string& gradient, std::uint64_t rank_of_gradient = 0) {
    ApiRun run;
    run.add(0, 0, {clean_call("Functional.gelu.0.forward")});
    run.add(0, rank_of_gradient, calls_of("Module.fc.Linear.parameters_grad.0(weight:" + gradient + ")"));
    run.add(1, 0, calls_of("Module.fc.Linear.forward.0(. weight:nan@8,8) nan"));
    const ApiReport report = run.report();
    REQUIRE_FALSE(report.findings.empty());
    return report.findings.back();
}

/// The remark on the last clean value of each finding on one rank's calls.
std::vector<std::string> last_clean_of(const char* calls) {
    ApiRun run;
    run.add(0, 0, calls_of(calls));
    std::vector<std::string> remarks;
    for (const ApiFinding& finding : run.report().findings) {
        remarks.push_back(remark_of(finding, "last_clean"));
    }
    return remarks;
}

}  // namespace

TEST_CASE("api provenance: the last clean value of the bad result's shape, or of a bad input without a source") {
    using Remarks = std::vector<std::string>;
    const std::string gelu =
        "the last clean value of shape [4, 8] before it is output[0] of Functional.gelu.0.forward at position 0";
    CHECK(last_clean_of("Functional.gelu(.@2,2) .@4,8; Functional.relu(.@2,2) .@2,2; Functional.linear(.@2,2) nan") ==
          Remarks{gelu});
    CHECK(last_clean_of("Functional.gelu(.) .; Functional.linear(.) nan@3") == Remarks{""});  // none had that shape
    CHECK(last_clean_of("Functional.gelu(.) .; Functional.relu(nan) nan; Functional.relu.1(nan) nan") ==
          Remarks{gelu, ""});  // the second has a source
}

TEST_CASE("api provenance: a bad weight has the gradient of the step before") {
    const ApiFinding finding = second_step("nan@8,8");
    CHECK(finding.verdict == ApiVerdict::weight);
    CHECK(contains(remark_of(finding, "gradient_of_step_before"),
                   "Module.fc.Linear.parameters_grad.0 of step 0 has the same shape and statistics"));
}

TEST_CASE("api provenance: gradients of other shapes and of other ranks are not those of the weight") {
    CHECK(remark_of(second_step("nan@8"), "gradient_of_step_before").empty());
    CHECK(remark_of(second_step("nan@8,8", 1), "gradient_of_step_before").empty());
}

TEST_CASE("api provenance: a bad input that only the gradients of the step before have") {
    ApiRun run;
    run.add(0, 0, calls_of("Module.fc.Linear.parameters_grad.0(weight:nan@8,8)"));
    run.add(1, 0, calls_of("Mine.scale(. nan@8,8) nan"));
    const ApiReport report = run.report();
    const ApiFinding& finding = report.findings.back();
    CHECK(finding.verdict == ApiVerdict::inherited);
    CHECK(codes_of(finding.remarks) == "gradient_of_step_before ");
}
