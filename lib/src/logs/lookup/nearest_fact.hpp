// The fact that is nearest to a time.
#pragma once

#include <cstdint>
#include <functional>

#include "logs/facts/fact_places.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Of the facts of a process at some places that satisfy a condition, the one nearest to the time: of two equally near
/// the earlier one, of several at its time the first. Null: none satisfies it. Cheap where most facts do.
const StoredFact* nearest_fact(const Process& process, Places places, std::int64_t time_us,
                               const std::function<bool(const StoredFact&)>& condition);

}  // namespace opdebug::logs
