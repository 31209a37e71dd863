// The devices of a process: by the numbers under which it sees them, as the folders of its dumps are called, and by the
// lines on its models. A process that works on several devices has equal model numbers on each, and many such lines do
// not name a device or a stream.
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

/// Finds in facts in time order where runs of the process id begin, and the devices in the lines of each run.
void find_visible_devices(Process& process);

/// Adds the driver's number to facts that have only the process's own, after find_visible_devices(). A number keeps its
/// meaning as long as the process runs. So the last line before with both numbers decides, else the first one after, of
/// the same run of the process id. Where the run has no such line, the last run before that has one counts, else the
/// first one after. Without any such line the numbers are equal. The own number stays: with more logs or maps this is
/// done again.
void set_driver_numbers(Process& process);

/// Finds out on which devices each run of the process id sets streams up, and which of its threads do so on one alone.
/// `set_ups`: indices of the lines that set streams up. `run_begins` is there already.
void find_stream_devices(Process& process, const std::vector<std::uint32_t>& set_ups);

/// The device that the line names by the driver's number, else the one of its thread: the runtime keeps one current
/// device for each thread (inferred). Nothing: the line may be of any. A number of the process's own counts if a line
/// contains both numbers.
DeviceFilter device_of_model_line(const Process& process, const StoredFact& line);

/// Whether a line that a model is gone is about a model of another device or of the graph compiler. This shows by its
/// own device, by the line with which its thread frees the model's number after it, or by its thread. Without a device
/// only the compiler's are others. `place`: of the line among the facts.
bool ends_model_elsewhere(const Process& process, std::uint32_t place, DeviceFilter device);

}  // namespace opdebug::logs
