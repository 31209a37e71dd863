// From the bad weights and inputs of a step to the gradients of the step before.
#pragma once

#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// A remark (gradient_of_step_before) on each finding whose bad weight, or bad input that no earlier result of its file
/// has, shows the shape and statistics of a parameter's gradient of the same rank in the step before.
void trace_to_step_before(Run& run);

}  // namespace opdebug::api_culprits
