// Two tensors of raw bytes, compared.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "difference/difference.hpp"
#include "dump_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {

template <class Code>
Buffer bytes_of_codes(const std::vector<Code>& codes) {
    Buffer bytes(codes.size() * sizeof(Code));
    std::memcpy(bytes.data(), codes.data(), bytes.size());
    return bytes;
}

inline difference::NamedTensor named_tensor(const std::string& file, const std::string& dtype,
                                            const std::vector<std::uint64_t>& shape) {
    difference::NamedTensor one;
    one.file = file;
    one.tensor.file = file;
    one.tensor.dtype = dtype;
    one.tensor.shape = shape;
    one.tensor.elements = 1;
    for (const std::uint64_t dimension : shape) {
        one.tensor.elements *= dimension;
    }
    return one;
}

inline difference::Difference compared(const std::string& dtype, const std::vector<std::uint64_t>& shape,
                                       const Buffer& a, const Buffer& b) {
    const TemporaryDirectory folder;
    const auto result = difference::compare_tensors(named_tensor(write_file(folder / "a", a), dtype, shape),
                                                    named_tensor(write_file(folder / "b", b), dtype, shape), {});
    REQUIRE(result.ok());
    return *result;
}

}  // namespace opdebug::test
