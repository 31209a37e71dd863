// Runs of a job that were over when the dump was written: killed processes leave no line that ends their use of the
// ids.
#pragma once

#include <vector>

#include "locate/stream_state.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Whether the match may be of an earlier run: its log ended before the dump, and another process began since. Cheap,
/// for it is asked for each dump, and of most jobs all processes begin together.
bool may_be_over(const TaskMatch& match, const TaskMap::Contents& map);

/// Takes the matches in processes of earlier runs out of the search: processes whose log ended before the dump, where
/// another one began since and has the ids, or, where it ended long before, the stream on the same device or for the
/// record's model. Those of which that is not sure remain, and are marked (TaskMatch::is_of_earlier_run).
void take_out_earlier_runs(TaskSearch& search, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                           const LocateOptions& options);

/// Says how many there were: of a job that is started anew whenever it fails there may be hundreds. For the search
/// whose best matches were kept.
void remark_earlier_runs(TaskSearch& search, const TaskQuery& query);

/// Where no host line tells the task, the same with a remark: takes out the states of host processes whose runs were
/// over in that way, and what the device's logs of these processes say.
void take_out_earlier_states(std::vector<StreamState>& states, std::vector<DeviceFact>& device,
                             const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                             std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
