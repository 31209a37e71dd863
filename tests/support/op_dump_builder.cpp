#include "op_dump_builder.hpp"

#include <utility>

#include <doctest/doctest.h>

namespace opdebug::test {
namespace {

std::string first_told(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.code == code) {
            return std::string(to_string(diagnostic.severity)) + ": " + diagnostic.message;
        }
    }
    return "none";
}

}  // namespace

const std::vector<NamedType>& types_with_numbers() {
    static const std::vector<NamedType> types{
        {1, "float32"},      {2, "float16"},      {3, "int8"},           {4, "uint8"},        {5, "int16"},
        {6, "uint16"},       {7, "int32"},        {8, "int64"},          {9, "uint32"},       {10, "uint64"},
        {11, "bool"},        {12, "float64"},     {16, "complex64"},     {17, "complex128"},  {18, "int8"},
        {19, "int16"},       {20, "int32"},       {21, "uint8"},         {22, "uint16"},      {27, "bfloat16"},
        {28, "int4"},        {29, "uint1"},       {30, "int2"},          {31, "uint2"},       {32, "complex32"},
        {33, "hifloat8"},    {34, "float8_e5m2"}, {35, "float8_e4m3fn"}, {36, "float8_e8m0"}, {37, "float6_e3m2"},
        {38, "float6_e2m3"}, {39, "float4_e2m1"}, {40, "float4_e1m2"},
    };
    return types;
}

Tensor tensor_of(std::uint64_t data_type, std::vector<std::uint64_t> dims, Buffer data) {
    Tensor result = tensor(std::move(data));
    result.data_type = data_type;
    result.dims = std::move(dims);
    return result;
}

DumpFile op_dump(std::vector<Tensor> inputs, std::vector<Tensor> outputs) {
    DumpFile dump;
    dump.op_name = "net/add";
    dump.inputs = std::move(inputs);
    dump.outputs = std::move(outputs);
    return dump;
}

OpDump measured(const DumpFile& dump) {
    const Result<OpDump> result = measure_op_dump(Bytes(build_v2(dump)));
    REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : to_string(result.error())));
    return *result;
}

DumpedTensor measured_output(const Tensor& tensor) {
    const OpDump dump = measured(op_dump({}, {tensor}));
    REQUIRE(dump.tensors.size() == 1);
    return dump.tensors[0];
}

std::string told(const DumpedTensor& tensor, std::string_view code) {
    return first_told(tensor.diagnostics, code);
}

std::string told(const OpDump& dump, std::string_view code) {
    return first_told(dump.diagnostics, code);
}

double as_double(const TensorNumber& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

}  // namespace opdebug::test
