#include "logs/task_map.hpp"

namespace opdebug {

TaskMap::TaskMap(std::unique_ptr<const Contents> contents) : contents_(std::move(contents)) {}
TaskMap::~TaskMap() = default;

}  // namespace opdebug
