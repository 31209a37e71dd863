#include "job.hpp"

#include <fmt/format.h>

#include "overflow_tree.hpp"
#include "random.hpp"

namespace opdebug::bench {
namespace {

constexpr std::uint64_t kFirstOverflowUs = 1'000'000;
constexpr std::uint64_t kOverflowEveryUs = 20'000;

constexpr const char* kTypes[] = {"MatMulV2", "Add",  "Mul",       "SoftmaxV2", "RealDiv",     "Exp",    "Cast",
                                  "GatherV2", "Gelu", "Transpose", "ReduceSum", "LayerNormV3", "Conv2D", "Sqrt"};

/// 32 hexadecimal digits, as kernels have from 2024 on.
std::string hash_of(std::uint64_t number) {
    test::Random random(number);
    const std::uint64_t high = random.number();
    return fmt::format("{:016x}{:016x}", high, random.number());
}

}  // namespace

CannTime cann_time_of(std::uint64_t rank) {
    return static_cast<CannTime>(rank % 4);
}

Operator operator_of(std::uint64_t number, CannTime cann, bool of_model) {
    const std::uint64_t layer = number / std::size(kTypes);
    Operator made;
    made.type = kTypes[number % std::size(kTypes)];
    made.name = of_model ? fmt::format("net/layer_{}/attention/{}_{}", layer, made.type, number)
                         : fmt::format("{}_{}", made.type, number);
    switch (cann) {
        case CannTime::y2021: made.kernel = (of_model ? "-1_0_1_" : "0_1_") + made.name; break;
        case CannTime::y2023: made.kernel = (of_model ? "00_1_" : "2_0_11_") + made.name; break;
        case CannTime::v8_5:
        case CannTime::v9_1:
            made.kernel = fmt::format("{}_{}_high_performance_{}", made.type, hash_of(number), 10'000 + number % 17);
            break;
    }
    return made;
}

std::uint64_t overflow_after_us(std::uint64_t number) {
    return kFirstOverflowUs + number * kOverflowEveryUs;
}

Overflow overflow(std::uint64_t number) {
    const std::uint64_t folder = number / kDumpsInFolder;
    Overflow made;
    made.number = number;
    made.rank = folder % kRanks;
    made.step = folder / kRanks;
    made.of_model = made.step % 2 == 0;
    made.time_us = test::job_begin_us + overflow_after_us(number);
    if (made.of_model) {
        const std::uint64_t place = (folder * 3 + number % kDumpsInFolder) % kModelOperators;
        made.stream = kModelStream + place % 2;
        made.task = 2 + place;
        made.of = operator_of(place, cann_time_of(made.rank), true);
    } else {
        test::Random random(number);
        made.stream = kFirstStream + random.below(kStreams);
        made.task = random.below(65'000);
        made.of = operator_of(random.below(300), cann_time_of(made.rank), false);
    }
    return made;
}

std::filesystem::path folder_of(const Overflow& overflow) {
    const std::string rank = fmt::format("rank_{}/20260304100000/{}/", overflow.rank, overflow.rank);
    return rank + (overflow.of_model ? fmt::format("net/{}/{}", kModelId, overflow.step)
                                     : fmt::format("step_{}", overflow.step));
}

}  // namespace opdebug::bench
