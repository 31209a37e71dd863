// Negative infinity and limits: where they are meant, and where they are not.
#include <doctest/doctest.h>

#include "api_run.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string first(std::vector<MadeCall> calls) {
    ApiRun run;
    run.add(0, 0, std::move(calls));
    return lines_of(run.report().first);
}

std::string verdict(MadeCall call) {
    ApiRun run;
    run.add(0, 0, {std::move(call)});
    const ApiReport report = run.report();
    return report.findings.size() == 1 ? std::string(to_string(report.findings[0].verdict)) : "none or several";
}

/// One kernel whose result has that maximum and minimum, with the six digits of C++ streams.
std::string first_of_kernel(const std::string& type, const std::string& max, const std::string& min) {
    const std::string kernel = "Mul,Default/Mul-op1,7,2,1700000000000001,";
    ApiRun run;
    run.add_file("rank_0/net/0/1/statistic.csv",
                 "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value\n" +
                     kernel + "input,0,64," + type + ",\"(2,)\",1.5,-1.5\n" + kernel + "output,0,64," + type +
                     ",\"(2,)\"," + max + "," + min + "\n");
    return lines_of(run.report().first);
}

const std::string kSaturatedKernel = "step 1 rank 0 Default/Mul-op1 saturated\n";

}  // namespace

TEST_CASE("api masks: a limit written with six digits is saturation, at either end and at both") {
    // Largest finite values: float32 3.4028234663852886e+38, bfloat16 3.3895313892515355e+38 (IEEE 754; 7 bits of
    // mantissa).
    CHECK(first_of_kernel("float32", "3.40282e+38", "-1") == kSaturatedKernel);
    CHECK(first_of_kernel("float32", "2", "-3.40282e+38") == kSaturatedKernel);
    CHECK(first_of_kernel("float32", "3.40282e+38", "-3.40282e+38") == kSaturatedKernel);
    CHECK(first_of_kernel("bfloat16", "3.38953e+38", "-1") == kSaturatedKernel);
    CHECK(first_of_kernel("float32", "3.402e+38", "-1").empty());
}

TEST_CASE("api masks: gradients that are never positive are no masks") {
    const MadeValue infinite = made_tensor("0.0", "-Infinity"), limit = made_tensor("0.0", "-65504.0");
    CHECK(verdict(made_call("Functional.linear.0.backward", {infinite}, {nan_tensor()})) == "inherited");
    CHECK(verdict(made_call("Functional.linear.0.backward", {infinite}, {infinite})) == "inherited");
    CHECK(verdict(made_call("Functional.linear.0.backward", {limit}, {made_tensor("65504.0", "-65504.0")})) ==
          "inherited");
    CHECK(verdict(made_call("Functional.softmax.0.backward", {made_tensor("3.0", "-Infinity")}, {nan_tensor()})) ==
          "inherited");
    // log and where make masks in forwards; what their backwards give is a gradient.
    CHECK(verdict(made_call("Torch.log.0.backward", {made_tensor()}, {infinite})) == "born_here");
}

TEST_CASE("api masks: a weight that is never positive is no mask") {
    MadeCall module = born("Module.fc.Linear.forward.0");
    module.parameters = {{"weight", made_tensor("0.0", "-Infinity")}};
    CHECK(first({module}) == "step 0 rank 0 Module.fc.Linear.forward.0 weight\n");
}

TEST_CASE(
    "api masks: an infinite number that the call writes into its result is meant, a finite one explains nothing") {
    MadeCall pad = made_call("Functional.pad.0.forward", {made_tensor()}, {made_tensor("1.5", "-Infinity")});
    pad.named_inputs = {{"value", made_scalar("float", "-Infinity")}};
    CHECK(verdict(pad) == "deliberate");
    CHECK(first({pad}).empty());
    pad.named_inputs = {{"value", made_scalar("float", "0.0")}};
    CHECK(verdict(pad) == "born_here");
    // Other functions compute with the number.
    CHECK(verdict(made_call("Tensor.mul.0.forward", {made_tensor(), made_scalar("float", "-Infinity")},
                            {made_tensor("-1.5", "-Infinity")})) == "inherited");
}

TEST_CASE("api masks: a bad weight by its place in the call is one, unless the file shows where it came from") {
    const MadeValue weight = nan_tensor({8, 8});
    const MadeCall linear = made_call("Functional.linear.0.forward", {made_tensor(), weight}, {nan_tensor()});
    MadeCall module = born("Module.fc.Linear.forward.0");
    module.parameters = {{"weight", weight}};
    CHECK(first({linear, module}) == "step 0 rank 0 Functional.linear.0.forward weight\n");
    CHECK(first({linear}) == "step 0 rank 0 Functional.linear.0.forward weight\n");
    CHECK(first({made_call("Torch.matmul.0.forward", {made_tensor()}, {weight}), linear}) ==
          "step 0 rank 0 Torch.matmul.0.forward born_here\n");
    // Of a backward the second input is a gradient, of add a value like the first.
    CHECK(verdict(made_call("Functional.linear.0.backward", {made_tensor(), weight}, {nan_tensor()})) == "inherited");
    CHECK(verdict(made_call("Torch.add.0.forward", {made_tensor(), weight}, {nan_tensor()})) == "inherited");
}
