// Several processes of one id that log into one folder, as containers on a shared home have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Which of the processes of its id wrote a log that is called by the id (the last of `files`), or their number: a
/// further one. A process has one file open in a folder, so a file that begins well before the end of another one there
/// is another process's. In the other folders of the root a process is taken to begin its logs as long after each other
/// as another one did, else together.
std::size_t process_of_log(const std::vector<const Process*>& of_id, const std::vector<std::string>& files,
                           std::int64_t first_us);

/// Further lines of a log that is called by the process.
void add_to_own_log(Process& process, const OwnLog& lines);

/// The remark on two of them.
Diagnostic shared_id(const Process& process, const Process& further, const std::vector<std::string>& files);

}  // namespace opdebug::logs
