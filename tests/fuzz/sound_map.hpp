// Properties of a task map, wherever its facts come from.
#pragma once

#include <memory>

#include <opdebug/task_map.hpp>

namespace opdebug::fuzz {

/// The map can be saved and read again, which gives the same bytes; records of its tasks are located soundly, and in
/// the saved map as in this one.
void require_sound_map(const std::shared_ptr<const TaskMap>& map);

}  // namespace opdebug::fuzz
