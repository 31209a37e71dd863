// Values that do not prove that the inputs of two calls agree: then a bad result is never a sure break.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "api_pairs/bench.hpp"
#include "api_run.hpp"
#include "report/pages/pages.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::api_pairs;
using namespace opdebug::test;

namespace {

using DoubtfulCalls = std::vector<MadeCall>;

BenchComparison compare_steps(const std::vector<DoubtfulCalls>& here_steps,
                              const std::vector<DoubtfulCalls>& there_steps, const ApiOptions& options = {}) {
    ApiRun here, there;
    for (std::uint64_t step = 0; step < here_steps.size(); ++step) {
        here.add(step, 0, here_steps[step]);
    }
    for (std::uint64_t step = 0; step < there_steps.size(); ++step) {
        there.add(step, 0, there_steps[step]);
    }
    Result<BenchReport> report = compare_with_bench({here.path()}, {there.path()}, {options, 0});
    REQUIRE(report.ok());
    return std::move(report->bench);
}

/// "rule=here_only Functional.gelu.0.forward breaks_here strong unknown".
std::string doubts_in(const BenchComparison& bench) {
    std::string text = "rule=" + std::string(to_string(bench.rule));
    for (const Break& one : bench.breaks) {
        text += " " + one.api + " " + std::string(to_string(one.kind)) + (one.is_strong ? " strong " : " ") +
                std::string(to_string(one.matters));
    }
    return text;
}

/// A call with NaN here and a clean result there, after a call that agrees.
std::string doubt_of(const std::string& name, std::vector<MadeValue> here, std::vector<MadeValue> there) {
    const MadeCall first = clean_call("Torch.relu.0.forward");
    return doubts_in(compare_steps({{first, made_call(name, std::move(here), {nan_tensor()})}},
                                   {{first, made_call(name, std::move(there), {made_tensor()})}}));
}

MadeValue integers(const std::string& max, const std::string& min, const std::string& dtype = "int64") {
    MadeValue value = made_tensor(max, min, dtype);
    value.norm = "null";
    return value;
}

}  // namespace

TEST_CASE("doubt: equal tensors and equal scalars agree, of any type of number") {
    CHECK(doubt_of("Torch.div.0.forward", {made_tensor(), made_scalar("int", "8")},
                   {made_tensor(), made_scalar("float", "8.0")}) ==
          "rule=here_only Torch.div.0.forward breaks_here strong unknown");
}

TEST_CASE("doubt: calls of MindSpore pair with those of PyTorch, but are no sure break") {
    const auto compared = [](const std::string& here_name, const std::string& there_name) {
        ApiRun here, there;
        MadeDump dump;
        dump.framework = "mindspore";
        dump.calls = {clean_call("Mint.relu.0.forward"), born(here_name)};
        here.add_file("step0/rank0/dump.json", dump_json(dump));
        there.add(0, 0, {clean_call("Torch.relu.0.forward"), clean_call(there_name)});
        return compare_with_bench({here.path()}, {there.path()}, {{}, 0})->bench;
    };
    CHECK(doubts_in(compared("Mint.add.0.forward", "Torch.add.0.forward")) ==
          "rule=here_only Mint.add.0.forward breaks_here unknown");
    CHECK(doubts_in(compared("MintFunctional.gelu.0.forward", "Functional.gelu.0.forward")) ==
          "rule=here_only MintFunctional.gelu.0.forward breaks_here unknown");
    CHECK(doubts_in(compared("Functional.gelu.0.forward", "Functional.gelu.0.forward")) ==
          "rule=here_only Functional.gelu.0.forward breaks_here unknown");
    const BenchComparison unpaired = compared("Primitive.net.MatMul.0.forward", "Torch.matmul.0.forward");
    CHECK(unpaired.only_here == std::vector<std::string>{"Primitive.net.MatMul.0.forward"});
    CHECK(unpaired.only_there == std::vector<std::string>{"Torch.matmul.0.forward"});
    CHECK(unpaired.pairs.paired == 1);
    CHECK(doubts_in(unpaired) == "rule=not_known");
}

TEST_CASE("doubt: scalars that differ are another input, and one without a partner is unknown") {
    CHECK(doubt_of("Torch.div.0.forward", {made_tensor(), made_scalar("int", "0")},
                   {made_tensor(), made_scalar("float", "8.0")}) ==
          "rule=here_only Torch.div.0.forward inherited_difference unknown");
    CHECK(doubt_of("Torch.add.0.forward", {made_tensor(), made_scalar("float", "1e30")}, {made_tensor()}) ==
          "rule=here_only Torch.add.0.forward not_known unknown");
    CHECK(doubt_of("Torch.add.0.forward", {made_tensor()}, {made_tensor(), made_scalar("float", "1e30")}) ==
          "rule=here_only Torch.add.0.forward not_known unknown");
}

TEST_CASE("doubt: texts and types that differ leave the inputs unknown, devices do not") {
    CHECK(doubt_of("Functional.gelu.0.forward", {made_tensor(), made_scalar("str", "\"tanh\"")},
                   {made_tensor(), made_scalar("str", "\"none\"")}) ==
          "rule=here_only Functional.gelu.0.forward not_known unknown");
    CHECK(doubt_of("Tensor.to.0.forward", {made_tensor(), made_scalar("torch.dtype", "\"torch.float16\"")},
                   {made_tensor(), made_scalar("torch.dtype", "\"torch.float32\"")}) ==
          "rule=here_only Tensor.to.0.forward not_known unknown");
    CHECK(doubt_of("Torch.add.0.forward", {made_tensor(), made_scalar("torch.device", "\"npu:0\"")},
                   {made_tensor(), made_scalar("torch.device", "\"cuda:0\"")}) ==
          "rule=here_only Torch.add.0.forward breaks_here strong unknown");
}

TEST_CASE("doubt: a forward with another exponent makes its backward weak") {
    const auto calls = [](MadeValue exponent, MadeValue gradient) {
        return DoubtfulCalls{made_call("Tensor.pow.0.forward", {made_tensor(), std::move(exponent)}, {made_tensor()}),
                             made_call("Tensor.pow.0.backward", {made_tensor()}, {std::move(gradient)})};
    };
    CHECK(doubts_in(compare_steps({calls(made_scalar("float", "0.5"), nan_tensor())},
                                  {calls(made_scalar("int", "2"), made_tensor())})) ==
          "rule=here_only Tensor.pow.0.backward not_known unknown");
}

TEST_CASE("doubt: integers and truth values agree only by their checksum, or as one number") {
    const std::string name = "Functional.embedding.0.forward";
    const auto with = [&name](const MadeValue& here, const MadeValue& there) {
        return doubt_of(name, {made_tensor(), here}, {made_tensor(), there});
    };
    CHECK(with(integers("32000", "0"), integers("31999", "0")) ==
          "rule=here_only " + name + " inherited_difference unknown");
    CHECK(with(integers("32000", "0"), integers("32000", "0")) == "rule=here_only " + name + " not_known unknown");
    CHECK(with(integers("7", "7"), integers("7", "7")) == "rule=here_only " + name + " breaks_here strong unknown");
    CHECK(with(integers("true", "false", "bool"), integers("true", "false", "bool")) ==
          "rule=here_only " + name + " not_known unknown");
}

TEST_CASE("doubt: masks of one number agree, masks with other values do not show their places") {
    const auto with = [](const std::string& max) {
        const MadeValue mask = made_tensor(max, "-Infinity");
        return doubt_of("Functional.softmax.0.forward", {made_tensor(), mask}, {made_tensor(), mask});
    };
    CHECK(with("-Infinity") == "rule=here_only Functional.softmax.0.forward breaks_here strong unknown");
    CHECK(with("2.0") == "rule=here_only Functional.softmax.0.forward not_known unknown");
}

TEST_CASE("doubt: negative infinity next to a clean value is bad, whatever other steps contain") {
    const auto passed = [](const std::string& min, MadeValue out) {
        return DoubtfulCalls{clean_call("Torch.relu.0.forward"),
                             made_call("Torch.view.0.forward", {made_tensor("1.5", min)}, {made_tensor("1.5", min)}),
                             made_call("Torch.log.0.forward", {made_tensor()}, {std::move(out)})};
    };
    const BenchComparison bench = compare_steps({passed("-Infinity", made_tensor()), passed("-1.5", nan_tensor())},
                                                {passed("-1.5", made_tensor()), passed("-1.5", made_tensor())});
    CHECK(to_string(bench.steps[0].outcome) == "here_only");
    CHECK(to_string(bench.steps[1].outcome) == "here_only");
}

TEST_CASE("doubt: what later calls differ in is not known to have stayed inside") {
    const auto step = [](MadeValue norm, MadeValue repaired, MadeValue loss) {
        MadeCall gradient;
        gradient.name = "Module.fc.Linear.parameters_grad.0";
        gradient.parameters = {{"weight", made_tensor()}};
        return DoubtfulCalls{made_call("Functional.layer_norm.0.forward", {made_tensor()}, {norm}),
                             made_call("Torch.nan_to_num.0.forward", {norm}, {repaired}),
                             made_call("Functional.mse_loss.0.forward", {std::move(repaired)}, {std::move(loss)}),
                             clean_call("Functional.mse_loss.0.backward"), gradient};
    };
    const DoubtfulCalls there = step(made_tensor(), made_tensor("1.0", "-1.0"), made_tensor("1.0", "0.0"));
    CHECK(doubts_in(
              compare_steps({step(nan_tensor(), made_tensor("9.0", "-1.0"), made_tensor("900.0", "0.0"))}, {there})) ==
          "rule=here_only Functional.layer_norm.0.forward breaks_here strong unknown");
}

TEST_CASE("doubt: a value that another call made at the end did not come from the first one") {
    const auto step = [](MadeValue norm, MadeValue last) {
        return DoubtfulCalls{made_call("Functional.layer_norm.0.forward", {made_tensor()}, {norm}),
                             made_call("Torch.nan_to_num.0.forward", {norm}, {made_tensor("2.0", "-1.0")}),
                             made_call("Torch.exp.0.forward", {made_tensor("2.0", "-1.0")}, {std::move(last)})};
    };
    const BenchComparison bench =
        compare_steps({step(nan_tensor(), made_tensor("Infinity", "0.0"))}, {step(made_tensor(), made_tensor())});
    REQUIRE(!bench.breaks.empty());
    CHECK(bench.breaks[0].api == "Functional.layer_norm.0.forward");
    CHECK(to_string(bench.breaks[0].matters) == "unknown");
}

TEST_CASE("doubt: other data at the first call leave no culprit, and neither does a module without weights") {
    const auto step = [](const std::string& data, MadeValue out) {
        return DoubtfulCalls{made_call("Torch.relu.0.forward", {made_tensor(data, "-1.5")}, {made_tensor()}),
                             made_call("Torch.exp.0.forward", {made_tensor()}, {std::move(out)})};
    };
    const BenchComparison bench = compare_steps({step("7.0", nan_tensor())}, {step("1.5", made_tensor())});
    CHECK(doubts_in(bench) == "rule=here_only Torch.exp.0.forward not_known unknown");
    CHECK(bench.breaks[0].because.en == "the first call of the rank already has different inputs");
    CHECK(doubt_of("Module.fc.Linear.forward.0", {made_tensor()}, {made_tensor()}) ==
          "rule=here_only Module.fc.Linear.forward.0 not_known unknown");
}

TEST_CASE("doubt: a bad value of another rank of the benchmark is not the same") {
    ApiRun here, there;
    for (std::uint64_t rank = 0; rank < 2; ++rank) {
        here.add(0, rank, {rank == 0 ? born() : clean_call("Functional.linear.0.forward")});
        there.add(0, rank, {rank == 1 ? born() : clean_call("Functional.linear.0.forward")});
    }
    const Result<BenchReport> report = compare_with_bench({here.path()}, {there.path()}, {{}, 0});
    REQUIRE(report.ok());
    CHECK(to_string(report->bench.steps[0].outcome) == "here_only");
    CHECK(to_string(report->bench.rule) == "alike");
}

TEST_CASE("doubt: the largest float16 here and the same number in float32 there are equal") {
    const auto step = [](const std::string& dtype, const std::string& max) {
        return DoubtfulCalls{
            clean_call("Torch.relu.0.forward"),
            made_call("Torch.mul.0.forward", {made_tensor("256.0", "0.0", dtype)}, {made_tensor(max, "0.0", dtype)})};
    };
    CHECK(doubts_in(compare_steps({step("float16", "65504.0")}, {step("float32", "65504.0")})) == "rule=neither");
    // 131072 is above the largest float16: any float16 result is wrong.
    const BenchComparison narrow = compare_steps({step("float16", "65504.0")}, {step("float32", "131072.0")});
    CHECK(doubts_in(narrow) == "rule=here_only Torch.mul.0.forward not_known unknown");
    CHECK(narrow.breaks[0].because.en ==
          "output[0] of the benchmark exceeds the largest float16, so the type here is too narrow");
    CHECK(doubts_in(compare_steps({step("float16", "Infinity")}, {step("float32", "60000.0")})) ==
          "rule=here_only Torch.mul.0.forward breaks_here strong unknown");
}

TEST_CASE("doubt: dropout by argument and large terms that cancel are no break") {
    const auto step = [](const std::string& name, std::vector<MadeValue> in, const std::string& max) {
        return DoubtfulCalls{clean_call("Torch.relu.0.forward"),
                             made_call(name, std::move(in), {made_tensor(max, "0.0")})};
    };
    const auto breaks = [&step](const std::string& name, const std::vector<MadeValue>& in, const std::string& here,
                                const std::string& there) {
        return doubts_in(compare_steps({step(name, in, here)}, {step(name, in, there)}));
    };
    const auto attention = [&breaks](const std::string& dropout) {
        return breaks("Functional.scaled_dot_product_attention.0.forward",
                      {made_tensor(), made_tensor(), made_tensor(), made_tensor(), made_scalar("float", dropout)},
                      "3.2", "2.0");
    };
    CHECK(attention("0.1") == "rule=neither");
    CHECK(attention("0.0") == "rule=neither Functional.scaled_dot_product_attention.0.forward breaks_here unknown");
    // 7.1e-7 is a rounding of 1.5, and 0.5 is none.
    CHECK(breaks("Tensor.__sub__.0.forward", {made_tensor(), made_tensor()}, "9.5e-07", "2.4e-07") == "rule=neither");
    CHECK(breaks("Tensor.__sub__.0.forward", {made_tensor(), made_tensor()}, "0.75", "0.25") ==
          "rule=neither Tensor.__sub__.0.forward breaks_here unknown");
}

TEST_CASE("doubt: pairs by order alone do not show other data") {
    const auto linear = [](int number, const std::string& in) {
        return made_call("Functional.linear." + std::to_string(number) + ".forward", {made_tensor(in, "-1.0")},
                         {made_tensor()});
    };
    const MadeCall last = clean_call("Torch.tanh.0.forward");
    const BenchComparison bench =
        compare_steps({{linear(0, "1.0"), last, linear(1, "2.0")}}, {{linear(0, "9.0"), linear(1, "1.0"), last}});
    CHECK_FALSE(contains(codes_of(bench.diagnostics), "runs_not_alike"));
}

TEST_CASE("doubt: results without statistics do not pass") {
    MadeValue lost = made_tensor("null", "null");
    lost.norm = "null";
    const DoubtfulCalls here{clean_call("Torch.relu.0.forward"),
                             made_call("Torch.exp.0.forward", {made_tensor()}, {lost})};
    const BenchComparison bench =
        compare_steps({here}, {{clean_call("Torch.relu.0.forward"), clean_call("Torch.exp.0.forward")}});
    CHECK(doubts_in(bench) == "rule=not_known");
    REQUIRE(bench.needed.size() == 1);
    CHECK(bench.needed[0].en == "step 0 rank 0: statistics of all values of Torch.exp.0.forward on both sides");
}

TEST_CASE("doubt: the page calls a weak break weak") {
    const auto step = [](const std::string& max) {
        return DoubtfulCalls{clean_call("Torch.relu.0.forward"),
                             made_call("Torch.exp.0.forward", {made_tensor()}, {made_tensor(max, "-1.5")})};
    };
    const BenchComparison bench = compare_steps({step("3.0")}, {step("2.5")});  // 20 %
    CHECK(contains(report::bench_to_text(bench, {}), "Torch.exp.0.forward   drifts here (weak)"));
}

TEST_CASE("doubt: ranks of tensor parallelism have no partner in a benchmark of one process") {
    ApiRun here, there;
    const MadeValue shard = made_tensor("1.5", "-1.5", "float16", {4, 4});
    for (const std::uint64_t rank : {0U, 1U}) {
        here.add(0, rank,
                 {clean_call("Torch.relu.0.forward"),
                  made_call("Functional.linear.0.forward", {made_tensor(), shard}, {shard})});
    }
    there.add(0, 0,
              {clean_call("Torch.relu.0.forward"),
               made_call("Functional.linear.0.forward", {made_tensor(), made_tensor()}, {made_tensor("9.0")})});
    const BenchComparison bench = compare_with_bench({here.path()}, {there.path()}, {{}, 0})->bench;
    CHECK(doubts_in(bench) == "rule=not_known");
    REQUIRE(bench.needed.size() == 1);
    CHECK(bench.needed.front().en ==
          "step 0 rank 1 of the benchmark: a complete dump with statistics. Ranks of tensor parallelism hold shards, "
          "which have no partner in one process");
    REQUIRE(codes_of(bench.diagnostics) == "structures_differ ");
    CHECK(bench.diagnostics.front().message.find("step 0 rank 0: Functional.linear.0.forward has other shapes") == 0);
}

TEST_CASE("doubt: other checksums with equal statistics are neither equal nor a divergence") {
    const auto dump_of = [](const std::string& checksum) {
        const std::string tensor =
            R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [8], "Max": 1.5, "Min": -1.5, )"
            R"("Mean": 0.5, "Norm": 3.0, "requires_grad": false, "md5": ")";
        return R"({"task": "statistics", "level": "L1", "framework": "pytorch", "data": {"Functional.gelu.0.forward": )"
               R"({"input_args": [)" +
               tensor + R"(00000000"}], "input_kwargs": {}, "output": [)" + tensor + checksum + R"("}]}}})";
    };
    ApiRun here, there;
    here.add_file("step0/rank0/dump.json", dump_of("1a2b3c4d"));
    there.add_file("step0/rank0/dump.json", dump_of("5e6f7a8b"));
    const BenchComparison bench = compare_with_bench({here.path()}, {there.path()}, {{}, 0})->bench;
    CHECK(doubts_in(bench) == "rule=neither");
    CHECK(bench.diagnostics.empty());
}
