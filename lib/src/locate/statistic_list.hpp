// The operators that a statistic.csv of MindSpore or msprobe lists, each with stream, task and time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/result.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// An execution of an operator.
struct ListedOperator {
    std::uint64_t stream_id = 0, task_id = 0;
    std::optional<std::uint64_t> timestamp_us;
    std::string name, type;
};

/// One that fits a task.
struct NearOperator {
    const ListedOperator* op = nullptr;
    std::uint64_t distance_us = 0;  ///< from the overflow dump
};

class StatisticList {
public:
    /// Reads the file; what cannot be read is left out, which reports on API dumps say.
    StatisticList(std::string file, const Limits& limits);

    const std::string& file() const noexcept { return file_; }

    /// The operators of the task less than a second from the overflow dump, each once, nearest first; without such the
    /// nearest, and without times all.
    std::vector<NearOperator> of_task(const TaskQuery& query, TaskIds ids) const;

private:
    std::string file_;
    std::vector<ListedOperator> operators_;  ///< by stream and lower half of the task
};

}  // namespace opdebug::locate_stage
