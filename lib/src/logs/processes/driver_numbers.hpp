// Which device lines mean that name it as the process numbers it (facts/device_numbers.hpp).
#pragma once

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Gives facts in time order that have the process's own number the driver's: by the last line before that tells both,
/// else by the first one behind, for a number keeps its meaning as long as the process runs; of the same run of the
/// process id, or, where that tells nothing, of the last one before it that does, else of the first one behind. Where
/// none tells, the numbers are equal. The own number stays: with further logs or maps this is done again.
void set_driver_numbers(StoredFacts& facts);

}  // namespace opdebug::logs
