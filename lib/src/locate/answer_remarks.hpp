// What makes an answer from the logs less sure than it looks: remarks for the user.
#pragma once

#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"
#include "locate/find_in_logs.hpp"
#include "locate/fit.hpp"
#include "locate/match_answers.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// Whether the use of the ids is inferred: then no line names the operator of this very use, and no answer is exact.
/// An inferred zone counts if the dump has a time folder, for then the folder's zone does not fit the logs.
bool is_use_inferred(const Dump& dump, const Fit& fit, const std::vector<Diagnostic>& diagnostics);

/// Answers that rest on a task id that is not sure.
void remark_numbers(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                    std::vector<Diagnostic>& diagnostics);

/// The lines do not tell the device, and it would decide.
void remark_unclear_device(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                           const std::vector<OperatorAnswer>& operators, std::vector<Diagnostic>& diagnostics);

/// A packed file tells that it was damaged, but not where: each of its lines may be garbled.
void remark_damaged_files(const Found& found, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// A line without a usable time counts as of the time of the line before it; alone it would fit every dump.
void remark_lines_without_time(const Found& found, std::vector<Diagnostic>& diagnostics);

/// Device numbers in logs are the driver's, those of folders the process's: in a container they may differ, and where
/// ASCEND_RT_VISIBLE_DEVICES chooses devices.
void remark_device(const TaskMatch& match, const Dump& dump, const TaskMap::Contents& map,
                   std::vector<Diagnostic>& diagnostics);

/// "launch_after_dump", "dump_after_end": only for some offset of the clocks the dump lies in the use.
void remark_clocks(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "use_end_unseen": the use may have ended before the dump without a line that says so.
void remark_unseen_end(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "device_unknown": the dump's folder tells a device and no line of the match's process does, beside other processes
/// whose lines may be missing; or several threads set the stream up. `is_model_named`: the dump's folder is called by
/// the model.
void remark_unknown_device(const TaskMatch& match, bool is_model_named, const Dump& dump, const TaskQuery& query,
                           const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// The task of a model keeps its meaning, but the process logged nothing for so long that the dump is probably of
/// another run: whatever the zone of the logs is.
void remark_ended_log(const TaskMatch& match, const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                      const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

/// All lines on the task are older than a pause of the log, behind which a new process may have the same id.
void remark_pause(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
