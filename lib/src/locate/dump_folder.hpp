// The time folder of a dump against what processes log: one process makes it, and calls it by its own local time, so no
// zone is needed to tell who was there.
#pragma once

#include <opdebug/dump.hpp>

#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// Whether the log says that the process writes into the dump's folder.
bool writes_into_folder(const logs::Process& process, const Dump& dump);

/// Whether the log says that it writes into folders, but not into this one.
bool writes_into_other_folders(const logs::Process& process, const Dump& dump);

/// Whether the process says that it does, or logged when the folder was made and names no other one. False without a
/// folder.
bool may_have_made_folder(const logs::Process& process, const Dump& dump);

/// Whether the log begins behind the folder, which is that of another process then, or of lines that were rotated away.
/// False without a folder.
bool begins_behind_folder(const logs::Process& process, const Dump& dump);

}  // namespace opdebug::locate_stage
