// Verdicts that need several calls: values of other ranks, earlier values of the rank, and calls inside a module.
#pragma once

#include <optional>

#include <opdebug/api.hpp>

#include "api_culprits/exchanges.hpp"
#include "api_culprits/file_facts.hpp"
#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// Bad results of calls between ranks: inherited from the giving rank, or made by the call.
void settle_exchanges(const Step& step, const Exchanges& exchanges);

/// Calls with inputs measured after the call, and gradients: decided by earlier values of their rank.
void settle_by_earlier(const Step& step);

/// Follows only values inside each file: values that such a call gave to other ranks keep their verdict. For steps with
/// settled exchanges.
void settle_masks(const Step& step);

/// A module that made a bad value inherits it if a call inside it shows one. A call inherits a weight from the module
/// around it. construct.json next to the dump contains the nesting; it is read only if it may change a verdict. Without
/// it, a call with the same bad result counts as inside if it is before the module or a few calls after it. Error:
/// interrupted.
std::optional<Error> settle_modules(FileFacts& facts, const ApiReadOptions& options);

}  // namespace opdebug::api_culprits
