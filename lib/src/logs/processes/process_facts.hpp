// The facts of one process: which files are its, facts in order, and whose stream lines without a device speak of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// The part of a path above the folders that every log root has: plog, debug, run, security, device-N, host-N.
std::string root_of(std::string_view path);

/// The ids in the path of a log that a device sent to its host: "device-<device>/device-<host process>_<time>.log". The
/// process id in its lines is the device's.
struct DevicePath {
    std::optional<std::uint64_t> device_id;
    std::optional<std::int64_t> host_pid;
};

/// Of the nearest folder "device-<number>", and of the file's name. Until 2020 the name contained the device's number
/// as well ("device-0/device-0_..."): equal numbers are no process.
DevicePath device_path(std::string_view path);

/// Adds the content of other logs of the same process, with their facts.
void append(Process& process, Process&& further);

/// Brings the facts into time order, drops repeated lines, fills the indexes, and gives lines without a device theirs
/// where it can be determined (infer_devices()).
void index_facts(Process& process);

/// Fills the indexes of facts that are in order.
void index_places(Process& process);

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
