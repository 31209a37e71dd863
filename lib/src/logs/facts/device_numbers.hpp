// ASCEND_RT_VISIBLE_DEVICES: the process numbers the devices that it may use from 0 on. Lines of the runtime have the
// driver's numbers, those of GE, AscendCL, the dump module and frameworks the process's own. The lines that tell both
// may stand in another log, under another root or in a saved map: which device a line means is worked out when all are
// there (processes/driver_numbers.hpp).
#pragma once

#include <cstddef>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// So many devices of a process are told apart: more than machines have, also where a process id had some dozens of
/// runs. A log with another number in each line must not take time with their square.
inline constexpr std::size_t kMostDevicesOfProcess = 1024;

/// Whether the line names its device as the process numbers it.
inline bool is_by_own_number(const Fact& fact) noexcept {
    return fact.user_device_id && fact.kind != FactKind::visible_device;
}

/// The driver's number where a line has it: what else `device_id` holds may change when more lines are there.
inline DeviceFilter device_by_line(const Fact& fact) noexcept {
    return is_by_own_number(fact) ? DeviceFilter() : fact.device_id;
}

/// A line that another one gave the driver's number as well needs no other.
inline void prefer_drivers_number(Fact& fact) noexcept {
    if (is_by_own_number(fact) && fact.device_id) {
        fact.user_device_id.reset();
    }
}

inline bool lacks_drivers_number(const Fact& fact) noexcept {
    return is_by_own_number(fact) && !fact.device_id;
}

/// The numbers are equal as long as no line tells otherwise.
inline void take_numbers_for_equal(Fact& fact) noexcept {
    if (lacks_drivers_number(fact)) {
        fact.device_id = fact.user_device_id;
    }
}

}  // namespace opdebug::logs
