// Masks: -Inf, or the lowest number of a type, that a program puts in on purpose; and what only looks like one.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct MaskCase {
    const char* what;
    const char* calls;
    const char* expected;
};

const std::string maker = "Tensor.masked_fill(. . #-inf) 1.5/-inf; ";
const std::string logarithm = "Torch.log(1.0/0.0) 0.0/-inf; ";
const std::string full = "Torch.full(#4 #inf) inf/inf; ";

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

}  // namespace

TEST_CASE("api masks: verdicts on what makes, passes on and uses one") {
    const std::vector<MaskCase> cases{
        {"-Inf that is written into places of a tensor", "Tensor.__setitem__(. . #-inf)", ""},
        {"NaN that is written there", "Tensor.__setitem__(. . #nan)", "Tensor.__setitem__ inherited"},
        {"what a mask enters is not to blame for it",
         "Torch.full(#4 #-inf) 0.0/-inf; Tensor.__add__(. 0.0/-inf) 1.5/-inf; Functional.softmax(1.5/-inf) 1.0/0.0; "
         "Functional.linear(.) nan",
         "Torch.full deliberate, Tensor.__add__ deliberate, Functional.linear born_here"},
        {"the lowest number of a type", "Tensor.masked_fill(. 1/0:bool #-65504.0) 1.5/-65504.0",
         "Tensor.masked_fill deliberate"},
        {"by multiplication", "Tensor.__mul__(1.0/0.0 #-65504.0) 0.0/-65504.0", "Tensor.__mul__ deliberate"},
        {"-Inf that a call made by accident", "Functional.linear(.) 3.0/-inf; Functional.softmax(3.0/-inf) nan",
         "Functional.linear born_here, Functional.softmax inherited"},
        {"a logarithm of zero", "Torch.log(1.0/0.0) 0.0/-inf; Tensor.__add__(. 0.0/-inf) 0.0/-inf",
         "Torch.log deliberate, Tensor.__add__ deliberate"},
        {"0 * log(0) of an entropy", "Torch.log(1.0/0.0) 0.0/-inf; Tensor.__mul__(1.0/0.0 0.0/-inf) nan",
         "Torch.log born_here, Tensor.__mul__ inherited"},
        {"the least of many logarithms", "Torch.log(1.0/0.0) 0.0/-inf; Torch.min(0.0/-inf) -inf@",
         "Torch.log deliberate, Torch.min deliberate"},
        {"an infinite constant that ends in clean results",
         "Torch.full(#4 #inf) inf/inf; Torch.minimum(inf/inf .) .; Functional.linear(.) nan",
         "Torch.full deliberate, Torch.minimum absorbed, Functional.linear born_here"},
        {"with a call between them",
         "Tensor.masked_fill(. 1/0:bool #inf) inf/-1.5; Tensor.div(inf/-1.5 #2.0) inf/-1.5; "
         "Torch.minimum(inf/-1.5 .) .; Functional.linear(.) nan",
         "Tensor.masked_fill deliberate, Tensor.div deliberate, Torch.minimum absorbed, Functional.linear born_here"},
        {"an infinite constant that stays bad is the origin",
         "Torch.full(#4 #inf) inf/inf; Tensor.mul(inf/inf 0.0/0.0) nan", "Torch.full born_here, Tensor.mul inherited"},
        {"also where only a view of it is shown", "Torch.full(#4 #inf) inf/inf; Tensor.mul(inf/inf@32 0.0/0.0) nan",
         "Torch.full born_here, Tensor.mul inherited"},
        {"one that nothing ends", "Tensor.masked_fill(. 1/0:bool #inf) inf/-1.5; Tensor.div(inf/-1.5 #2.0) inf/-1.5",
         "Tensor.masked_fill born_here, Tensor.div inherited"},
        {"an infinite number that the call writes into its result", "Functional.pad(. value=#-inf) 1.5/-inf",
         "Functional.pad deliberate"},
        {"a finite one explains nothing", "Functional.pad(. value=#0.0) 1.5/-inf", "Functional.pad born_here"},
        {"other functions compute with the number", "Tensor.mul(. #-inf) -1.5/-inf", "Tensor.mul inherited"},
        {"gradients that are never positive", "Functional.linear.0.backward(0.0/-inf) nan",
         "Functional.linear.0.backward inherited"},
        {"the same after a backward", "Functional.linear.0.backward(0.0/-inf) 0.0/-inf",
         "Functional.linear.0.backward inherited"},
        {"gradients at the limit", "Functional.linear.0.backward(0.0/-65504.0) 65504.0/-65504.0",
         "Functional.linear.0.backward inherited"},
        {"the gradient of a softmax", "Functional.softmax.0.backward(3.0/-inf) nan",
         "Functional.softmax.0.backward inherited"},
        {"log and where make masks in forwards only", "Torch.log.0.backward(.) 0.0/-inf",
         "Torch.log.0.backward born_here"},
        {"of a backward the second input is a gradient", "Functional.linear.0.backward(. nan@8,8) nan",
         "Functional.linear.0.backward inherited"},
        {"of add a value like the first", "Torch.add(. nan@8,8) nan", "Torch.add inherited"},
        {"a weight that is never positive", "Module.fc.Linear.forward.0(. weight:0.0/-inf) nan",
         "Module.fc.Linear.forward.0 weight"},
    };
    for (const MaskCase& one : cases) {
        CAPTURE(one.what);
        CHECK(verdicts_of(one.calls) == one.expected);
    }
}

TEST_CASE("api masks: masks that old versions show as the input of an in-place call are deliberate") {
    for (const std::string call :
         {"Tensor.add_(1.5/-inf 0.0/-inf) 1.5/-inf", "Tensor.__iadd__(1.5/-inf 0.0/-inf) 1.5/-inf",
          "Tensor.scatter_(1.5/-inf #1 . #-inf) 1.5/-inf", "Tensor.log_(1.5/-inf) 1.5/-inf",
          "Tensor.__setitem__(1.5/-inf . #-inf)", "Tensor.clamp_(65504.0/-1.0 #65504.0) 65504.0/-1.0"}) {
        CAPTURE(call);
        CHECK(verdicts_of(call, MsprobeVersion::may_2024) == call.substr(0, call.find('(')) + " deliberate");
    }
    // -Inf that nothing gave is the call's own.
    CHECK(verdicts_of("Tensor.mul_(1.5/-inf .) 1.5/-inf", MsprobeVersion::may_2024) == "Tensor.mul_ born_here");
}

TEST_CASE("api masks: the first culprit") {
    const std::string view = "Tensor.div(1.5/-inf@32 #2.0) 1.5/-inf@32; Functional.softmax(1.5/-inf@32) nan@32";
    struct Row {
        const char* what;
        std::string calls;
        const char* first;
    };
    const std::vector<Row> rows{
        {"a mask stays one in another shape, for views are often not dumped", maker + view, "Functional.softmax"},
        {"and what is none does not become one", "Functional.linear(.) 1.5/-inf; " + view, "Functional.linear"},
        {"a softmax over nothing but masked values", "Functional.softmax(0.0/-inf) nan", "Functional.softmax"},
        {"the gradient of log(0) is 1/0", logarithm + "Torch.log.0.backward(.) inf/0.5", "Torch.log"},
        {"another mask is there: the logarithm is not known to be the reason",
         logarithm + "Torch.where(#-inf 0.0/-inf) 1.0/-inf; Functional.softmax(1.0/-inf) nan", "Functional.softmax"},
        {"not a constant that ends in clean results", full + "Torch.minimum(inf/inf .) .; Functional.linear(.) nan",
         "Functional.linear"},
        {"and nothing where nothing else is bad", full + "Torch.minimum(inf/inf .) .", ""},
        {"a module that returns the constant", full + "Module.start.Start.forward.0(.) inf/inf", "Torch.full"},
        {"another call made the bad value that a later one shows",
         full + "Functional.linear(.) nan; Torch.minimum(inf/inf nan) nan@2,2", "Functional.linear"},
        {"or the function computes", "Tensor.mul(. #inf) inf/inf; Functional.linear(.) nan", "Tensor.mul"},
        // MindSpore's dump documentation: the third output of FlashAttentionScore is reserved.
        {"an output that is no result", "Primitive.FlashAttentionScore(.) . . nan .; Functional.linear(.) nan",
         "Functional.linear"},
        {"a number that the call writes into its result", "Functional.pad(. value=#-inf) 1.5/-inf", ""},
        {"a bad weight before its module",
         "Functional.linear(. nan@8,8) nan; Module.fc.Linear.forward.0(. weight:nan@8,8) nan", "Functional.linear"},
        {"what made the weight", "Torch.matmul(.) nan@8,8; Functional.linear(. nan@8,8) nan", "Torch.matmul"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.what);
        CHECK(first_bad_of(row.calls) == row.first);
    }
    CHECK(verdicts_of("Functional.linear(. nan@8,8) nan; Module.fc.Linear.forward.0(. weight:nan@8,8) nan")
              .starts_with("Functional.linear weight"));
}

TEST_CASE("api masks: a limit written with six digits is saturation, at either end and at both") {
    // Largest finite values: float32 3.4028234663852886e+38, bfloat16 3.3895313892515355e+38 (IEEE 754; 7 bits of
    // mantissa).
    const std::string saturated = "step 1 rank 0 Default/Mul-op1 saturated\n";
    CHECK(first_of_kernel("float32", "3.40282e+38", "-1") == saturated);
    CHECK(first_of_kernel("float32", "2", "-3.40282e+38") == saturated);
    CHECK(first_of_kernel("float32", "3.40282e+38", "-3.40282e+38") == saturated);
    CHECK(first_of_kernel("bfloat16", "3.38953e+38", "-1") == saturated);
    CHECK(first_of_kernel("float32", "3.402e+38", "-1").empty());
}
