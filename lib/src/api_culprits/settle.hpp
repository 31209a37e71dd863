// Verdicts that need more than one call: what other ranks gave, what the rank showed before, and what lies inside a
// module.
#pragma once

#include <optional>

#include <opdebug/api.hpp>

#include "api_culprits/exchanges.hpp"
#include "api_culprits/file_facts.hpp"
#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// Bad results of calls between ranks: inherited from the rank that gave them, or made by the call.
void settle_exchanges(const Step& step, const Exchanges& exchanges);

/// Calls whose inputs were measured behind them, and gradients: by what their rank showed before.
void settle_by_earlier(const Step& step);

/// Follows each file's own values only: what such a call gave to a further rank stays judged as it was. For a step
/// whose exchanges are settled.
void settle_masks(const Step& step);

/// A module that made a bad value inherits it where a call inside it shows one; a call inherits a weight from the
/// module that it lies in. construct.json beside the dump says what lies inside what; it is read only where that may
/// change a verdict. Where it does not tell, a call is taken to lie inside a module when it shows the same bad result
/// in front of it, or at most a few calls behind it. Error: interrupted.
std::optional<Error> settle_modules(FileFacts& facts, const ApiReadOptions& options);

}  // namespace opdebug::api_culprits
