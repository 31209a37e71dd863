// Verdicts on single calls: whether the bad value was born in the call.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("api verdicts: clean inputs and a bad output, and the reason with the value") {
    ApiRun run;
    run.add(0, 3,
            {clean_call("Functional.gelu.0.forward"),
             made_call("Functional.linear.0.forward", {made_tensor()}, {made_tensor("Infinity", "-3.5")})});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    const ApiFinding& finding = report.first[0];
    CHECK(finding.verdict == ApiVerdict::born_here);
    CHECK(finding.because == "inputs clean, output[0] Max inf");
    CHECK(finding.position == 1);
    CHECK(finding.step == 0U);
    CHECK(finding.rank == 3U);
    REQUIRE(finding.values.size() == 2);  // an infinity may be the quotient of an input that is 0
    CHECK(finding.values[0].state == ApiState::clean);
    CHECK(finding.values[0].value.kind == ApiValueKind::input);
    CHECK(finding.values[1].state == ApiState::inf);
    CHECK(finding.values[1].value.kind == ApiValueKind::output);
}

TEST_CASE("api verdicts: bad inputs are inherited, also inside lists, dicts and named arguments") {
    CHECK(verdicts_of({made_call("Torch.cat.0.forward", {made_list({made_tensor(), nan_tensor()})}, {nan_tensor()})}) ==
          "Torch.cat.0.forward inherited\n");
    CHECK(verdicts_of({made_call("Torch.cat.0.forward", {made_list({made_list({nan_tensor()})})}, {nan_tensor()})}) ==
          "Torch.cat.0.forward inherited\n");
    MadeCall named = born("NPU.npu_fusion_attention.0.forward");
    named.named_inputs = {{"bias", made_dict({{"inner", nan_tensor()}})}};
    CHECK(verdicts_of({named}) == "NPU.npu_fusion_attention.0.forward inherited\n");
}

TEST_CASE("api verdicts: a number that is not finite is a bad input") {
    CHECK(verdicts_of({made_call("Tensor.mul.0.forward", {made_tensor(), made_scalar("float", "NaN")},
                                 {nan_tensor()})}) == "Tensor.mul.0.forward inherited\n");
}

TEST_CASE("api verdicts: what a call makes of -Inf that was given is told as found first") {
    // 0 * -Inf is NaN: the call shows it first, its number is not clean.
    const std::vector<MadeCall> calls{
        made_call("Tensor.mul.0.forward", {made_tensor(), made_scalar("float", "-Infinity")}, {nan_tensor()}),
        made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor()})};
    CHECK(first_api_of(calls) == "Tensor.mul.0.forward");
}

TEST_CASE("api verdicts: a bad output inside a list") {
    CHECK(verdicts_of({made_call("Torch.split.0.forward", {made_tensor()},
                                 {made_list({made_tensor(), nan_tensor()})})}) == "Torch.split.0.forward born_here\n");
}

TEST_CASE("api verdicts: bad inputs and clean outputs are absorbed, and no culprits") {
    const std::vector<MadeCall> calls{made_call("Torch.nan_to_num.0.forward", {nan_tensor()}, {made_tensor()})};
    CHECK(verdicts_of(calls) == "Torch.nan_to_num.0.forward absorbed\n");
    CHECK(first_api_of(calls).empty());
}

TEST_CASE("api verdicts: a number in a weight's place is one that the program gave") {
    const auto linear = [](MadeValue weight) {
        return made_call("Functional.linear.0.forward", {made_tensor(), std::move(weight)}, {nan_tensor()});
    };
    CHECK(verdicts_of({linear(nan_tensor({8, 8}))}) == "Functional.linear.0.forward weight\n");
    CHECK(verdicts_of({linear(made_scalar("float", "NaN"))}) == "Functional.linear.0.forward inherited\n");
    MadeCall named = linear(made_tensor());
    named.named_inputs = {{"bias", made_scalar("float", "Infinity")}};
    CHECK(verdicts_of({named}) == "Functional.linear.0.forward inherited\n");
    ApiRun run;
    run.add(0, 0, {named});
    const ApiReport report = run.report();
    CHECK(codes_of(report.first.at(0).remarks).find("bad_number ") == 0);
}

TEST_CASE("api verdicts: a bad weight points to the step before") {
    MadeCall module = born("Module.fc.Linear.forward.0");
    module.parameters = {{"weight", nan_tensor()}};
    CHECK(verdicts_of({module}) == "Module.fc.Linear.forward.0 weight\n");
    ApiRun run;
    run.add(4, 0, {module});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(contains(codes_of(report.first[0].remarks), "weight_of_step_before "));
    // Also where the results were not dumped.
    module.outputs.clear();
    CHECK(verdicts_of({module}) == "Module.fc.Linear.forward.0 weight\n");
}

TEST_CASE("api verdicts: a weight by its place in the call is told as that, one of a module is not") {
    ApiRun run;
    run.add(0, 0, {made_call("Functional.linear.0.forward", {made_tensor(), nan_tensor({8, 8})}, {nan_tensor()})});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(contains(codes_of(report.first[0].remarks), "weight_argument "));
    MadeCall module = born("Module.fc.Linear.forward.0");
    module.parameters = {{"weight", nan_tensor()}};
    ApiRun of_module;
    of_module.add(0, 0, {module});
    CHECK_FALSE(contains(codes_of(of_module.report().first.at(0).remarks), "weight_argument "));
}

TEST_CASE("api verdicts: of many bad values the first sixteen are listed") {
    ApiRun run;
    run.add(0, 0, {made_call("Torch.split.0.forward", {made_tensor()}, std::vector<MadeValue>(20, nan_tensor()))});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    REQUIRE(report.first[0].values.size() == 16);
    CHECK(report.first[0].values.back().value.index == "15");
}

TEST_CASE("api verdicts: results at the limit of their type are saturated") {
    CHECK(verdicts_of({made_call("Functional.linear.0.forward", {made_tensor()},
                                 {made_tensor("65504.0", "-65504.0")})}) == "Functional.linear.0.forward saturated\n");
    CHECK(verdicts_of({made_call("Functional.linear.0.forward", {made_tensor()}, {made_tensor("12.0", "-65504.0")})}) ==
          "Functional.linear.0.forward saturated\n");
    CHECK(verdicts_of({made_call("Functional.linear.0.forward", {made_tensor()},
                                 {made_tensor("Infinity", "-1.0"), made_tensor("65504.0", "-1.0")})}) ==
          "Functional.linear.0.forward born_here\n");
}

TEST_CASE("api verdicts: memory that nobody wrote is no evidence, nor is what is read of it") {
    for (const char* api :
         {"Torch.empty.0.forward", "Tensor.new_empty.0.forward", "Torch.empty_like.0.forward",
          "Torch.empty_strided.0.forward", "Primitive.net.Empty.0.forward", "Primitive.net.NewEmpty.0.forward"}) {
        CAPTURE(api);
        CHECK(verdicts_of({made_call(api, {}, {nan_tensor()}),
                           made_call("Tensor.copy_.0.forward", {nan_tensor(), made_tensor()}, {made_tensor()})})
                  .empty());
    }
}

TEST_CASE("api verdicts: a bad result of memory that nobody wrote is told with a warning") {
    ApiRun run;
    run.add(0, 0,
            {made_call("Torch.empty.0.forward", {}, {nan_tensor({8})}),
             made_call("Functional.linear.0.forward", {made_tensor(), nan_tensor({8})}, {nan_tensor()})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    REQUIRE(!report.first.empty());
    CHECK(contains(codes_of(report.first[0].remarks), "unwritten_memory "));
}

TEST_CASE("api verdicts: memory that nobody wrote does not hide a bad result of the same looks before it") {
    CHECK(verdicts_of({born(), made_call("Torch.empty.0.forward", {}, {nan_tensor()}),
                       made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor()})}) ==
          "Functional.linear.0.forward born_here\nFunctional.relu.0.forward inherited\n");
}

TEST_CASE("api verdicts: arguments that are only written are no inputs") {
    for (const char* api : {"Tensor.copy_.0.forward", "Tensor.zero_.0.forward", "Tensor.fill_.0.forward",
                            "Tensor.normal_.0.forward", "Torch.zeros_like.0.forward"}) {
        CAPTURE(api);
        CHECK(verdicts_of({made_call(api, {nan_tensor(), made_tensor()}, {made_tensor()})}).empty());
    }
    MadeCall out = clean_call("Torch.add.0.forward");
    out.named_inputs = {{"out", nan_tensor()}};
    CHECK(verdicts_of({out}).empty());
}

TEST_CASE("api verdicts: the random states of attention are no results") {
    const MadeValue state = made_tensor("NaN", "NaN");
    CHECK(verdicts_of({made_call("NPU.npu_fusion_attention.0.forward", {made_tensor()},
                                 {made_tensor(), made_tensor(), made_tensor(), made_tensor(), state, state})})
              .empty());
}

TEST_CASE("api verdicts: in-place calls of old versions show their result as input") {
    const std::vector<MadeCall> calls{
        clean_call("Functional.linear.0.forward"),
        made_call("Tensor.mul_.0.forward", {nan_tensor(), made_tensor()}, {nan_tensor()}),
        made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor()}),
        made_call("Tensor.add_.0.forward", {nan_tensor(), made_tensor()}, {nan_tensor()})};
    CHECK(verdicts_of(calls, MsprobeVersion::may_2024) ==
          "Tensor.mul_.0.forward born_here\nFunctional.relu.0.forward inherited\nTensor.add_.0.forward inherited\n");
    CHECK(first_api_of(calls, MsprobeVersion::may_2024) == "Tensor.mul_.0.forward");
    ApiRun run;
    run.add(0, 0, calls, MsprobeVersion::may_2024);
    CHECK_FALSE(contains(codes_of(run.report().first.at(0).remarks), "source_not_dumped"));  // it is the source
    // From 1.2.0 on inputs are measured before the call.
    CHECK(verdicts_of({calls[1]}, MsprobeVersion::june_2025) == "Tensor.mul_.0.forward inherited\n");
    // With a second bad argument nothing is in doubt.
    CHECK(verdicts_of({made_call("Tensor.mul_.0.forward", {nan_tensor(), nan_tensor()}, {nan_tensor()})},
                      MsprobeVersion::may_2024) == "Tensor.mul_.0.forward inherited\n");
}

TEST_CASE("api verdicts: what enters and leaves a backward, in all versions") {
    for (const MsprobeVersion version :
         {MsprobeVersion::may_2024, MsprobeVersion::august_2024, MsprobeVersion::march_2026}) {
        CHECK(verdicts_of({born("Functional.linear.0.backward"),
                           made_call("Functional.relu.0.backward", {nan_tensor()}, {nan_tensor()})},
                          version) == "Functional.linear.0.backward born_here\nFunctional.relu.0.backward inherited\n");
    }
}

TEST_CASE("api verdicts: gradients of parameters are looked at") {
    MadeCall gradient;
    gradient.name = "Module.fc.Linear.parameters_grad.0";
    gradient.parameters = {{"weight", nan_tensor()}};
    CHECK(verdicts_of({clean_call("Module.fc.Linear.backward.0"), gradient}) ==
          "Module.fc.Linear.parameters_grad.0 born_here\n");
    CHECK(verdicts_of({born("Functional.linear.0.backward"), gradient}) ==
          "Functional.linear.0.backward born_here\nModule.fc.Linear.parameters_grad.0 inherited\n");
}

TEST_CASE("api verdicts: without construct.json the call that made the result of a module is the culprit") {
    CHECK(first_api_of({born("Functional.linear.0.forward"), born("Module.fc.Linear.forward.0")}) ==
          "Functional.linear.0.forward");
    CHECK(first_api_of({born("Module.conv1.Conv2d.backward.0"), born("Functional.conv2d.0.backward")}) ==
          "Functional.conv2d.0.backward");
    // Modules alone: the innermost is written first.
    CHECK(first_api_of({born("Module.layer.fc.Linear.forward.0"), born("Module.layer.Block.forward.0")}) ==
          "Module.layer.fc.Linear.forward.0");
    // Modules around what made the value made none.
    CHECK(verdicts_of({born("Functional.linear.0.forward"), born("Module.layer.fc.Linear.forward.0"),
                       born("Module.layer.Block.forward.0")}) ==
          "Functional.linear.0.forward born_here\nModule.layer.fc.Linear.forward.0 inherited\n"
          "Module.layer.Block.forward.0 inherited\n");
    CHECK(verdicts_of({born("Module.layer.fc.Linear.forward.0"), born("Module.layer.Block.forward.0"),
                       born("Module.layers.Block.forward.0")}) ==
          "Module.layer.fc.Linear.forward.0 born_here\nModule.layer.Block.forward.0 inherited\n"
          "Module.layers.Block.forward.0 born_here\n");
    // No call inside is bad: what is not hooked inside made it.
    CHECK(first_api_of({clean_call("Functional.linear.0.forward"), born("Module.fc.Linear.forward.0")}) ==
          "Module.fc.Linear.forward.0");
}

TEST_CASE("api verdicts: the register says overflow, the values nothing") {
    MadeCall flagged = clean_call("Functional.linear.0.forward");
    flagged.is_nan = 1;
    MadeCall silent = clean_call("Functional.relu.0.forward");
    silent.is_nan = 0;
    CHECK(verdicts_of({silent, flagged}) == "Functional.linear.0.forward process\n");
    CHECK(first_api_of({silent, flagged}) == "Functional.linear.0.forward");
    flagged.outputs = {made_tensor("65504.0", "0.0")};
    CHECK(verdicts_of({flagged}) == "Functional.linear.0.forward saturated\n");
    // A visible culprit goes before one that nothing but the register shows.
    CHECK(first_api_of({flagged = clean_call("Functional.gelu.0.forward"), born()}) == "Functional.linear.0.forward");
}

TEST_CASE("api verdicts: to be listed by overflow_check is the flag") {
    ApiRun run;
    run.add(0, 0, {clean_call("Functional.gelu.0.forward")}, MsprobeVersion::june_2025, "overflow_check");
    CHECK(lines_of(run.report().findings) == "step 0 rank 0 Functional.gelu.0.forward process\n");
}

TEST_CASE("api verdicts: without statistics there is no verdict, and the report says so") {
    ApiRun run;
    const MadeValue nothing = made_tensor("null", "null");
    run.add(0, 0, {made_call("Functional.linear.0.forward", {nothing}, {nothing})});
    const ApiReport report = run.report();
    CHECK(report.findings.empty());
    CHECK(contains(codes_of(report.diagnostics), "no_statistics "));
    CHECK(verdicts_of({made_call("Functional.linear.0.forward", {nothing}, {nan_tensor()})}) ==
          "Functional.linear.0.forward unknown\n");
}

TEST_CASE("api verdicts: behind how many calls the overflow register could not be read is told") {
    ApiRun run;
    run.add_file("step0/rank0/dump.json", R"({"task":"nan_check","level":"L1","framework":"pytorch","data":{)"
                                          R"("Torch.a.0.forward":{"is_nan":null},"Torch.b.0.forward":{"is_nan":0},)"
                                          R"("Torch.c.0.forward":{"is_nan":null}}})");
    const ApiReport report = run.report();
    REQUIRE(codes_of(report.diagnostics) == "register_unread ");
    CHECK(report.diagnostics[0].severity == Severity::warning);
    CHECK(contains(report.diagnostics[0].message,
                   "step0/rank0/dump.json: the overflow register could not be read after 2 calls"));
}

TEST_CASE("api verdicts: where a bad input comes from, and what a culprit feeds") {
    ApiRun run;
    run.add(0, 0,
            {born(), made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor({2, 2})}),
             made_call("Torch.sum.0.forward", {nan_tensor({7})}, {nan_tensor({1})})});
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 3);
    CHECK(codes_of(report.findings[0].remarks) == "feeds ");
    CHECK(codes_of(report.findings[1].remarks) == "fed_by ");
    CHECK(contains(report.findings[1].remarks[0].message, "Functional.linear.0.forward at position 0"));
    CHECK(codes_of(report.findings[2].remarks) == "source_not_dumped ");
}
