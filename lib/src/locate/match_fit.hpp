// How well processes and their uses of the ids fit a record.
#pragma once

#include <vector>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Points of a match: its stream is bound to the record's model, its device is the one of the dump's folder.
int fit_of(const TaskMatch& match, const TaskQuery& query, const Dump& dump);

/// Of the best one; 0 where there is none.
int best_fit_of(const std::vector<TaskMatch>& matches, const TaskQuery& query, const Dump& dump);

/// No match in the process has more points. Cheap: none of its uses is looked at.
int most_fit_in(const logs::Process& process, const TaskMap::Contents& map, const TaskQuery& query, const Dump& dump);

/// Several processes and devices may have used the same ids at the same time: those that fit the record best remain,
/// and of these, where some say that they write into the dump's folder, none that writes into others.
void keep_best_matches(std::vector<TaskMatch>& matches, const TaskQuery& query, const Dump& dump);

}  // namespace opdebug::locate_stage
