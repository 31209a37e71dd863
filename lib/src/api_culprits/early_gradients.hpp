// Gradients of parameters that were written at their module's forward (msprobe 1.2.0 to December 2025).
#pragma once

#include <vector>

#include "api_culprits/found.hpp"
#include "api_dump/call_nesting.hpp"

namespace opdebug::api_culprits {

/// Puts each behind all that is bad of its module's backward, whose own entry may stand in front of the calls inside
/// and may be clean. To be called when the modules have their places.
void place_early_gradients(std::vector<Found>& found, const api_dump::CallNesting& nesting);

}  // namespace opdebug::api_culprits
