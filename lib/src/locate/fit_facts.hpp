// What is known of a use against a record and the folders of its dump: the members of Fit, one by one.
#pragma once

#include <cstdint>
#include <optional>

#include <opdebug/locate.hpp>

#include "locate/fit.hpp"
#include "locate/query.hpp"
#include "locate/task_uses.hpp"

namespace opdebug::locate_stage {

/// Whether record and use are of a model at all.
Agreement fit_of_kind(const logs::TaskUse& use, const TaskQuery& query);
/// Whether the stream was bound to the record's model.
Agreement fit_of_model(const logs::TaskUse& use, const TaskQuery& query);
/// Whether the path of the dump has the folder that tells the process's logs from those of other hosts.
Agreement fit_of_host(const logs::Process& process, const Dump& dump, const TaskMap::Contents& map);
/// Whether a device of the process is the one of the dump's folder.
Agreement fit_of_device(const logs::Process& process, logs::DeviceFilter device, const Dump& dump,
                        const TaskMap::Contents& map, std::optional<std::int64_t> time_us);
/// Whether the process says that it writes into the time folder.
Agreement fit_of_folder(const logs::Process& process, const Dump& dump);
/// Whether the process may have made the time folder: one process does, and calls it by its own local time, so no zone
/// is needed. `end_us`: when the use was over, where a line tells.
Agreement fit_of_folder_time(const logs::Process& process, std::optional<std::int64_t> end_us, const Dump& dump);

/// Whether a hard reason excludes all uses there, by host or device.
bool is_excluded_place(const TaskPlace& place, const Dump& dump, const TaskMap::Contents& map);
/// Whether record and use may be of one model, or both of none.
bool may_be_use_of(const logs::TaskUse& use, const TaskQuery& query);

}  // namespace opdebug::locate_stage
