// Plans of faults for the length of a test: in this program, and in the tool.
#pragma once

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "fault_plan.hpp"
#include "tool.hpp"

namespace opdebug::test {

/// The calls of this program fail so until the end of its life.
class PlannedFaults {
public:
    explicit PlannedFaults(const std::string& plan) { REQUIRE(faults::set_plan(plan)); }
    ~PlannedFaults() { faults::set_plan(""); }
    PlannedFaults(const PlannedFaults&) = delete;
    PlannedFaults& operator=(const PlannedFaults&) = delete;
};

/// A program that is run with these options, and those that it runs, follow the plan.
inline void add_plan(const std::string& plan, ProcessOptions& options) {
    options.environment.emplace_back("LD_PRELOAD", OPDEBUG_PRELOADED_FAULTS);
    options.environment.emplace_back("OPDEBUG_FAULTS", plan);
    // The sanitizer need not be the first library: the calls here are between the tool and its own.
    options.environment.emplace_back("ASAN_OPTIONS", "verify_asan_link_order=0");
}

struct FaultyRun {
    ProcessResult result;
    std::uint64_t hits = 0;  ///< calls of the tool that the plan touched
};

/// The tool under this plan.
inline FaultyRun run_faulty_tool(const std::string& plan, std::vector<std::string> arguments,
                                 ProcessOptions options = {}) {
    const TemporaryDirectory directory;
    add_plan(plan, options);
    options.environment.emplace_back("OPDEBUG_FAULTS_HITS", directory / "hits");
    FaultyRun run{run_tool(std::move(arguments), std::move(options))};
    std::ifstream(directory / "hits") >> run.hits;
    return run;
}

}  // namespace opdebug::test
