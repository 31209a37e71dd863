// Devices by the numbers under which a process sees them, as the folders of its dumps are called.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Which run of the process id goes on then: how many began until then.
std::size_t run_of(const Process& process, std::int64_t time_us);

/// In what follows `time_us` is a time in the process's clock, in whose run it is asked; nothing: in any run.

/// The driver's devices that the process sees under the number: the device of this number where no line of the run says
/// otherwise. None: it sees another one under it, which no line tells.
std::vector<std::uint64_t> devices_seen_as(const Process& process, std::uint64_t user_number,
                                           std::optional<std::int64_t> time_us = {});

/// Whether the process sees the driver's device under the number; false where one of them is not known.
bool is_seen_as(const Process& process, DeviceFilter device, DeviceFilter user_number,
                std::optional<std::int64_t> time_us = {});

/// The line that states so, where the numbers differ; null: they are equal, or none says so.
const StoredFact* renumbering_of(const Process& process, DeviceFilter device, DeviceFilter user_number,
                                 std::optional<std::int64_t> time_us = {});

/// Gives facts in time order that have the process's own number the driver's: by the last line before that tells both,
/// else by the first one behind, for a number keeps its meaning as long as the process runs; of the same run of the
/// process id, or, where that tells nothing, of the last one before it that does, else of the first one behind. Where
/// none tells, the numbers are equal. The own number stays: with further logs or maps this is done again.
void set_driver_numbers(StoredFacts& facts);

}  // namespace opdebug::logs
