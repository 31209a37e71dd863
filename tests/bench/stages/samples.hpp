// The part of the made-up job that the stages work on, made once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/task_map.hpp>

#include "job.hpp"
#include "wire.hpp"

namespace opdebug::bench {

struct SampleDump {
    Overflow overflow;
    std::string path;
    test::Buffer bytes;
    Dump decoded;
};

/// The first 200 overflows: three steps of all ranks, of the model and of single operators.
const std::vector<SampleDump>& sample_dumps();

/// 2 MiB of the log that tells of them, and its lines.
const std::string& sample_log();
const std::vector<std::string_view>& sample_lines();

/// All that the log tells, and what it tells of these dumps.
const std::shared_ptr<const TaskMap>& sample_task_map();
const WantedTasks& sample_wanted();

}  // namespace opdebug::bench
