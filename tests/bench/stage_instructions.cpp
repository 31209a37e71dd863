// Runs each stage twice; check_instructions.py lets callgrind count what the second run executes. Prints a line for
// each: the stage's name and what came of it.
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include <doctest/doctest.h>

#include <cstdio>

#include "stages.hpp"

/// callgrind counts inside this function only, and writes what it counted each time it returns.
extern "C" __attribute__((noinline)) std::uint64_t opdebug_measured_run(const opdebug::bench::Run& run) {
    return run();
}

int main() {
    for (const opdebug::bench::Stage& stage : opdebug::bench::all_stages()) {
        stage.prepare()();  // what is loaded once is loaded
        const opdebug::bench::Run run = stage.prepare();
        std::printf("%s %llu\n", stage.name.c_str(), static_cast<unsigned long long>(opdebug_measured_run(run)));
    }
    return 0;
}
