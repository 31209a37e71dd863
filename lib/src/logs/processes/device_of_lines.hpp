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

/// Gives the facts on streams that are set up on several devices their device where the lines leave only one. The
/// rules, in this order; facts without a match stay without device:
///  * The graph compiler's device, from where the line's own thread set the stream up for it last until its release.
///    Where no line states the release, the thread must set the stream up for the compiler alone.
///  * The device that the thread's last or next line on this life of the stream names.
///  * The only device on which the stream is open then.
///  * The device on which the line's own thread set the stream up last.
/// It is inferred that a thread works on the device that its neighbouring lines name: the runtime keeps one current
/// device for each thread. The indexes of the process are there already, and stay valid.
void infer_devices(Process& process);

}  // namespace opdebug::logs
