// What later calls of a rank made of -Inf that another rank gave, once it is known whether it is a mask.
#pragma once

#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// Follows each file's own values only: what such a call gave to a further rank stays judged as it was. For a step
/// whose exchanges are settled.
void settle_masks(const Step& step);

}  // namespace opdebug::api_culprits
