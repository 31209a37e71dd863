// Properties of a task map, wherever its facts come from.
#pragma once

#include <memory>

#include <opdebug/task_map.hpp>

namespace opdebug::fuzz {

/// Records of the map's tasks are located in documents that follow the schema, also when it was saved and read again;
/// and when it was read for one task only, the answer for that one is the same.
void require_sound_map(const std::shared_ptr<const TaskMap>& map);

/// The map can be saved, and what is read from that has the same lines, and gives the same bytes when it is saved.
void require_same_when_saved_again(const std::shared_ptr<const TaskMap>& map);

}  // namespace opdebug::fuzz
