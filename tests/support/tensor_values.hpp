// Inputs and outputs of operators, written value by value.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "op_dump_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {

/// Patterns of float16 values.
constexpr std::uint16_t half_max = 0x7BFF;  ///< 65504
constexpr std::uint16_t half_inf = 0x7C00;
constexpr std::uint16_t half_nan = 0x7E00;
constexpr std::uint16_t half_one = 0x3C00;
constexpr std::uint16_t half_two = 0x4000;

/// A tensor of these patterns, each of `width` bytes, little-endian, zeros after the eighth; format NCHW (0).
inline Tensor tensor_of(std::uint64_t data_type, std::vector<std::uint64_t> dims,
                        const std::vector<std::uint64_t>& patterns, unsigned width) {
    Tensor result;
    result.data_type = data_type;
    result.format = 0;
    result.dims = std::move(dims);
    for (const std::uint64_t pattern : patterns) {
        for (unsigned i = 0; i < width; ++i) {
            result.data.push_back(i < 8 ? static_cast<std::uint8_t>(pattern >> (8 * i)) : std::uint8_t{0});
        }
    }
    result.size = result.data.size();
    return result;
}

/// The output of the documents' example: eight float16 values, 65504 and seven zeros.
inline Tensor example_output() {
    return tensor_of(float16_type, {1, 8}, {half_max, 0, 0, 0, 0, 0, 0, 0}, 2);
}

/// An operator's dump with that output.
inline DumpFile example_op_dump(std::string op_name = "bert/Add_17") {
    DumpFile dump;
    dump.op_name = std::move(op_name);
    dump.dump_time = 1597922031178400;
    dump.outputs.push_back(example_output());
    return dump;
}

/// An operator's dump that takes longer to read than any test may last, but no space on the disk.
inline std::string write_endless_op_dump(const std::string& path) {
    constexpr std::uint64_t size = std::uint64_t{1} << 42U;
    DumpFile dump = example_op_dump();
    dump.outputs[0] = tensor_of(uint8_type, {size}, {}, 1);
    dump.outputs[0].size = size;
    const Buffer header = build_v2(dump);
    write_file(path, header);
    std::filesystem::resize_file(path, header.size() + size);
    return path;
}

}  // namespace opdebug::test
