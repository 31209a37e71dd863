// Lines that tell of a model by the runtime's number: of which device's, for a process that works on several has equal
// numbers on each, and many such lines name neither device nor stream.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Finds out on which devices each run of the process id sets streams up, and which of its threads do so on one alone.
/// `set_ups`: the places of the lines that tell. `run_begins` is there already.
void find_stream_devices(Process& process, const std::vector<std::uint32_t>& set_ups);

/// The device that the line names, else the one of its thread: the runtime keeps one current device for each thread
/// (inferred). Nothing: the line may be of any. A number of the process's own counts where the process sets streams up
/// on several devices: by itself where one of them has it and a line tells both numbers, or where it sets streams up on
/// all devices up to this number.
DeviceFilter device_of_model_line(const Process& process, const StoredFact& line);

/// Whether a line that a model is gone tells of another device's, or of the graph compiler's: by its own device, by the
/// line with which its thread frees the model's number after it, or by its thread. Without a device only the
/// compiler's are others. `place`: of the line among the facts.
bool ends_model_elsewhere(const Process& process, std::uint32_t place, DeviceFilter device);

}  // namespace opdebug::logs
