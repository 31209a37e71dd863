// The facts of one process: which files are its, and facts in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
/// where it can be determined (device_of_lines.hpp).
void index_facts(Process& process);

/// Fills the indexes of facts that are in order.
void index_places(Process& process);

}  // namespace opdebug::logs
