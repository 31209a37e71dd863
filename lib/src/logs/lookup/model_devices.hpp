// The device of lines that name a model by the runtime's number. A process that works on several devices has equal
// numbers on each, and many such lines do not name a device or a stream.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Finds out on which devices each run of the process id sets streams up, and which of its threads do so on one alone.
/// `set_ups`: indices of the lines that set streams up. `run_begins` is there already.
void find_stream_devices(Process& process, const std::vector<std::uint32_t>& set_ups);

/// The device that the line names, else the one of its thread: the runtime keeps one current device for each thread
/// (inferred). Nothing: the line may be of any. A number of the process's own counts where the process sets streams up
/// on several devices, in two cases. One of them has the number, and a line contains both numbers; or the process sets
/// streams up on all devices up to this number.
DeviceFilter device_of_model_line(const Process& process, const StoredFact& line);

/// Whether a line that a model is gone is about a model of another device or of the graph compiler. This shows by its
/// own device, by the line with which its thread frees the model's number after it, or by its thread. Without a device
/// only the compiler's are others. `place`: of the line among the facts.
bool ends_model_elsewhere(const Process& process, std::uint32_t place, DeviceFilter device);

}  // namespace opdebug::logs
