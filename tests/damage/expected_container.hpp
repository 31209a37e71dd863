// What a dump file declares, read a second time and slowly from the tables of docs/internals/formats.md ("Container"),
// without the code under test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire.hpp"

namespace opdebug::damage {

using test::Buffer;

struct ExpectedTensor {
    std::uint64_t data_type = 0;
    std::vector<std::uint64_t> dims;
    std::uint64_t size = 0;      ///< declared; of version 1 the bytes in the message, if there are any
    std::uint64_t declared = 0;  ///< the field "size"
    std::uint64_t offset = 0;    ///< in the bytes that were read
    bool has_address = false;
    std::string original_op;
};

struct ExpectedContainer {
    std::string fault;  ///< the error's code; empty when the file can be parsed
    std::string form;   ///< "dump_data_v2", "dump_data_v1" or "nano"
    std::vector<ExpectedTensor> inputs, outputs;
    std::string op_name;
    std::optional<std::uint64_t> time;
    std::uint64_t data_begin = 0;
    std::uint64_t end = 0;        ///< after everything that is declared; may lie beyond the bytes
    bool ends_in_damage = false;  ///< version 1: at `end`, after a whole output, no field can be read
};

/// `fault` is size_overflow where the sizes add up beyond 2^64.
ExpectedContainer expected_container(const Buffer& bytes);

/// The little-endian number of `width` bytes at `at`; nothing when some of them are not there.
std::optional<std::uint64_t> number_at(const Buffer& bytes, std::size_t at, std::size_t width);

}  // namespace opdebug::damage
