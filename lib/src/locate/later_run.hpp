// The later run of a job: a process that began after another one's log ended and before the dump.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "locate/stream_state.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// A later process, and the time of the dump by which it began since.
struct LaterRun {
    const TaskMatch* place = nullptr;  ///< null: none
    std::int64_t time_us = 0;
};

/// Whether its log ended so long before that a later process need not have the task by then.
bool is_silent(const TaskMatch& match);

/// Whether the log begins behind the dump's folder, and does not report this very overflow: its older lines were
/// rotated away, or the folder is another process's.
bool is_against_folder(const TaskMatch& later, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query);

/// The time of the dump by which the later process began since; nothing: it did not, or the folder of the dump speaks
/// against it as much. Each log may put the dump into another zone, though it has one: nobody began since in that of
/// the later process alone where this is only inferred; nor where the folder is against it, and the match's process
/// logged near the folder. By the match's own time it has to be one that may have made the folder, and of the same
/// container or host, or to say that it writes into it: while one host's rank dies, another's may go on.
std::optional<std::int64_t> time_began_since(const TaskMatch& later, const TaskMatch& match,
                                             const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query);

/// Another match, no worse than this one, of a process that began since. A run that was killed may be followed by the
/// next one within seconds, and by then it has the task itself.
LaterRun run_that_matches(const TaskMatch& match, const std::vector<TaskMatch>& matches, const TaskMap::Contents& map,
                          const Dump& dump, const TaskQuery& query);

/// A process of the same container or host that began since and has the stream, though not the task.
LaterRun run_with_stream(const TaskMatch& match, const std::vector<StreamState>& states, const TaskMap::Contents& map,
                         const Dump& dump, const TaskQuery& query);

/// On one device of one container or host a stream is one process's at a time (inferred: the driver gives out its ids).
/// Else the later process may be a rank beside this one, whose older files were rotated away; or, where it began since
/// only in its own zone, have begun after the dump.
bool is_sure(const TaskMatch& match, const LaterRun& later);

}  // namespace opdebug::locate_stage
