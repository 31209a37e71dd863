// What came before a bad value: the last clean one of its shape, and the gradients of the step before.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string remark_of(const ApiFinding& finding, const std::string& code) {
    for (const Diagnostic& remark : finding.remarks) {
        if (remark.code == code) {
            return remark.message;
        }
    }
    return {};
}

MadeCall gradient_of(const std::string& module, const MadeValue& gradient) {
    MadeCall call;
    call.name = "Module." + module + ".Linear.parameters_grad.0";
    call.parameters = {{"weight", gradient}};
    return call;
}

MadeCall with_weight(const MadeValue& weight) {
    MadeCall call = made_call("Module.fc.Linear.forward.0", {made_tensor()}, {nan_tensor()});
    call.parameters = {{"weight", weight}};
    return call;
}

/// The finding of step 1 on the module's forward, where step 0 ended with that gradient.
ApiFinding second_step(const MadeValue& gradient, std::uint64_t rank_of_gradient = 0) {
    ApiRun run;
    run.add(0, 0, {clean_call("Functional.gelu.0.forward")});
    run.add(0, rank_of_gradient, {gradient_of("fc", gradient)});
    run.add(1, 0, {with_weight(nan_tensor({8, 8}))});
    const ApiReport report = run.report();
    REQUIRE_FALSE(report.findings.empty());
    return report.findings.back();
}

}  // namespace

TEST_CASE("api provenance: the last clean value of the bad result's shape") {
    ApiRun run;
    run.add(0, 0,
            {made_call("Functional.gelu.0.forward", {made_tensor("1.0", "0.0", "float16", {2, 2})},
                       {made_tensor("1.0", "0.0", "float16", {4, 8})}),
             made_call("Functional.relu.0.forward", {made_tensor("1.0", "0.0", "float16", {2, 2})},
                       {made_tensor("1.0", "0.0", "float16", {2, 2})}),
             made_call("Functional.linear.0.forward", {made_tensor("1.0", "0.0", "float16", {2, 2})},
                       {nan_tensor({4, 8})})});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(remark_of(report.first[0], "last_clean") ==
          "the last clean value of shape [4, 8] before it is output[0] of Functional.gelu.0.forward at position "
          "0");
}

TEST_CASE("api provenance: nothing is said of a shape that no clean value had") {
    ApiRun run;
    run.add(0, 0,
            {clean_call("Functional.gelu.0.forward"),
             made_call("Functional.linear.0.forward", {made_tensor()}, {nan_tensor({3})})});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(remark_of(report.first[0], "last_clean").empty());
}

TEST_CASE("api provenance: a bad input without a source has its last clean shape, one with a source has not") {
    ApiRun run;
    run.add(0, 0,
            {clean_call("Functional.gelu.0.forward"),
             made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor()}),
             made_call("Functional.relu.1.forward", {nan_tensor()}, {nan_tensor()})});
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 2);
    CHECK(remark_of(report.findings[0], "last_clean") ==
          "the last clean value of shape [4, 8] before it is output[0] of Functional.gelu.0.forward at position "
          "0");
    CHECK(remark_of(report.findings[1], "last_clean").empty());
    CHECK_FALSE(remark_of(report.findings[1], "fed_by").empty());
}

TEST_CASE("api provenance: a bad weight has the gradient of the step before") {
    const ApiFinding finding = second_step(nan_tensor({8, 8}));
    CHECK(finding.verdict == ApiVerdict::weight);
    CHECK(contains(remark_of(finding, "gradient_of_step_before"),
                   "Module.fc.Linear.parameters_grad.0 of step 0 has the same shape and statistics"));
}

TEST_CASE("api provenance: gradients of other shapes and of other ranks are not those of the weight") {
    CHECK(remark_of(second_step(nan_tensor({8})), "gradient_of_step_before").empty());
    CHECK(remark_of(second_step(nan_tensor({8, 8}), 1), "gradient_of_step_before").empty());
}

TEST_CASE("api provenance: a bad input that only the gradients of the step before have") {
    ApiRun run;
    run.add(0, 0, {gradient_of("fc", nan_tensor({8, 8}))});
    run.add(1, 0, {made_call("Mine.scale.0.forward", {made_tensor(), nan_tensor({8, 8})}, {nan_tensor()})});
    const ApiReport report = run.report();
    const ApiFinding& finding = report.findings.back();
    CHECK(finding.verdict == ApiVerdict::inherited);
    CHECK(codes_of(finding.remarks) == "gradient_of_step_before ");
}
