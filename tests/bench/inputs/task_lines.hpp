// The lines that report a task, as each CANN time writes them (docs/internals/logs.md).
#pragma once

#include <cstdint>
#include <string>

#include "job.hpp"
#include "log_builder.hpp"

namespace opdebug::bench {

struct LaunchedTask {
    std::uint64_t device = 0;
    std::uint64_t stream = 0;
    std::uint64_t task = 0;
    std::uint64_t number = 0;  ///< makes addresses and counters
    bool of_model = false;
    Operator of;
};

/// The launch and what comes with it: the submission that confirms the task's id, GE's line where that time writes one.
void add_launch(test::LogText& log, CannTime cann, const LaunchedTask& task);

/// What a rank does before its first step: streams, the model and its operators.
void add_set_up(test::LogText& log, std::uint64_t rank);

}  // namespace opdebug::bench
