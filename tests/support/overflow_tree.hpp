// A made-up job: overflow dumps with the operators' own dumps next to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dump_builder.hpp"
#include "tensor_values.hpp"

namespace opdebug::test {

/// 2026-03-04 10:00:05 UTC.
constexpr std::uint64_t job_begin_us = 1'772'618'405'000'000;

/// float16 by its bits.
Tensor half_tensor(const std::vector<std::uint16_t>& bits);

/// One overflow: of a rank and step, so many milliseconds after job_begin_us. The operator's dump is half a millisecond
/// older.
struct MadeUpOverflow {
    std::uint64_t rank = 0, step = 0, milliseconds = 0;
    std::string op_name = "net/op";
    std::vector<Tensor> inputs, outputs;
    bool with_op_dump = true;
    std::size_t missing_bytes = 0;  ///< cut off the end of the operator's dump
};

/// Where the files of an overflow lie: ROOT/rank_R/Net/0/STEP/.
std::string overflow_file(const std::string& root, const MadeUpOverflow& overflow);
std::string op_dump_file(const std::string& root, const MadeUpOverflow& overflow);

/// Writes both files.
void write_overflow(const std::string& root, const MadeUpOverflow& overflow);

}  // namespace opdebug::test
