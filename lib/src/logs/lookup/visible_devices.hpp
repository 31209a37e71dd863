// Devices by the numbers under which a process sees them, as the folders of its dumps are called.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Which run of the process id goes on then: how many began until then.
std::size_t run_of(const Process& process, std::int64_t time_us);

/// Below, `time_us` is a time in the process's clock, and the answer is for the run then; nothing: for any run.

/// The driver's devices that the process sees under the number: the device of this number, unless a line of the run
/// shows another. None: it sees another one under it, which no line names.
std::vector<std::uint64_t> devices_seen_as(const Process& process, std::uint64_t user_number,
                                           std::optional<std::int64_t> time_us = {});

/// Whether the process sees the driver's device under the number; false where one of them is not known.
bool is_seen_as(const Process& process, DeviceFilter device, DeviceFilter user_number,
                std::optional<std::int64_t> time_us = {});

/// The line that states so, where the numbers differ; null: they are equal, or no line states so.
const StoredFact* renumbering_of(const Process& process, DeviceFilter device, DeviceFilter user_number,
                                 std::optional<std::int64_t> time_us = {});

/// Adds the driver's number to facts in time order that have only the process's own. A number keeps its meaning as long
/// as the process runs. So the last line before with both numbers decides, else the first one after, of the same run of
/// the process id. Where the run has no such line, the last run before that has one counts, else the first one after.
/// Without any such line the numbers are equal. The own number stays: with more logs or maps this is done again.
void set_driver_numbers(StoredFacts& facts);

}  // namespace opdebug::logs
