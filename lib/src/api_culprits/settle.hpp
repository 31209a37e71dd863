// Verdicts that need more than one call: what other ranks gave, and what the rank showed before.
#pragma once

#include "api_culprits/exchanges.hpp"
#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// Bad results of calls between ranks: inherited from the rank that gave them, or made by the call.
void settle_exchanges(const Step& step, const Exchanges& exchanges);

/// Calls whose inputs were measured behind them, and gradients: by what their rank showed before.
void settle_by_earlier(const Step& step);

}  // namespace opdebug::api_culprits
