// Lines that name no device, in a process that has the same stream id on several: whose stream they speak of.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/task_map.hpp"

namespace opdebug::logs {

/// The devices on which lines set the stream up and on which it is open at the time; not the graph compiler's.
std::vector<std::uint64_t> devices_with_stream(const Process& process, std::uint64_t stream_id, std::int64_t time_us);

/// Gives the facts on streams that are set up on several devices their device where the lines leave one only: the only
/// device on which the stream is open then, else the one on which the line's own thread set the stream up last. The
/// others stay without device. That a thread works on the device on which it set the stream up is inferred: the runtime
/// keeps one current device for each thread. The indexes of the process are there already, and stay valid.
void infer_devices(Process& process);

}  // namespace opdebug::logs
