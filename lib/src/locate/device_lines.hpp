// Lines of device logs on a task: which of them hold at the time of the dump.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Without the operators that had the ids before: of names for one context and thread, those that were told last up to
/// the time of the dump, which comes from the device's clock as the lines do. All, where no line is that old, or no
/// time is known. `time_us`: of the dump, in the zone of the logs.
std::vector<const logs::StoredFact*> lines_that_hold(std::vector<const logs::StoredFact*> device,
                                                     std::optional<std::int64_t> time_us);

/// Without those of a model that had the stream before, by the name in its binding, and has it no more at the time of
/// the match. A name that no binding of the stream has says nothing: bindings and device logs may call a model
/// differently.
void drop_lines_of_past_models(const TaskMatch& match, std::uint64_t stream_id, const TaskMap::Contents& map,
                               std::vector<const logs::StoredFact*>& device);

}  // namespace opdebug::locate_stage
