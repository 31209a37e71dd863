// Statements as if they had been read from lines, without texts: for tests of what is made of them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/logs.hpp>

#include "logs/reading/part_reader.hpp"

namespace opdebug::test {

/// A fact of that kind on a stream and, unless it is negative, a task.
logs::Fact fact(logs::FactKind kind, int stream, int task = -1);
/// The launch of a kernel whose task id is not final; negative ids are not printed.
logs::Fact launch(int stream, int task, const std::string& kernel);
logs::Fact submit(int stream, int task, int task_type = 0);
logs::Fact operator_of(int stream, int task, const std::string& name);
logs::Fact binding(logs::FactKind kind, int model, int stream);

/// One log file of one process. at() and thread() hold until the next call.
class FactLog {
public:
    explicit FactLog(std::string path = "log0", std::int64_t pid = 5100) : path_(std::move(path)), pid_(pid) {}

    FactLog& at(std::int64_t milliseconds);
    FactLog& thread(std::int64_t tid);
    FactLog& state(const logs::Fact& fact, const logs::FormatDefinition& format = {});

    const std::string& path() const noexcept { return path_; }
    const std::deque<logs::StatedLine>& lines() const noexcept { return lines_; }

private:
    std::string path_;
    std::int64_t pid_;
    std::int64_t tid_ = 1;
    std::int64_t time_us_ = 0;
    std::deque<logs::StatedLine> lines_;
    std::vector<std::shared_ptr<const logs::FormatDefinition>> formats_;
    std::vector<std::shared_ptr<const std::string>> texts_;
};

std::shared_ptr<const TaskMap> task_map_of(const std::vector<FactLog>& logs,
                                           const std::optional<WantedTasks>& wanted = {});

/// "46/12 K, ..." for each kernel of the map in the order of the facts; "?" after an id that is not confirmed, "sn"
/// after one that was made of the task's number.
std::string kernels_in(const TaskMap& map);

}  // namespace opdebug::test
