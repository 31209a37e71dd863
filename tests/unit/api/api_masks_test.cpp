// Masks: -Inf, or the lowest number of a type, that a program puts in on purpose.
#include <doctest/doctest.h>

#include "api_run.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

MadeValue mask(std::string least = "-Infinity") {
    return made_tensor("0.0", std::move(least));
}

}  // namespace

TEST_CASE("api masks: -Inf that is written into places of a tensor is no bad number") {
    CHECK(verdicts_of({made_call("Tensor.__setitem__.0.forward",
                                 {made_tensor(), made_tensor(), made_scalar("float", "-Infinity")}, {})})
              .empty());
    CHECK(verdicts_of({made_call("Tensor.__setitem__.0.forward",
                                 {made_tensor(), made_tensor(), made_scalar("float", "NaN")}, {})}) ==
          "Tensor.__setitem__.0.forward inherited\n");
}

TEST_CASE("api masks: a mask stays one in another shape, for views are often not dumped") {
    const MadeValue scores = made_tensor("1.5", "-Infinity"), viewed = made_tensor("1.5", "-Infinity", "float16", {32});
    const auto first_after = [&](const MadeCall& maker) {
        return first_api_of({maker, made_call("Tensor.div.0.forward", {viewed, made_scalar("float", "2.0")}, {viewed}),
                             made_call("Functional.softmax.0.forward", {viewed}, {nan_tensor({32})})});
    };
    CHECK(first_after(made_call("Tensor.masked_fill.0.forward",
                                {made_tensor(), made_tensor(), made_scalar("float", "-Infinity")}, {scores})) ==
          "Functional.softmax.0.forward");
    CHECK(first_after(made_call("Functional.linear.0.forward", {made_tensor()}, {scores})) ==
          "Functional.linear.0.forward");
}

TEST_CASE("api masks: masks are deliberate, and what they enter is not to blame for them") {
    const std::vector<MadeCall> calls{
        made_call("Torch.full.0.forward", {made_scalar("int", "4"), made_scalar("float", "-Infinity")}, {mask()}),
        made_call("Tensor.__add__.0.forward", {made_tensor(), mask()}, {made_tensor("1.5", "-Infinity")}),
        made_call("Functional.softmax.0.forward", {made_tensor("1.5", "-Infinity")}, {made_tensor("1.0", "0.0")}),
        born()};
    CHECK(verdicts_of(calls) ==
          "Torch.full.0.forward deliberate\nTensor.__add__.0.forward deliberate\nFunctional.linear.0.forward "
          "born_here\n");
    CHECK(first_api_of(calls) == "Functional.linear.0.forward");
}

TEST_CASE("api masks: the lowest number of a type as a mask is deliberate, too") {
    CHECK(verdicts_of({made_call("Tensor.masked_fill.0.forward",
                                 {made_tensor(), made_tensor("1", "0", "bool"), made_scalar("float", "-65504.0")},
                                 {made_tensor("1.5", "-65504.0")})}) == "Tensor.masked_fill.0.forward deliberate\n");
    CHECK(verdicts_of({made_call("Tensor.__mul__.0.forward",
                                 {made_tensor("1.0", "0.0"), made_scalar("float", "-65504.0")}, {mask("-65504.0")})}) ==
          "Tensor.__mul__.0.forward deliberate\n");
}

TEST_CASE("api masks: a softmax over nothing but masked values makes the NaN") {
    CHECK(first_api_of({made_call("Functional.softmax.0.forward", {mask()}, {nan_tensor()})}) ==
          "Functional.softmax.0.forward");
}

TEST_CASE("api masks: -Inf that a call made by accident is inherited by those behind it") {
    const MadeValue bad = made_tensor("3.0", "-Infinity");
    CHECK(verdicts_of({made_call("Functional.linear.0.forward", {made_tensor()}, {bad}),
                       made_call("Functional.softmax.0.forward", {bad}, {nan_tensor()})}) ==
          "Functional.linear.0.forward born_here\nFunctional.softmax.0.forward inherited\n");
}

TEST_CASE("api masks: masks that old versions show as the input of an in-place call are deliberate") {
    const MadeValue scores = made_tensor("1.5", "-Infinity");
    const MadeValue infinity = made_scalar("float", "-Infinity");
    for (const MadeCall& call :
         {made_call("Tensor.add_.0.forward", {scores, mask()}, {scores}),
          made_call("Tensor.__iadd__.0.forward", {scores, mask()}, {scores}),
          made_call("Tensor.scatter_.0.forward", {scores, made_scalar("int", "1"), made_tensor(), infinity}, {scores}),
          made_call("Tensor.log_.0.forward", {scores}, {scores}),
          made_call("Tensor.__setitem__.0.forward", {scores, made_tensor(), infinity}, {}),
          made_call("Tensor.clamp_.0.forward", {made_tensor("65504.0", "-1.0"), made_scalar("float", "65504.0")},
                    {made_tensor("65504.0", "-1.0")})}) {
        CAPTURE(call.name);
        CHECK(verdicts_of({call}, MsprobeVersion::may_2024) == call.name + " deliberate\n");
    }
    // -Inf that nothing gave is the call's own.
    CHECK(verdicts_of({made_call("Tensor.mul_.0.forward", {scores, made_tensor()}, {scores})},
                      MsprobeVersion::may_2024) == "Tensor.mul_.0.forward born_here\n");
}

TEST_CASE("api masks: a logarithm of zero is a mask until a bad value comes of it") {
    const MadeValue logarithm = made_tensor("0.0", "-Infinity"), infinite = made_tensor("Infinity", "0.5");
    const MadeCall log = made_call("Torch.log.0.forward", {made_tensor("1.0", "0.0")}, {logarithm});
    const MadeCall added = made_call("Tensor.__add__.0.forward", {made_tensor(), logarithm}, {mask()});
    CHECK(verdicts_of({log, added}) == "Torch.log.0.forward deliberate\nTensor.__add__.0.forward deliberate\n");
    // 0 * log(0) of an entropy.
    CHECK(verdicts_of(
              {log, made_call("Tensor.__mul__.0.forward", {made_tensor("1.0", "0.0"), logarithm}, {nan_tensor()})}) ==
          "Torch.log.0.forward born_here\nTensor.__mul__.0.forward inherited\n");
    // The gradient of log(0) is 1/0.
    CHECK(first_api_of({log, made_call("Torch.log.0.backward", {made_tensor()}, {infinite})}) == "Torch.log.0.forward");
    // Another mask is there: the logarithm is not known to be the reason.
    const MadeValue scores = made_tensor("1.0", "-Infinity");
    const MadeCall masked =
        made_call("Torch.where.0.forward", {made_scalar("float", "-Infinity"), logarithm}, {scores});
    CHECK(first_api_of({log, masked, made_call("Functional.softmax.0.forward", {scores}, {nan_tensor()})}) ==
          "Functional.softmax.0.forward");
    // The least of many logarithms is -Inf: no error.
    CHECK(verdicts_of({log, made_call("Torch.min.0.forward", {logarithm},
                                      {made_tensor("-Infinity", "-Infinity", "float16", {})})}) ==
          "Torch.log.0.forward deliberate\nTorch.min.0.forward deliberate\n");
}

TEST_CASE("api masks: an infinite constant is meant if all that comes of it ends in clean results") {
    const MadeValue infinite = made_tensor("Infinity", "Infinity"), scores = made_tensor("Infinity", "-1.5");
    const MadeValue given = made_scalar("float", "Infinity");
    const MadeCall full = made_call("Torch.full.0.forward", {made_scalar("int", "4"), given}, {infinite});
    const auto minimum = [](const MadeValue& of) {
        return made_call("Torch.minimum.0.forward", {of, made_tensor()}, {made_tensor()});
    };
    CHECK(verdicts_of({full, minimum(infinite), born()}) ==
          "Torch.full.0.forward deliberate\nTorch.minimum.0.forward absorbed\nFunctional.linear.0.forward born_here\n");
    CHECK(first_api_of({full, minimum(infinite), born()}) == "Functional.linear.0.forward");
    CHECK(first_api_of({full, minimum(infinite)}).empty());
    // A call between them passes it on.
    const MadeCall filled =
        made_call("Tensor.masked_fill.0.forward", {made_tensor(), made_tensor("1", "0", "bool"), given}, {scores});
    const MadeCall passed = made_call("Tensor.div.0.forward", {scores, made_scalar("float", "2.0")}, {scores});
    CHECK(verdicts_of({filled, passed, minimum(scores), born()}) ==
          "Tensor.masked_fill.0.forward deliberate\nTensor.div.0.forward deliberate\n"
          "Torch.minimum.0.forward absorbed\nFunctional.linear.0.forward born_here\n");
    // What it reaches stays bad: the constant is the origin, also where only a view of it is shown.
    for (const MadeValue& used : {infinite, made_tensor("Infinity", "Infinity", "float16", {32})}) {
        CHECK(
            verdicts_of({full, made_call("Tensor.mul.0.forward", {used, made_tensor("0.0", "0.0")}, {nan_tensor()})}) ==
            "Torch.full.0.forward born_here\nTensor.mul.0.forward inherited\n");
    }
    CHECK(verdicts_of({filled, passed}) == "Tensor.masked_fill.0.forward born_here\nTensor.div.0.forward inherited\n");
    // A module that returns it.
    CHECK(first_api_of({full, made_call("Module.start.Start.forward.0", {made_tensor()}, {infinite})}) ==
          "Torch.full.0.forward");
    // Another call made the bad value that a later one shows, or the function computes.
    CHECK(first_api_of(
              {full, born(), made_call("Torch.minimum.0.forward", {infinite, nan_tensor()}, {nan_tensor({2, 2})})}) ==
          "Functional.linear.0.forward");
    CHECK(first_api_of({made_call("Tensor.mul.0.forward", {made_tensor(), given}, {infinite}), born()}) ==
          "Tensor.mul.0.forward");
}

TEST_CASE("api masks: an output that is no result is not judged") {
    // MindSpore's dump documentation: the third output of FlashAttentionScore is reserved.
    CHECK(first_api_of({made_call("Primitive.FlashAttentionScore.0.forward", {made_tensor()},
                                  {made_tensor(), made_tensor(), nan_tensor(), made_tensor()}),
                        born()}) == "Functional.linear.0.forward");
}
