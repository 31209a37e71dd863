// A case for each outcome, rule and kind of break of a run next to its benchmark. The answers follow from the planted
// values, by the rules in docs/internals/api-rules.md.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "api_pairs/bench.hpp"
#include "api_run.hpp"

using namespace opdebug;
using namespace opdebug::api_pairs;
using namespace opdebug::test;

namespace {

using MadeCalls = std::vector<MadeCall>;

/// Input, linear, its activation, its backward and a gradient: clean, with numbers of their own.
MadeCalls clean_step(const std::string& output_max = "2.5") {
    return {made_call("Functional.linear.0.forward", {made_tensor("1.5", "-1.5")}, {made_tensor("2.5", "-2.0")}),
            made_call("Functional.gelu.0.forward", {made_tensor("2.5", "-2.0")}, {made_tensor(output_max, "-0.25")}),
            made_call("Functional.gelu.0.backward", {made_tensor("0.5", "-0.5")}, {made_tensor("0.75", "-0.5")}),
            made_call("Functional.linear.0.backward", {made_tensor("0.75", "-0.5")}, {made_tensor("0.625", "-0.5")})};
}

MadeCall gradient(MadeValue value) {
    MadeCall call;
    call.name = "Module.fc.Linear.parameters_grad.0";
    call.parameters = {{"weight", std::move(value)}};
    return call;
}

/// NaN made by gelu; the backward passes it on to the gradient.
MadeCalls nan_step() {
    MadeCalls calls = clean_step();
    calls[1].outputs = {nan_tensor()};
    calls[2].inputs = calls[2].outputs = calls[3].inputs = calls[3].outputs = {nan_tensor()};
    calls.push_back(gradient(nan_tensor()));
    return calls;
}

/// NaN made by gelu that no later call shows.
MadeCalls quiet_nan_step() {
    MadeCalls calls = clean_step();
    calls[1].outputs = {nan_tensor()};
    calls.push_back(gradient(made_tensor("0.5", "-0.5")));
    return calls;
}

BenchComparison compared(const ApiRun& here, const ApiRun& there, std::int64_t offset = 0) {
    Result<BenchReport> report = compare_with_bench({here.path()}, {there.path()}, {{}, offset});
    REQUIRE(report.ok());
    return std::move(report->bench);
}

/// "here_only neither rule=here_only problem=0 strong".
std::string summary_of(const BenchComparison& bench) {
    std::string text;
    for (const StepPair& step : bench.steps) {
        text += std::string(to_string(step.outcome)) + (step.same_call ? "(same) " : " ");
    }
    text += "rule=" + std::string(to_string(bench.rule));
    return bench.problem ? text + " problem=" + std::to_string(*bench.steps[*bench.problem].step) +
                               (bench.is_strong ? " strong" : " weak")
                         : text;
}

/// "Functional.gelu.0.forward breaks_here strong reached_results", one line each.
std::string breaks_in(const BenchComparison& bench) {
    std::string text;
    for (const Break& one : bench.breaks) {
        text += one.api + " " + std::string(to_string(one.kind)) + (one.is_strong ? " strong " : " ") +
                std::string(to_string(one.matters)) + "\n";
    }
    return text;
}

std::string needed_in(const std::vector<LocalizedText>& needed) {
    std::string text;
    for (const LocalizedText& one : needed) {
        CHECK(!one.zh.empty());
        text += one.en + "\n";
    }
    return text;
}

BenchComparison one_step(const MadeCalls& here_calls, const MadeCalls& there_calls) {
    ApiRun here, there;
    here.add(0, 0, here_calls);
    there.add(0, 0, there_calls);
    return compared(here, there);
}

}  // namespace

TEST_CASE("bench: a step that is bad only here is the problem step, and the call that made the value breaks") {
    ApiRun here, there;
    for (std::uint64_t step = 0; step < 4; ++step) {
        here.add(step, 0, step < 2 ? clean_step() : nan_step());
        there.add(step, 0, clean_step());
    }
    const BenchComparison bench = compared(here, there);
    CHECK(summary_of(bench) == "neither neither here_only here_only rule=here_only problem=2 strong");
    CHECK(breaks_in(bench) == "Functional.gelu.0.forward breaks_here strong reached_results\n");
    CHECK(bench.breaks[0].because.en ==
          "the inputs agree, but the result differs: output[0] is NaN here, clean in the benchmark");
    CHECK(bench.breaks[0].matters_because.en == "Module.fc.Linear.parameters_grad.0 has a bad value");
    CHECK(bench.pairs.paired == 16);
    CHECK(bench.pairs.only_here == 2);  // the gradients of steps 2 and 3
    CHECK(bench.only_here == std::vector<std::string>{"Module.fc.Linear.parameters_grad.0"});
    CHECK(bench.pairs.only_there == 0);
}

TEST_CASE("bench: bad on both sides as often is no fault of the NPU") {
    ApiRun here, there;
    here.add(0, 0, nan_step());
    there.add(0, 0, nan_step());
    here.add(1, 0, clean_step());
    there.add(1, 0, clean_step());
    CHECK(summary_of(compared(here, there)) == "there_too(same) neither rule=alike");
    // In different calls: there too, and the call here is still compared.
    MadeCalls other = clean_step();
    other[0].outputs = {nan_tensor()};
    other[0].name = "Torch.log.0.forward";
    MadeCalls mine = quiet_nan_step();
    mine[0].name = "Torch.log.0.forward";
    const BenchComparison different = one_step(mine, other);
    CHECK(summary_of(different) == "there_too rule=alike");
    CHECK(breaks_in(different).find("Functional.gelu.0.forward breaks_here") == 0);
}

TEST_CASE("bench: bad more often here: the first step that is bad only here, weakly below 50 steps") {
    ApiRun here, there;
    for (std::uint64_t step = 0; step < 4; ++step) {
        here.add(step, 0, step == 0 ? clean_step() : nan_step());
        there.add(step, 0, step == 1 ? nan_step() : clean_step());
    }
    const BenchComparison bench = compared(here, there);
    CHECK(summary_of(bench) == "neither there_too(same) here_only here_only rule=more_often problem=2 weak");
    CHECK(bench.bad_here == 2);  // without the step with the same bad call on both sides
    CHECK(bench.bad_there == 0);
    CHECK(bench.window == 2);
}

TEST_CASE("bench: a harmless Inf of the benchmark hides no NaN of this run") {
    const auto with_mask = [](MadeCalls calls, const std::string& max) {
        calls.insert(calls.begin(), made_call("Torch.where.0.forward", {made_tensor(max, "0.25")}, {made_tensor()}));
        calls.insert(calls.begin(),
                     made_call("Torch.reciprocal.0.forward", {made_tensor()}, {made_tensor(max, "0.25")}));
        return calls;
    };
    ApiRun here, there;
    for (std::uint64_t step = 0; step < 4; ++step) {
        here.add(step, 0, with_mask(step < 2 ? clean_step() : nan_step(), "Infinity"));
        there.add(step, 0, with_mask(clean_step(), "Infinity"));
    }
    const BenchComparison both = compared(here, there);
    CHECK(summary_of(both) == "there_too(same) there_too(same) here_only here_only rule=more_often problem=2 weak");
    CHECK(breaks_in(both).find("Functional.gelu.0.forward breaks_here strong") == 0);
    // Each side has a bad value of its own: not more often here, but the call here is compared.
    const BenchComparison own = one_step(with_mask(nan_step(), "4.0"), with_mask(clean_step(), "Infinity"));
    CHECK(summary_of(own) == "there_too rule=alike");
    CHECK(breaks_in(own).find("Functional.gelu.0.forward breaks_here strong") == 0);
    CHECK(summary_of(one_step(with_mask(clean_step(), "Infinity"), with_mask(nan_step(), "Infinity"))) ==
          "there_too(same) rule=alike");
}

TEST_CASE("bench: bad only in the benchmark, or nowhere") {
    CHECK(summary_of(one_step(clean_step(), nan_step())) == "there_only rule=there_only");
    const BenchComparison neither = one_step(clean_step(), clean_step());
    CHECK(summary_of(neither) == "neither rule=neither");
    CHECK(neither.breaks.empty());
}

TEST_CASE("bench: a missing or damaged dump gives no answer, but its name") {
    ApiRun here, there;
    here.add(0, 0, nan_step());
    here.add(0, 1, clean_step());
    there.add(0, 0, clean_step());
    const BenchComparison bench = compared(here, there);
    CHECK(summary_of(bench) == "not_comparable rule=not_known");
    CHECK(needed_in(bench.needed) ==
          "step 0 rank 1 of the benchmark: a complete dump with statistics. Ranks of tensor parallelism hold shards, "
          "which have no partner in one process\n");

    ApiRun cut;
    std::string text = dump_json({"statistics", "L1", "pytorch", clean_step()});
    cut.add_file("step0/rank0/dump.json", text.substr(0, text.size() / 2));
    ApiRun whole;
    whole.add(0, 0, nan_step());
    CHECK(summary_of(compared(whole, cut)) == "not_comparable rule=not_known");
}

TEST_CASE("bench: steps that only the benchmark has are outside of the comparison") {
    ApiRun here, there;
    here.add(1, 0, nan_step());
    for (std::uint64_t step = 0; step < 3; ++step) {
        there.add(step, 0, clean_step());
    }
    CHECK(summary_of(compared(here, there)) == "not_comparable here_only not_comparable rule=here_only problem=1 weak");
}

TEST_CASE("bench: calls without a partner are listed and never pass") {
    MadeCalls here = nan_step();
    here[1].name = "NPU.npu_gelu.0.forward";
    here[2].name = "NPU.npu_gelu.0.backward";
    const BenchComparison bench = one_step(here, clean_step());
    CHECK(bench.pairs.paired == 2);
    CHECK(bench.pairs.only_here == 3);
    CHECK(bench.pairs.only_there == 2);
    CHECK(bench.only_there == std::vector<std::string>{"Functional.gelu.0.forward", "Functional.gelu.0.backward"});
    CHECK(breaks_in(bench) == "NPU.npu_gelu.0.forward not_known reached_results\n");
    CHECK(needed_in(bench.breaks[0].needed) == "step 0 rank 0 of the benchmark: NPU.npu_gelu.0.forward\n");
}

TEST_CASE("bench: inputs that are apart make it an inherited difference") {
    MadeCalls here = nan_step();
    here[0].outputs = here[1].inputs = {made_tensor("60000.0", "-2.0")};
    const BenchComparison bench = one_step(here, clean_step());
    CHECK(breaks_in(bench) ==
          "Functional.linear.0.forward breaks_here unknown\n"
          "Functional.gelu.0.forward inherited_difference reached_results\n");
}

TEST_CASE("bench: finite values that are apart") {
    // 2.5 against 3.0: 20 %, above the 2 % that are close, below the 50 % that are far.
    const BenchComparison drift = one_step(clean_step("3.0"), clean_step());
    CHECK(summary_of(drift) == "neither rule=neither");
    CHECK(breaks_in(drift) == "Functional.gelu.0.forward drifts_here unknown\n");
    CHECK(needed_in(drift.breaks[0].needed) ==
          "step 0 rank 0: the tensors of Functional.gelu.0.forward on both sides (task tensor)\n");
    CHECK(breaks_in(one_step(clean_step("2.53"), clean_step())).empty());  // 1.2 %
}

TEST_CASE("bench: different data on both sides is reported, and no call is blamed for its values") {
    MadeCalls here = clean_step("9.0");
    here[0].inputs = {made_tensor("7.0", "-1.5")};
    const BenchComparison bench = one_step(here, clean_step());
    CHECK(codes_of(bench.diagnostics) == "runs_not_alike ");
    CHECK(bench.breaks.empty());
}

TEST_CASE("bench: a value that no later call shows stayed inside") {
    MadeCalls there = clean_step();
    there.push_back(gradient(made_tensor("0.5", "-0.5")));
    CHECK(breaks_in(one_step(quiet_nan_step(), there)) ==
          "Functional.gelu.0.forward breaks_here strong stayed_inside\n");
}

TEST_CASE("bench: a gradient is no culprit: the backward that made it is missing") {
    const BenchComparison bench =
        one_step({clean_call("Functional.linear.0.forward"), gradient(nan_tensor())},
                 {clean_call("Functional.linear.0.forward"), gradient(made_tensor("0.5", "-0.5"))});
    CHECK(summary_of(bench) == "here_only rule=here_only problem=0 strong");
    CHECK(breaks_in(bench) == "Module.fc.Linear.parameters_grad.0 not_known unknown\n");
    CHECK(needed_in(bench.breaks[0].needed) ==
          "step 0 rank 0: the calls before Module.fc.Linear.parameters_grad.0 (risk_level ALL)\n"
          "step 0 rank 0: the calls after this one\n");
}

TEST_CASE("bench: without backward calls it is not known whether it mattered") {
    MadeCalls here = nan_step(), there = clean_step();
    here.resize(2);
    there.resize(2);
    here.push_back(clean_call("Functional.relu.0.forward"));
    there.push_back(clean_call("Functional.relu.0.forward"));
    const BenchComparison bench = one_step(here, there);
    CHECK(breaks_in(bench) == "Functional.gelu.0.forward breaks_here strong unknown\n");
    CHECK(needed_in(bench.breaks[0].needed) ==
          "step 0 rank 0: backward calls and gradients of parameters (level mix)\n");
}

TEST_CASE("bench: masks on both sides are no bad values") {
    MadeCalls here = nan_step(), there = clean_step();
    const MadeCall mask = made_call("Torch.full.0.forward", {}, {made_tensor("-Infinity", "-Infinity")});
    here.insert(here.begin(), mask);
    there.insert(there.begin(), mask);
    const BenchComparison bench = one_step(here, there);
    CHECK(summary_of(bench) == "here_only rule=here_only problem=0 strong");
    CHECK(breaks_in(bench) == "Functional.gelu.0.forward breaks_here strong reached_results\n");
}

TEST_CASE("bench: saturated here, infinite there is the same event") {
    MadeCalls here = clean_step(), there = clean_step();
    here[1].outputs = {made_tensor("65504.0", "-0.25")};
    there[1].outputs = {made_tensor("Infinity", "-0.25")};
    CHECK(summary_of(one_step(here, there)) == "there_too(same) rule=alike");
}

TEST_CASE("bench: calls that depend on a random state are no break") {
    MadeCalls here = clean_step(), there = clean_step();
    here[1].name = there[1].name = "Functional.dropout.0.forward";
    here[1].outputs = {made_tensor("30.0", "-0.25")};
    CHECK(breaks_in(one_step(here, there)).empty());
}

TEST_CASE("bench: types that cannot be compared are counted, not passed") {
    MadeCalls here = clean_step(), there = clean_step();
    here[1] = made_call("Functional.gelu.0.forward", {made_tensor("2.5", "-2.0", "float64")},
                        {made_tensor("2.5", "-2.0", "float64")});
    const BenchComparison bench = one_step(here, there);
    CHECK(bench.pairs.paired == 3);
    CHECK(bench.pairs.not_comparable == 1);
}

TEST_CASE("bench: shifted steps are paired with an offset, single steps without") {
    ApiRun here, there;
    for (std::uint64_t step = 0; step < 2; ++step) {
        here.add(step, 0, step == 1 ? nan_step() : clean_step());
        there.add(step + 10, 0, clean_step());
    }
    CHECK(summary_of(compared(here, there, 10)) == "neither here_only rule=here_only problem=1 strong");
    CHECK(codes_of(compared(here, there).diagnostics) == "bench_no_common_step ");

    ApiRun single, other;
    single.add(3, 0, nan_step());
    other.add(7, 0, clean_step());
    const BenchComparison bench = compared(single, other);
    CHECK(summary_of(bench) == "here_only rule=here_only problem=3 strong");
    CHECK(codes_of(bench.diagnostics) == "bench_steps_assumed ");
}

TEST_CASE("bench: a rank is compared with the same rank, and the order of ranks decides the culprit") {
    const auto with_exchange = [](MadeCalls calls, MadeValue sent, MadeValue received) {
        calls.resize(2);
        calls.push_back(collective("all_reduce", 0, {std::move(sent)}, {std::move(received)}));
        return calls;
    };
    ApiRun here, there;
    here.add(0, 0, with_exchange(clean_step(), made_tensor("2.5", "-0.25"), nan_tensor()));
    here.add(0, 1, with_exchange(nan_step(), nan_tensor(), nan_tensor()));
    for (std::uint64_t rank = 0; rank < 2; ++rank) {
        there.add(0, rank, with_exchange(clean_step(), made_tensor("2.5", "-0.25"), made_tensor("5.0", "-0.5")));
    }
    const BenchComparison bench = compared(here, there);
    CHECK(breaks_in(bench) == "Functional.gelu.0.forward breaks_here strong reached_results\n");
    CHECK(bench.breaks[0].rank == 1);
}

TEST_CASE("bench: one folder on both sides is reported") {
    ApiRun run;
    run.add(0, 0, nan_step());
    const BenchComparison bench = compared(run, run);
    CHECK(codes_of(bench.diagnostics) == "bench_is_same_folder ");
}
