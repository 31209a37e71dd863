// Lines that name no device, in a process that has the same stream id on several: whose stream they speak of.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Of facts on one stream, the first that may speak of several devices: these, on which the stream is open then. None
/// where each fact names its device, and where the stream is set up on one device at most. The graph compiler's does
/// not count.
std::vector<std::uint64_t> possible_devices(const Process& process, const std::vector<const StoredFact*>& facts);

/// Gives the facts on streams that are set up on several devices their device where the lines leave one only: the graph
/// compiler's from where the line's own thread set the stream up for it last until that is released (where no line
/// states so, of a thread that sets it up for the compiler alone); else the device that the thread's last or next line
/// on this life of the stream names; else the only one on which the stream is open then, else the one on which the
/// line's own thread set the stream up last. The others stay without device. That a thread works on the device that its
/// lines around name is inferred: the runtime keeps one current device for each thread. The indexes of the process are
/// there already, and stay valid.
void infer_devices(Process& process);

}  // namespace opdebug::logs
