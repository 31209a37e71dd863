// All that a record's ids meant in one process: the uses of the ids, and when each went on. Task ids are not always
// sure: what a log says under one id may be meant for another task.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock_offset.hpp"
#include "locate/fit.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

/// How a line came to its task id. confirmed: it is the final one. from_serial_number: on Ascend 950 lines carry a
/// position in the queue and a serial number, and which of them the record carries is not known; the lower half of the
/// serial number is the id here. unconfirmed: it was printed before it was final, and no submit line tells the final
/// one.
enum class TaskNumber { confirmed, from_serial_number, unconfirmed };

/// Whether the line only reports that the task failed or overflowed: it does not say what the task is.
bool is_report(const logs::StoredFact& fact) noexcept;

/// All uses of the ids in one host process, on one device and by one kind of id, in time order.
struct TaskPlace {
    const logs::Process* process = nullptr;
    logs::DeviceFilter device;  ///< that the lines name, if any
    TaskNumber number = TaskNumber::confirmed;
    std::vector<logs::TaskUse> uses;
};

/// Adds those of a process.
void add_places(const logs::Process& process, const Lookup& lookup, std::vector<TaskPlace>& places);
/// Of all host processes that know the ids.
std::vector<TaskPlace> task_places(const Lookup& lookup);

/// Whether a time of a dump lies in a use, by clocks that differ.
Inside inside(const logs::TaskUse& use, std::int64_t time_us, const ClockOffset& offset);

/// Calls for each use that goes on at the time, for some offset of the clocks.
void for_uses_near(const TaskPlace& place, std::int64_t time_us, const ClockOffset& offset,
                   const std::function<void(const logs::TaskUse&)>& call);

}  // namespace opdebug::locate_stage
