// The saved task map: a file that is read instead of the logs. Form: docs/task-map.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>
#include <opdebug/task_map.hpp>

#include "logs/facts/task_map.hpp"
#include "logs/processes/packed_map.hpp"

namespace opdebug::logs {

/// Whether a file that begins with these bytes is meant to be a saved map. 8 bytes are enough.
bool is_map_file(Bytes first_bytes) noexcept;

/// Looks at the first bytes of a file; false also when it cannot be read.
bool is_map_file(const std::string& path);

/// Reads a map, or of a large one only the blocks that tell about `wanted`, and of what is joined with others also
/// those that tell of streams. Errors: those of opening a file, and task_map_invalid with file and offset.
Result<TaskMap::Contents> read_map_file(const std::string& path, const std::optional<WantedTasks>& wanted,
                                        bool is_joined = false);

/// The same from memory; the errors name no file.
Result<TaskMap::Contents> read_map_bytes(Bytes bytes, const std::optional<WantedTasks>& wanted);

/// Logs and saved maps as one task map. A process that both tell about (equal pid and root, joined_ids.hpp) becomes
/// one; lines that both hold count once, and the log's own stay. Of the saved ones no more processes are taken than
/// `limits` lets be known; what of them is left out is told, unless the logs passed the limit already.
std::shared_ptr<const TaskMap> join_maps(TaskMap::Packed logs, std::vector<TaskMap::Contents> saved,
                                         const Limits& limits, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::logs
