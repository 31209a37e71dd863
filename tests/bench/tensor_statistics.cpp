// How fast tensors are measured, against memcpy of the same bytes.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "container/container.hpp"
#include "tensor/element_type.hpp"
#include "tensor/measure.hpp"
#include "tensor/statistics.hpp"

namespace {

using namespace opdebug::tensor_stage;

constexpr std::size_t kBytes = 128U << 20U;  // far more than a processor's cache

template <class Bits, class Number>
Bits bits_of(Number number) {
    static_assert(sizeof(Bits) == sizeof(Number));
    Bits bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

/// A value around 1 of either sign; of integers, and of types without a case here, random bits.
std::uint64_t ordinary_bits(const ElementType& type, std::mt19937_64& random) {
    const std::uint64_t any = random();
    const double number = (any >> 63U != 0 ? -1.0 : 1.0) * (1.0 + static_cast<double>(any % 1024) / 1024);
    const auto single = bits_of<std::uint32_t>(static_cast<float>(number));
    if (type.name == "float16") {
        return (single >> 16U & 0x8000U) | 0x3C00U | (single >> 13U & 0x3FFU);
    }
    if (type.name == "bfloat16") {
        return single >> 16U;
    }
    if (type.name == "float32") {
        return single;
    }
    if (type.name == "complex64") {
        return std::uint64_t{single} << 32U | single;
    }
    return type.name == "float64" ? bits_of<std::uint64_t>(number) : any;
}

/// `special`: every 1000th is Inf, as in the output of an operator that overflowed; of types of 16 and 32 bits.
std::vector<std::uint8_t> values(const ElementType& type, bool special) {
    std::mt19937_64 random(1);
    std::vector<std::uint8_t> bytes(kBytes);
    const std::size_t size = std::max(type.bits / 8, 1U);
    const std::uint64_t infinity = type.name == "float16" ? 0x7C00U : type.bits == 16 ? 0x7F80U : 0x7F800000U;
    for (std::size_t i = 0; i < kBytes / size; ++i) {
        const std::uint64_t bits = special && i % 1000 == 0 ? infinity : ordinary_bits(type, random);
        std::memcpy(bytes.data() + i * size, &bits, size);
    }
    return bytes;
}

void copy(benchmark::State& state) {
    const std::vector<std::uint8_t> from(kBytes, 1);
    std::vector<std::uint8_t> to(kBytes, 2);
    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), kBytes);
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBytes));
}

void measure(benchmark::State& state, const std::string& dtype, bool special) {
    const ElementType& type = *element_type(dtype);
    const std::vector<std::uint8_t> bytes = values(type, special);
    for (auto _ : state) {
        const std::unique_ptr<Accumulator> accumulator = make_accumulator(type, type.bits);
        PieceReader reader{opdebug::Bytes(bytes)};
        reader.read(0, kBytes, [&](opdebug::Bytes piece) {
            accumulator->add(piece, piece.size() * 8 / type.bits);
            return true;
        });
        benchmark::DoNotOptimize(accumulator->statistics());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBytes));
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    benchmark::RegisterBenchmark("memcpy", copy);
    for (const std::string dtype : {"float16", "bfloat16", "float32"}) {
        benchmark::RegisterBenchmark((dtype + "/ordinary").c_str(), measure, dtype, false);
        benchmark::RegisterBenchmark((dtype + "/with_inf").c_str(), measure, dtype, true);
    }
    for (const std::string dtype : {"float64", "complex64", "int8", "int32", "int64", "float8_e4m3fn", "int4"}) {
        benchmark::RegisterBenchmark(dtype.c_str(), measure, dtype, false);
    }
    benchmark::RunSpecifiedBenchmarks();
}
