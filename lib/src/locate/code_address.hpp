// Kernels by the address of their code: the last resort, and a check.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"
#include "locate/find_in_logs.hpp"
#include "locate/query.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// The devices that a launch line may name; nothing: any. A line that names none may be of each of them, and of one
/// that no line tells: so it counts also where the list is empty.
using DevicesOfLaunch = std::optional<std::vector<std::uint64_t>>;

/// The last launch line not after the time whose kernel's code has an address of the record; without a time, only when
/// all such lines name one kernel. Lines of other devices are passed over. Null: none.
const logs::StoredFact* launch_by_address(const TaskMap::Contents& map, const logs::Process& process,
                                          const TaskQuery& query, std::optional<std::int64_t> time_us,
                                          const DevicesOfLaunch& devices);

/// Adds the kernels that have an address of the record, in every process: when nothing else tells it.
void find_by_address(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                     const LocateOptions& options, Found& found);

/// Compares the kernel that the ids gave with the one that the address gives, in the same process. `found` has an
/// operator.
void check_address(const TaskMatch& match, const TaskMap::Contents& map, const TaskQuery& query, Found& found);

}  // namespace opdebug::locate_stage
