// Tensors of operator dumps, from numbers or bytes, and short questions to what was measured.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/tensor.hpp>

#include "dump_builder.hpp"

namespace opdebug::test {

/// DumpData's numbers of the element types (docs/internals/formats.md) that tests name.
enum DataType : std::uint64_t {
    undefined_type = 0,
    float32_type = 1,
    float16_type = 2,
    int8_type = 3,
    uint8_type = 4,
    int32_type = 7,
    int64_type = 8,
    bool_type = 11,
    float64_type = 12,
    string_type = 13,
    complex64_type = 16,
    qint8_type = 18,
    resource_type = 23,
    bfloat16_type = 27,
    int4_type = 28,
    uint1_type = 29,
    complex32_type = 32,
    hifloat8_type = 33,
    float8_e4m3fn_type = 35,
    float6_e3m2_type = 37,
    float4_e2m1_type = 39,
};

/// Every element type that has numbers: DumpData's number and the name that it must be reported by.
struct NamedType {
    std::uint64_t number;
    std::string_view dtype;
};
const std::vector<NamedType>& types_with_numbers();

/// The bytes of little-endian numbers, one after the other.
template <class Number>
Buffer bytes_of_numbers(std::initializer_list<Number> numbers) {
    Buffer bytes(numbers.size() * sizeof(Number));
    std::size_t place = 0;
    for (const Number number : numbers) {
        std::memcpy(bytes.data() + place, &number, sizeof number);
        place += sizeof number;
    }
    return bytes;
}

/// float16 patterns.
inline Buffer halves(std::initializer_list<std::uint16_t> bits) {
    return bytes_of_numbers(bits);
}

/// A tensor whose declared size is that of its bytes.
Tensor tensor_of(std::uint64_t data_type, std::vector<std::uint64_t> dims, Buffer data);

/// A v2 dump of an operator called net/add.
DumpFile op_dump(std::vector<Tensor> inputs, std::vector<Tensor> outputs);

/// The dump measured from memory; fails the test when it cannot be.
OpDump measured(const DumpFile& dump);
/// The only tensor of a dump that holds `tensor` as its output.
DumpedTensor measured_output(const Tensor& tensor);

/// The first diagnostic with that code, of the tensor; "none" or "error: message".
std::string told(const DumpedTensor& tensor, std::string_view code);
std::string told(const OpDump& dump, std::string_view code);

/// A number of any kind as a double.
double as_double(const TensorNumber& number);

}  // namespace opdebug::test
