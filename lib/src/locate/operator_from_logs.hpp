// Facts on a task → answers to "which operator".
#pragma once

#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// The operators that one match names: several when its lines name several. Empty when it names none; then
/// `diagnostics` may say what the task is instead (end-of-graph or overflow-debug task).
std::vector<OperatorAnswer> operators_of_match(const TaskMatch& match,
                                               const std::vector<const logs::StoredFact*>& device,
                                               const TaskQuery& query, const TaskMap::Contents& map,
                                               std::vector<Diagnostic>& diagnostics);

/// The operators that device-side logs alone name.
std::vector<OperatorAnswer> operators_of_device(const std::vector<const logs::StoredFact*>& device,
                                                const TaskQuery& query, const TaskMap::Contents& map,
                                                std::vector<Diagnostic>& diagnostics);

/// The line that names the task's kernel: the last launch line not after the time (a model's task can get another
/// kernel), else the first; the line of a failure when there is no other. Null: none.
const logs::StoredFact* kernel_fact(const TaskMatch& match);

/// Lines without a process id may be of several processes, as the texts of exceptions on the console of a job: each
/// kernel that they name on the task may be the one. Else it is `kernel`.
std::vector<const logs::StoredFact*> possible_kernels(const TaskMatch& match, const logs::StoredFact& kernel);

/// Whether the kernel is that of a node. Where the line was cut inside the kernel's name, it holds the begin of it.
bool is_kernel_of(const logs::StoredFact& kernel, const std::string& node);

/// Gives each answer the kernel; where several operators are named, the one whose kernel it is comes first.
void add_kernel(std::vector<OperatorAnswer>& answers, const logs::StoredFact& kernel, const TaskMap::Contents& map);

/// "sources_disagree": the kernel's name holds a node, and that is none of those which the lines name, also as far as
/// both are written in the names of files. A name that a line lost a part of tells nothing.
void remark_kernel_of_other(const std::vector<OperatorAnswer>& answers, const logs::StoredFact& kernel,
                            const FullNames& names, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// What a launch line, or the line of a failure, tells: the kernel, and node or type where its name holds them. Where
/// the numbers in front of a node's name can be read in several ways, the one that gives a node which the process's
/// lines know.
OperatorAnswer answer_from_kernel(const logs::StoredFact& kernel, const logs::Process& process,
                                  const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
