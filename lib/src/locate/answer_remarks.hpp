// What makes an answer from the logs less sure than it looks: ids, devices, damaged files, lines without a time.
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/found.hpp"
#include "locate/match_answers.hpp"

namespace opdebug::locate_stage {

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

}  // namespace opdebug::locate_stage
