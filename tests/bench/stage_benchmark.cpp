// How fast each stage is, by Google Benchmark: opdebug_stage_benchmark --benchmark_filter=logs
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include <doctest/doctest.h>

#include <benchmark/benchmark.h>

#include "stages.hpp"

namespace {

void measure(benchmark::State& state, const opdebug::bench::Stage& stage) {
    for (auto _ : state) {
        state.PauseTiming();
        const opdebug::bench::Run run = stage.prepare();
        state.ResumeTiming();
        benchmark::DoNotOptimize(run());
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    for (const opdebug::bench::Stage& stage : opdebug::bench::all_stages()) {
        benchmark::RegisterBenchmark(stage.name.c_str(), measure, stage)->Unit(benchmark::kMicrosecond);
    }
    benchmark::RunSpecifiedBenchmarks();
}
