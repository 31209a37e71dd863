// What files beside the dumps say of the first culprits: call stack, modules around them, micro step.
#pragma once

#include <opdebug/api_culprits.hpp>

#include "api_culprits/answer.hpp"

namespace opdebug::api_culprits {

/// Adds stacks and places to the first culprits of the answer, and to `report` a warning for each file that could not
/// be read. For these only, as such files can have 100 MB.
void add_surroundings(const Answer& answer, const ApiOptions& options, ApiReport& report);

}  // namespace opdebug::api_culprits
