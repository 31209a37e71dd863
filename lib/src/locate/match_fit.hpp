// How well processes and their uses of the ids fit a record.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Whether the process works on the dump's device, as set-ups of any streams tell, in the run of the time or in any
/// one.
bool works_on_device_of(const Dump& dump, const logs::Process& process, const TaskMap::Contents& map,
                        std::optional<std::int64_t> time_us = {});

/// Points of a match, 0 to 2: its device is the one of the dump's folder; less where its lines name none, as launches
/// of 2023, and the process works on that one.
int device_fit_of(const TaskMatch& match, const TaskMap::Contents& map, const Dump& dump);

/// The same points by the device in the dump's name (FFTS+), a hint; 0 where the folders tell a device.
int name_device_fit_of(const TaskMatch& match, const TaskMap::Contents& map, const Dump& dump);

/// With more of them where its stream is bound to the record's model.
int fit_of(const TaskMatch& match, const TaskMap::Contents& map, const TaskQuery& query, const Dump& dump);

/// Whether `other` has as many points as `match`, or might have, for no line of its process names a device.
bool may_fit_as_well(const TaskMatch& other, const TaskMatch& match, const TaskMap::Contents& map,
                     const TaskQuery& query, const Dump& dump);

/// Of the best one; 0 where there is none.
int best_fit_of(const std::vector<TaskMatch>& matches, const TaskMap::Contents& map, const TaskQuery& query,
                const Dump& dump);

/// No match in the process has more points. Cheap: none of its uses is looked at.
int most_fit_in(const logs::Process& process, const TaskMap::Contents& map, const TaskQuery& query, const Dump& dump);

/// Several processes and devices may have used the same ids at the same time: those that fit the record best remain
/// (earlier runs beside others only where they are as good),
/// and of these, where some say that they write into the dump's folder, none that writes into others; where one made
/// the folder, no later run. Those that are later runs perhaps, and zones that are doubtful beside others, are marked
/// (TaskMatch::is_doubtful).
void keep_best_matches(std::vector<TaskMatch>& matches, const TaskMap::Contents& map, const TaskQuery& query,
                       const Dump& dump);

}  // namespace opdebug::locate_stage
