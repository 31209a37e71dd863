// Runs of one process id of which several saved maps, or maps and logs, tell.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// What one map, or the logs, told of a process.
struct PieceOfProcess {
    std::uint32_t begin_file = 0;            ///< the first of its files among those of the joined map
    std::int64_t first_us = 0, last_us = 0;  ///< of all lines of the process, also those that state nothing
    std::shared_ptr<const std::set<std::string>> folders{};  ///< of its files; the processes of a map share them
};

/// Finds begins of runs again (RunBegins) where pieces of a process are put together, before its facts are in order:
///  * a run that begins between two pieces shows in neither. Which times each file covers is not saved, but those of
///    the process are: a piece is taken for a file of its own. So a run that begins with a file behind the first of its
///    map is found only where that map tells it by itself;
///  * a begin (or pause) that one piece has for want of the files between may not be one: another piece fills the gap,
///    or ends what seemed to be left open.
void find_joined_runs(Process& process, std::vector<PieceOfProcess> pieces, const std::vector<std::string>& files);

}  // namespace opdebug::logs
