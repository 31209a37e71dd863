// Whether bad values came in or were born: verdicts and their reasons.
#include <doctest/doctest.h>

#include <opdebug/tensor.hpp>

#include "op_dump_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const Tensor clean = tensor_of(float16_type, {2}, halves({0x3C00, 0x4000}));
const Tensor with_nan = tensor_of(float16_type, {2}, halves({0x7E00, 0x4000}));
const Tensor with_inf = tensor_of(float16_type, {4}, halves({0x7C00, 0xFC00, 0x4000, 0x3C00}));
const Tensor saturated = tensor_of(float16_type, {2}, halves({0x7BFF, 0x4000}));

Origin found(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
    return origin_of(measured(op_dump(inputs, outputs)));
}

std::string origin(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
    const Origin judged = found(inputs, outputs);
    return std::string(to_string(judged.verdict)) + ": " + judged.because;
}

}  // namespace

TEST_CASE("clean to clean is not visible") {
    CHECK(origin({clean, clean}, {clean}) == "not_visible: inputs and outputs are clean");
}

TEST_CASE("clean to bad is born here") {
    CHECK(origin({clean}, {with_inf}) == "born_here: inputs are clean; output 0 contains 2 Inf of 4 values");
    CHECK(origin({clean}, {with_nan}) == "born_here: inputs are clean; output 0 contains 1 NaN of 2 values");
    CHECK(origin({clean}, {clean, saturated}) ==
          "born_here: inputs are clean; output 1 contains 1 value at float16's limit 65504, of 2 values");
    Tensor all = tensor_of(float16_type, {5}, halves({0x7E00, 0x7C00, 0x7BFF, 0xFBFF, 0x0000}));
    CHECK(origin({clean}, {all, with_nan}) ==
          "born_here: inputs are clean; output 0 contains 1 NaN, 1 Inf and 2 values at float16's limit 65504, of 5 "
          "values, "
          "output 1 contains 1 NaN of 2 values");
}

TEST_CASE("a dump whose message is damaged may lack inputs: a bad output was not born for sure") {
    const auto judged = [](const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
        OpDump dump = measured(op_dump(inputs, outputs));
        dump.tensors_missing = true;
        const Origin origin = origin_of(dump);
        return std::string(to_string(origin.verdict)) + ": " + origin.because;
    };
    CHECK(judged({clean}, {with_nan}) ==
          "not_visible: the dump is damaged, inputs may be missing; output 0 contains 1 NaN of 2 values");
    CHECK(judged({}, {clean}) ==
          "not_visible: the dump is damaged, inputs may be missing; the available values are clean");
    CHECK(judged({with_nan}, {clean}).substr(0, 10) == "inherited:");
}

TEST_CASE("a bad input is inherited, whatever the outputs are, and the outputs are reported as well") {
    CHECK(origin({clean, with_nan}, {with_nan}) ==
          "inherited: input 1 contains 1 NaN of 2 values; output 0 contains 1 NaN of 2 values");
    CHECK(origin({with_inf, saturated}, {clean}) ==
          "inherited: input 0 contains 2 Inf of 4 values, input 1 contains 1 value at float16's limit 65504, of 2 "
          "values; "
          "the outputs are clean");
    CHECK(origin({with_nan}, {}) == "inherited: input 0 contains 1 NaN of 2 values; the dump contains no outputs");
}

TEST_CASE("inherited from what may be an attention mask: it may have been born here") {
    const std::string weak =
        " (attention masks are filled with -Inf or the negative limit on purpose: if this is one, the bad value may "
        "have been born here)";
    const std::string strong =
        " (attention masks are filled with -Inf or the negative limit on purpose; no measured input contains the NaN, "
        "+Inf or positive limit of the outputs: the bad value was probably born here)";
    const Tensor mask = tensor_of(float16_type, {2}, halves({0xFC00, 0x0000}));
    const Tensor limit_mask = tensor_of(float16_type, {2}, halves({0xFBFF, 0x0000}));
    const std::string of_mask = "inherited: input 0 contains 1 Inf of 2 values; ";
    CHECK(origin({mask, clean}, {clean}) == of_mask + "the outputs are clean" + weak);
    CHECK(origin({mask, clean}, {mask}) == of_mask + "output 0 contains 1 Inf of 2 values" + weak);
    CHECK(origin({mask, clean}, {with_nan}) == of_mask + "output 0 contains 1 NaN of 2 values" + strong);
    CHECK(origin({limit_mask}, {saturated}) ==
          "inherited: input 0 contains 1 value at float16's limit 65504, of 2 values; output 0 contains 1 value at "
          "float16's "
          "limit 65504, of 2 values" +
              strong);
    CHECK(found({mask}, {with_nan}).mask_possible);
    // One bad value that no mask holds is enough.
    CHECK_FALSE(found({mask, saturated}, {with_nan}).mask_possible);
    CHECK_FALSE(found({with_inf}, {with_nan}).mask_possible);
    CHECK_FALSE(found({mask, with_nan}, {with_nan}).mask_possible);
    CHECK_FALSE(found({clean}, {mask}).mask_possible);
}

TEST_CASE("what was seen is kept next to the verdict") {
    const Origin only_outputs = found({}, {with_nan});
    CHECK(only_outputs.verdict == OriginVerdict::not_visible);
    CHECK(only_outputs.bad_output);
    CHECK_FALSE(only_outputs.bad_input);
    CHECK(only_outputs.values_unseen);
    const Origin all_clean = found({clean}, {clean});
    CHECK_FALSE(all_clean.bad_output);
    CHECK_FALSE(all_clean.values_unseen);
    const Origin both = found({with_nan}, {with_nan});
    CHECK(both.bad_input);
    CHECK(both.bad_output);
    CHECK(found({clean}, {}).values_unseen);
    Tensor unknown = clean;
    unknown.data_type = 99;
    CHECK(found({clean}, {unknown}).values_unseen);
    CHECK(origin({clean}, {unknown}) == "not_visible: inputs are clean; output 0 could not be measured completely");
}

TEST_CASE("without inputs nothing can be said") {
    CHECK(origin({}, {with_nan}) ==
          "not_visible: the dump contains no inputs (only outputs were dumped); output 0 contains 1 NaN of 2 values");
    CHECK(origin({}, {clean}) == "not_visible: the dump contains no inputs, and its outputs are clean");
    CHECK(origin({clean}, {}) == "not_visible: inputs are clean; the dump contains no outputs");
}

TEST_CASE("an input that could not be measured leaves it open, unless another is bad") {
    Tensor unknown = clean;
    unknown.data_type = 99;
    CHECK(origin({clean, unknown}, {with_nan}) ==
          "not_visible: input 1 could not be measured completely; output 0 contains 1 NaN of 2 values");
    CHECK(origin({unknown, with_nan}, {with_nan}) ==
          "inherited: input 1 contains 1 NaN of 2 values; output 0 contains 1 NaN of 2 values");
    Tensor shorter = clean;
    shorter.dims = {3};
    CHECK(origin({shorter, unknown}, {clean}) == "not_visible: input 0 and input 1 could not be measured completely");
    // The writer left out the first input, though it is declared: nobody knows whether it was clean.
    DumpFile skipped = op_dump({tensor_of(float16_type, {2}, {}), clean}, {with_nan});
    skipped.inputs[0].size = 4;
    skipped.inputs[1].address = 0x1000;
    skipped.outputs[0].address = 0x2000;
    CHECK(origin_of(measured(skipped)).because ==
          "input 0 could not be measured completely; output 0 contains 1 NaN of 2 values");
    // A resource may be a weight; an optional input that is not there has no type.
    const Tensor resource = tensor_of(resource_type, {}, bytes_of("1234"));
    CHECK(origin({clean, resource}, {with_nan}) ==
          "not_visible: input 1 could not be measured completely; output 0 contains 1 NaN of 2 values");
    CHECK(origin({clean, tensor_of(undefined_type, {}, {})}, {with_nan}) ==
          "born_here: inputs are clean; output 0 contains 1 NaN of 2 values");
    // Strings hold no bad numbers.
    CHECK(origin({clean, tensor_of(string_type, {1}, bytes_of("text"))}, {with_nan}) ==
          "born_here: inputs are clean; output 0 contains 1 NaN of 2 values");
}

TEST_CASE("integers: inputs at their limits are meant so, outputs count with care") {
    const Tensor limits = tensor_of(int32_type, {3}, bytes_of_numbers<std::int32_t>({INT32_MIN, INT32_MAX, 0}));
    CHECK(origin({limits}, {with_nan}) == "born_here: inputs are clean; output 0 contains 1 NaN of 2 values");
    CHECK(
        origin({clean}, {limits}) ==
        "born_here: inputs are clean; output 0 contains 2 values at int32's limits, of 3 values (integers at the ends "
        "of their range may be intended)");
    CHECK(found({clean}, {limits}).integers_only);
    CHECK(found({}, {limits}).integers_only);
    CHECK(origin({clean}, {limits, with_nan}) ==
          "born_here: inputs are clean; output 0 contains 2 values at int32's limits, of 3 values, output 1 contains 1 "
          "NaN "
          "of 2 values");
    CHECK_FALSE(found({clean}, {limits, with_nan}).integers_only);
}

TEST_CASE("integers of 8 bits and less never count: quantised data reach their limits") {
    const Tensor limits = tensor_of(int8_type, {3}, {0x80, 0x7F, 0x00});
    CHECK(origin({clean}, {limits}) == "not_visible: inputs and outputs are clean");
    CHECK(origin({limits}, {limits, with_nan}) == "born_here: inputs are clean; output 1 contains 1 NaN of 2 values");
    CHECK(origin({clean}, {tensor_of(uint8_type, {2}, {0xFF, 0xFF})}) == "not_visible: inputs and outputs are clean");
    CHECK(origin({clean}, {tensor_of(int4_type, {2}, {0x78})}) == "not_visible: inputs and outputs are clean");
}
