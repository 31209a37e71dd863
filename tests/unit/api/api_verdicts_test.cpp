// Verdicts on single calls: whether the bad value was born in the call.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct VerdictCase {
    const char* what;
    const char* calls;
    const char* verdicts;
    MsprobeVersion version = MsprobeVersion::june_2025;
};

/// The first culprit of one rank's calls in that step.
ApiFinding first_finding(std::string_view calls, std::uint64_t step = 0,
                         MsprobeVersion version = MsprobeVersion::june_2025) {
    ApiRun run;
    run.add(step, 0, calls_of(calls), version);
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    return report.first[0];
}

}  // namespace

TEST_CASE("api verdicts: clean inputs and a bad output, and the reason with the value") {
    ApiRun run;
    run.add(0, 3, calls_of("Functional.gelu(.) .; Functional.linear(.) inf/-3.5"));
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

TEST_CASE("api verdicts: each call of a rank") {
    const MsprobeVersion old = MsprobeVersion::may_2024;  // inputs were measured after the call
    const std::vector<VerdictCase> cases{
        {"a bad input in a list", "Torch.cat([. nan]) nan", "Torch.cat inherited"},
        {"in a list of lists", "Torch.cat([[nan]]) nan", "Torch.cat inherited"},
        {"in a dict by name", "NPU.npu_fusion_attention(. bias={inner=nan}) nan", "NPU.npu_fusion_attention inherited"},
        {"a number that is not finite", "Tensor.mul(. #nan) nan", "Tensor.mul inherited"},
        {"a bad output in a list", "Torch.split(.) [. nan]", "Torch.split born_here"},
        {"a bad input that goes no farther", "Torch.nan_to_num(nan) .", "Torch.nan_to_num absorbed"},
        {"a weight by its place", "Functional.linear(. nan@8,8) nan", "Functional.linear weight"},
        {"a number in the place of a weight", "Functional.linear(. #nan) nan", "Functional.linear inherited"},
        {"a number in that of a bias", "Functional.linear(. . bias=#inf) nan", "Functional.linear inherited"},
        {"a parameter", "Module.fc.Linear.forward.0(. weight:nan) nan", "Module.fc.Linear.forward.0 weight"},
        {"a parameter without results", "Module.fc.Linear.forward.0(. weight:nan)",
         "Module.fc.Linear.forward.0 weight"},
        {"both limits of the type", "Functional.linear(.) 65504.0/-65504.0", "Functional.linear saturated"},
        {"the lower limit", "Functional.linear(.) 12.0/-65504.0", "Functional.linear saturated"},
        {"infinity next to a limit", "Functional.linear(.) inf/-1.0 65504.0/-1.0", "Functional.linear born_here"},
        {"memory that nobody wrote does not hide what was bad before",
         "Functional.linear(.) nan; Torch.empty() nan; Functional.relu(nan) nan",
         "Functional.linear born_here, Functional.relu inherited"},
        {"an argument that is only written", "Torch.add(. out=nan) .", ""},
        {"random states of attention", "NPU.npu_fusion_attention(.) . . . . nan nan", ""},
        {"in place, as old versions show it",
         "Functional.linear(.) .; Tensor.mul_(nan .) nan; Functional.relu(nan) nan; Tensor.add_(nan .) nan",
         "Tensor.mul_ born_here, Functional.relu inherited, Tensor.add_ inherited", old},
        {"in place, as versions from 1.2.0 on show it", "Tensor.mul_(nan .) nan", "Tensor.mul_ inherited"},
        {"in place with a second bad argument", "Tensor.mul_(nan nan) nan", "Tensor.mul_ inherited", old},
        {"the gradient of a parameter",
         "Module.fc.Linear.backward.0(.) .; Module.fc.Linear.parameters_grad.0(weight:nan)",
         "Module.fc.Linear.parameters_grad.0 born_here"},
        {"a gradient after a bad backward",
         "Functional.linear.0.backward(.) nan; Module.fc.Linear.parameters_grad.0(weight:nan)",
         "Functional.linear.0.backward born_here, Module.fc.Linear.parameters_grad.0 inherited"},
        {"modules around what made the value",
         "Functional.linear(.) nan; Module.layer.fc.Linear.forward.0(.) nan; Module.layer.Block.forward.0(.) nan",
         "Functional.linear born_here, Module.layer.fc.Linear.forward.0 inherited, "
         "Module.layer.Block.forward.0 inherited"},
        {"modules alone: the innermost is written first",
         "Module.layer.fc.Linear.forward.0(.) nan; Module.layer.Block.forward.0(.) nan; "
         "Module.layers.Block.forward.0(.) nan",
         "Module.layer.fc.Linear.forward.0 born_here, Module.layer.Block.forward.0 inherited, "
         "Module.layers.Block.forward.0 born_here"},
        {"the register alone", "Functional.relu(.) . !0; Functional.linear(.) . !1", "Functional.linear process"},
        {"the register and a limit", "Functional.linear(.) 65504.0/0.0 !1", "Functional.linear saturated"},
        {"inputs without statistics", "Functional.linear(null/null) nan", "Functional.linear unknown"},
    };
    for (const VerdictCase& one : cases) {
        CAPTURE(one.what);
        CHECK(verdicts_of(one.calls, one.version) == one.verdicts);
    }
    for (const MsprobeVersion version :
         {MsprobeVersion::may_2024, MsprobeVersion::august_2024, MsprobeVersion::march_2026}) {
        CHECK(verdicts_of("Functional.linear.0.backward(.) nan; Functional.relu.0.backward(nan) nan", version) ==
              "Functional.linear.0.backward born_here, Functional.relu.0.backward inherited");
    }
}

TEST_CASE("api verdicts: memory that nobody wrote is no evidence, and arguments that are only written are no inputs") {
    for (const std::string api : {"Torch.empty", "Tensor.new_empty", "Torch.empty_like", "Torch.empty_strided",
                                  "Primitive.net.Empty", "Primitive.net.NewEmpty"}) {
        CAPTURE(api);
        CHECK(verdicts_of(api + "() nan; Tensor.copy_(nan .) .").empty());
    }
    for (const std::string api :
         {"Tensor.copy_", "Tensor.zero_", "Tensor.fill_", "Tensor.normal_", "Torch.zeros_like"}) {
        CAPTURE(api);
        CHECK(verdicts_of(api + "(nan .) .").empty());
    }
}

TEST_CASE("api verdicts: the first culprit") {
    const std::vector<VerdictCase> cases{
        {"0 * -Inf is NaN: the call shows it first", "Tensor.mul(. #-inf) nan; Functional.relu(nan) nan", "Tensor.mul"},
        {"what was absorbed is none", "Torch.nan_to_num(nan) .", ""},
        {"in place, as old versions show it",
         "Functional.linear(.) .; Tensor.mul_(nan .) nan; Functional.relu(nan) nan; Tensor.add_(nan .) nan",
         "Tensor.mul_", MsprobeVersion::may_2024},
        {"the call that made the result of a module", "Functional.linear(.) nan; Module.fc.Linear.forward.0(.) nan",
         "Functional.linear"},
        {"in a backward the module may be before",
         "Module.conv1.Conv2d.backward.0(.) nan; Functional.conv2d.0.backward(.) nan", "Functional.conv2d.0.backward"},
        {"of modules alone the innermost",
         "Module.layer.fc.Linear.forward.0(.) nan; Module.layer.Block.forward.0(.) nan",
         "Module.layer.fc.Linear.forward.0"},
        {"no call inside is bad: what is not hooked inside made it",
         "Functional.linear(.) .; Module.fc.Linear.forward.0(.) nan", "Module.fc.Linear.forward.0"},
        {"the register alone", "Functional.relu(.) . !0; Functional.linear(.) . !1", "Functional.linear"},
    };
    for (const VerdictCase& one : cases) {
        CAPTURE(one.what);
        CHECK(first_bad_of(one.calls, one.version) == one.verdicts);
    }
}

TEST_CASE("api verdicts: remarks on the first culprit") {
    const auto has = [](const char* code, std::string_view calls, std::uint64_t step = 0,
                        MsprobeVersion version = MsprobeVersion::june_2025) {
        return contains(codes_of(first_finding(calls, step, version).remarks), std::string(code) + " ");
    };
    CHECK(codes_of(first_finding("Functional.linear(. . bias=#inf) nan").remarks).starts_with("bad_number "));
    CHECK(has("weight_of_step_before", "Module.fc.Linear.forward.0(. weight:nan) nan", 4));
    CHECK(has("weight_argument", "Functional.linear(. nan@8,8) nan"));
    CHECK_FALSE(has("weight_argument", "Module.fc.Linear.forward.0(. weight:nan) nan"));
    const char* const read_unwritten = "Torch.empty() nan@8; Functional.linear(. nan@8) nan";
    CHECK(first_bad_of(read_unwritten) == "Functional.linear");
    CHECK(first_finding(read_unwritten).verdict == ApiVerdict::born_here);
    CHECK(has("unwritten_memory", read_unwritten));
    // In place, as old versions show it: the call is the source.
    CHECK_FALSE(
        has("source_not_dumped", "Functional.linear(.) .; Tensor.mul_(nan .) nan", 0, MsprobeVersion::may_2024));
}

TEST_CASE("api verdicts: of many bad values the first sixteen are listed") {
    std::string calls = "Torch.split(.)";
    for (int i = 0; i < 20; ++i) {
        calls += " nan";
    }
    const ApiFinding finding = first_finding(calls);
    REQUIRE(finding.values.size() == 16);
    CHECK(finding.values.back().value.index == "15");
}

TEST_CASE("api verdicts: a visible culprit goes before one that nothing but the register shows") {
    CHECK(first_bad_of("Functional.gelu(.) . !1; Functional.linear(.) nan") == "Functional.linear");
    ApiRun run;  // to be listed by overflow_check is the flag
    run.add(0, 0, {clean_call("Functional.gelu.0.forward")}, MsprobeVersion::june_2025, "overflow_check");
    CHECK(lines_of(run.report().findings) == "step 0 rank 0 Functional.gelu.0.forward process\n");
}

TEST_CASE("api verdicts: without statistics there is no verdict, and the report says so") {
    ApiRun run;
    run.add(0, 0, calls_of("Functional.linear(null/null) null/null"));
    const ApiReport report = run.report();
    CHECK(report.findings.empty());
    CHECK(contains(codes_of(report.diagnostics), "no_statistics "));
}

TEST_CASE("api verdicts: after how many calls the overflow register could not be read is reported") {
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
    run.add(0, 0, calls_of("Functional.linear(.) nan; Functional.relu(nan) nan@2,2; Torch.sum(nan@7) nan@1"));
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 3);
    CHECK(codes_of(report.findings[0].remarks) == "feeds ");
    CHECK(codes_of(report.findings[1].remarks) == "fed_by ");
    CHECK(contains(report.findings[1].remarks[0].message, "Functional.linear.0.forward at position 0"));
    CHECK(codes_of(report.findings[2].remarks) == "source_not_dumped ");
}
