// The kernel by the address of its code: the last resort, and a check of what the ids say.
//
// A record holds pc_start and kernel_code, launch lines the addresses of the kernel's code (addr1, addr2). That they
// are the same kind of address is inferred, not proven: in a published record pc_start and kernel_code differ by 8 KiB.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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

}  // namespace opdebug::locate_stage
