// Properties of a task map, wherever its facts come from, and of the saved map of its lines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/logs.hpp>
#include <opdebug/result.hpp>

namespace opdebug::fuzz {

/// Records of the map's tasks are located in documents that follow the schema.
void require_sound_map(const std::shared_ptr<const TaskMap>& map);

/// What a saved map contains, all of it or what is wanted. Error: task_map_invalid.
Result<std::shared_ptr<const TaskMap>> read_map(std::string bytes, const std::optional<WantedTasks>& wanted = {});

/// The saved map of a log has the facts of the log; when it is read for one task only, the answer for that one is the
/// same.
void require_same_from_map(std::string_view log, const std::shared_ptr<const TaskMap>& map);

}  // namespace opdebug::fuzz
