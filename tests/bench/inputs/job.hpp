// The made-up job whose dumps and logs the benchmarks read. Everything follows from an overflow's number, so that trees
// and logs of any size, made apart from each other, report the same tasks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace opdebug::bench {

constexpr std::uint64_t kRanks = 8;             ///< each a process with a device of its own
constexpr std::uint64_t kDumpsInFolder = 10;    ///< of one step of one rank
constexpr std::uint64_t kModelOperators = 100;  ///< of the model that each rank loads
constexpr std::uint64_t kModelStream = 20;      ///< the model's operators lie on this stream and the next one
constexpr std::uint64_t kFirstStream = 7;       ///< the streams of single operators
constexpr std::uint64_t kStreams = 4;
constexpr std::uint64_t kModelId = 3;

/// What the job writes of one time: by rank, so that a log has the lines of all of them.
enum class CannTime { y2021, y2023, v8_5, v9_1 };
CannTime cann_time_of(std::uint64_t rank);

struct Operator {
    std::string type;
    std::string name;
    std::string kernel;  ///< as the launch lines of that time name it
};

/// The operator of that number, of the model or executed alone.
Operator operator_of(std::uint64_t number, CannTime cann, bool of_model);

struct Overflow {
    std::uint64_t number = 0;
    std::uint64_t rank = 0;  ///< also its device
    std::uint64_t step = 0;
    bool of_model = false;  ///< of the loaded model, else an operator executed alone
    std::uint64_t stream = 0;
    std::uint64_t task = 0;
    std::uint64_t time_us = 0;  ///< since 1970
    Operator of;
};

/// Microseconds from the job's begin to the overflow of that number: one follows the other 20 ms later.
std::uint64_t overflow_after_us(std::uint64_t number);
Overflow overflow(std::uint64_t number);

/// Where it is in the tree: the layouts of GE and of MindSpore's ranks (docs/internals/formats.md, "Directories").
std::filesystem::path folder_of(const Overflow& overflow);

}  // namespace opdebug::bench
