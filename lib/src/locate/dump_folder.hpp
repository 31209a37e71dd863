// The time folder of a dump against what processes log: one process makes it, and calls it by its own local time, so no
// zone is needed to tell who was not there. Of those that were it may be any, of whatever host, and one whose older
// lines were rotated away.
#pragma once

#include <opdebug/dump.hpp>

#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// Whether the log says that the process writes into the dump's folder.
bool writes_into_folder(const logs::Process& process, const Dump& dump);

/// Whether the log says that it writes into folders, but not into this one.
bool writes_into_other_folders(const logs::Process& process, const Dump& dump);

/// Whether the process says that it does, or logged within seconds of the folder and names no other one. False without
/// a folder.
bool logged_near_folder(const logs::Process& process, const Dump& dump);

/// Likewise, and its log had not ended by then: the folder is called by the second, rounded down.
bool may_have_made_folder(const logs::Process& process, const Dump& dump);

/// Whether the log begins behind the folder, which is that of another process then, or of lines that were rotated away.
/// False without a folder.
bool begins_behind_folder(const logs::Process& process, const Dump& dump);

}  // namespace opdebug::locate_stage
