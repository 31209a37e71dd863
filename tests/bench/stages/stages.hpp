// What is measured, stage by stage of the pipeline: by Google Benchmark (stage_benchmark.cpp) in time, by
// stage_instructions.cpp under callgrind in instructions. One thread, inputs in memory unless reading is the stage.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace opdebug::bench {

/// One piece of work, done once. Returns what came of it in a number, so that work that was not done shows.
using Run = std::function<std::uint64_t()>;

struct Stage {
    std::string name;              ///< stage.work
    std::function<Run()> prepare;  /// what the run takes is made here and not measured
};

std::vector<Stage> dump_stages();
std::vector<Stage> tree_stages();
std::vector<Stage> api_dump_stages();
std::vector<Stage> line_stages();
std::vector<Stage> task_map_stages();
std::vector<Stage> locate_stages();
std::vector<Stage> report_stages();

std::vector<Stage> all_stages();

}  // namespace opdebug::bench
