// Tensors whose sizes and shapes do not fit the file: too few bytes or too many, files that end early, tensors left
// out.
#include <doctest/doctest.h>

#include "op_dump_builder.hpp"
#include "outcome.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

const Buffer pair_of_halves = halves({0x3C00, 0x7BFF});  // 1, 65504

}  // namespace

TEST_CASE("fewer bytes than the shape needs: what is there is measured, values are missing") {
    const DumpedTensor tensor = measured_output(tensor_of(float16_type, {3}, pair_of_halves));
    CHECK(tensor.elements == 2);
    CHECK(told(tensor, "tensor_size_below_shape") ==
          "error: output 0 has 3 elements by its shape, but only 4 bytes are declared, enough for 2. Only these "
          "elements are measured. Writers skip tensors without a device address");
    const OpDump dump = measured(op_dump({}, {tensor_of(float16_type, {3}, pair_of_halves)}));
    CHECK(!dump.complete());
}

TEST_CASE("more bytes than the shape needs are padding") {
    Buffer padded = pair_of_halves;
    padded.resize(32, 0xFF);  // NaN, if it were read
    const DumpedTensor tensor = measured_output(tensor_of(float16_type, {2}, padded));
    CHECK(tensor.elements == 2);
    CHECK(tensor.statistics->nan == 0);
    CHECK(
        contains(told(tensor, "tensor_size_above_shape"), "info: output 0 has 2 elements by its shape, which need 4"));
    // A scalar in a padded buffer stays one element.
    CHECK(measured_output(tensor_of(float16_type, {}, padded)).elements == 1);
}

TEST_CASE("a tensor that the writer skipped for want of an address costs only itself") {
    const Buffer ones = halves({0x3C00, 0x3C00});
    DumpFile file = op_dump({tensor_of(float16_type, {2}, {}), tensor_of(float16_type, {2}, ones)},
                            {tensor_of(float16_type, {2}, pair_of_halves)});
    file.inputs[0].size = 4;  // declared all the same
    file.inputs[1].address = 0x1000;
    file.outputs[0].address = 0x2000;
    DumpFile nano = file;
    for (Tensor* const tensor : {&nano.inputs[0], &nano.inputs[1], &nano.outputs[0]}) {
        tensor->data_type = 1;  // GE's float16
    }
    for (const Buffer& bytes : {build_v2(file), build_nano(nano)}) {
        const Result<OpDump> dump = measure_op_dump(Bytes(bytes));
        REQUIRE(outcome(dump) == "ok");
        CHECK(contains(told(dump->tensors[0], "tensor_skipped"),
                       "error: input 0 is declared with 4 bytes but without a device address"));
        CHECK(dump->tensors[0].size == 0);
        CHECK(dump->tensors[0].elements == 0);
        CHECK(!dump->tensors[0].statistics);
        CHECK(*dump->tensors[1].statistics->mean == 1);
        CHECK(*dump->tensors[2].statistics->mean == 32752.5);
        CHECK(dump->tensors[2].diagnostics.empty());
        CHECK(told(*dump, "tensors_beyond_file") == "none");
        CHECK(!dump->complete());
    }
}

TEST_CASE("without addresses, or where leaving tensors out does not help, nothing is moved") {
    const Buffer ones = halves({0x3C00, 0x3C00});
    DumpFile file = op_dump({tensor_of(float16_type, {2}, {})}, {tensor_of(float16_type, {2}, ones)});
    file.inputs[0].size = 4;
    const OpDump of_2020 = measured(file);
    CHECK(contains(told(of_2020, "tensors_beyond_file"), "error: "));
    CHECK(told(of_2020.tensors[0], "tensor_skipped") == "none");
    file.outputs[0].address = 0x1000;
    const Result<OpDump> also_cut = measure_op_dump(Bytes(cut(build_v2(file), 1)));
    REQUIRE(outcome(also_cut) == "ok");
    CHECK(contains(told(*also_cut, "tensors_beyond_file"), "error: "));
    CHECK(told(also_cut->tensors[0], "tensor_skipped") == "none");
    // An absent address alone means nothing: the bytes are there.
    file.inputs[0].data = halves({0x4000, 0x4000});
    const OpDump whole = measured(file);
    CHECK(whole.complete());
    CHECK(*whole.tensors[0].statistics->mean == 2);
}

TEST_CASE("a size near 2^64 costs only the tensors after it") {
    DumpFile file =
        op_dump({tensor_of(float16_type, {2}, pair_of_halves), tensor_of(float16_type, {2}, pair_of_halves)},
                {tensor_of(float16_type, {2}, pair_of_halves)});
    file.inputs[1].size = ~std::uint64_t{0};
    const OpDump dump = measured(file);
    CHECK(contains(told(dump, "size_overflow"), "more than 2^64"));
    CHECK(*dump.tensors[0].statistics->mean == 32752.5);
    CHECK(dump.tensors[0].diagnostics.empty());
    CHECK(*dump.tensors[1].statistics->mean == 32752.5);  // its shape shows where it ends
    CHECK(contains(told(dump.tensors[2], "tensor_truncated"), "error: only 0 of 2 elements of output 0 are present"));
    CHECK(!dump.complete());
}

TEST_CASE("a data field in a v2 header does not hide the size") {
    // OpOutput: data_type 2, shape [2], an empty field 5 (data), then field 6 (size) 4.
    const Buffer output{0x08, 0x02, 0x1A, 0x03, 0x0A, 0x01, 0x02, 0x2A, 0x00, 0x30, 0x04};
    DumpFile file = op_dump({}, {});
    put_bytes_field(file.extra_fields, 3, output);
    Buffer bytes = build_v2(file);
    append(bytes, pair_of_halves);
    const Result<OpDump> dump = measure_op_dump(Bytes(bytes));
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->tensors.size() == 1);
    CHECK(dump->tensors[0].size == 4);
    CHECK(*dump->tensors[0].statistics->mean == 32752.5);
    CHECK(dump->complete());
}

TEST_CASE("sizes and shapes that nobody can have") {
    Tensor huge = tensor_of(float32_type, {1ULL << 62, 1ULL << 62}, Buffer(8));
    const DumpedTensor unknown = measured_output(huge);
    CHECK(unknown.elements == 2);
    CHECK(contains(told(unknown, "tensor_shape_unknown"), "warning: the shape of output 0"));
    // -1: not known when the operator was built.
    CHECK(measured_output(tensor_of(float32_type, {~std::uint64_t{0}}, Buffer(8))).elements == 2);
    // An empty dimension among others.
    Tensor empty = tensor_of(float32_type, {1ULL << 62, 1ULL << 62, 0}, {});
    CHECK(measured_output(empty).elements == 0);
    CHECK(measured_output(empty).diagnostics.empty());
    // Declared sizes near 2^64 no wrap and no allocate.
    huge.dims = {~std::uint64_t{0} >> 1U};
    huge.size = 1ULL << 62;
    const DumpedTensor declared = measured_output(huge);
    CHECK(declared.elements == 2);
    CHECK(contains(told(declared, "tensor_truncated"), "error: only 2 of "));
    for (const std::uint64_t type : {std::uint64_t{uint1_type}, std::uint64_t{float6_e3m2_type}, std::uint64_t{17}}) {
        Tensor other = tensor_of(type, {~std::uint64_t{0} >> 1U}, Buffer(16));
        other.size = (~std::uint64_t{0}) - 1000;
        const OpDump dump = measured(op_dump({}, {other}));
        CHECK(dump.tensors[0].elements == 16 * 8 / (type == uint1_type ? 1U : type == float6_e3m2_type ? 6U : 128U));
    }
}

TEST_CASE("extent: without dimensions a tensor with bytes is a scalar, one without bytes is empty") {
    const DumpedTensor scalar = measured_output(tensor_of(float16_type, {}, halves({0x3C00})));
    CHECK(scalar.elements == 1);
    CHECK(scalar.diagnostics.empty());
    const DumpedTensor empty = measured_output(tensor_of(float16_type, {}, {}));
    CHECK(empty.elements == 0);
    CHECK(empty.diagnostics.empty());
}

TEST_CASE("extent: a single byte more than the shape needs is reported") {
    Buffer bytes = halves({0x3C00, 0x4000});
    CHECK(measured_output(tensor_of(float16_type, {2}, bytes)).diagnostics.empty());
    bytes.push_back(0);
    const DumpedTensor padded = measured_output(tensor_of(float16_type, {2}, bytes));
    CHECK(padded.elements == 2);
    CHECK(contains(told(padded, "tensor_size_above_shape"), "need 4 bytes, but 5 are declared"));
}
