// Devices by the numbers under which a process sees them, as the folders of its dumps are called.
#pragma once

#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// The driver's devices that the process sees under the number: the device of this number where no line says otherwise.
/// None: it sees another one under it, which no line tells. Several only where the process id belonged to several runs.
std::vector<std::uint64_t> devices_seen_as(const Process& process, std::uint64_t user_number);

/// Whether the process sees the driver's device under the number; false where one of them is not known.
bool is_seen_as(const Process& process, DeviceFilter device, DeviceFilter user_number);

/// The line that says so, where the numbers differ; null: they are equal, or none says so.
const StoredFact* renumbering_of(const Process& process, DeviceFilter device, DeviceFilter user_number);

}  // namespace opdebug::logs
