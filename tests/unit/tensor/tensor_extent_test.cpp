// How many elements a tensor has, by its shape and its bytes.
#include <doctest/doctest.h>

#include "op_dump_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("extent: without dimensions a tensor with bytes is a scalar, one without bytes is empty") {
    const DumpedTensor scalar = measured_output(tensor_of(float16_type, {}, halves({0x3C00})));
    CHECK(scalar.elements == 1);
    CHECK(scalar.diagnostics.empty());
    const DumpedTensor empty = measured_output(tensor_of(float16_type, {}, {}));
    CHECK(empty.elements == 0);
    CHECK(empty.diagnostics.empty());
}

TEST_CASE("extent: a single byte more than the shape needs is told") {
    Buffer bytes = halves({0x3C00, 0x4000});
    CHECK(measured_output(tensor_of(float16_type, {2}, bytes)).diagnostics.empty());
    bytes.push_back(0);
    const DumpedTensor padded = measured_output(tensor_of(float16_type, {2}, bytes));
    CHECK(padded.elements == 2);
    CHECK(told(padded, "tensor_size_above_shape").find("need 4 bytes, but 5 are declared") != std::string::npos);
}
