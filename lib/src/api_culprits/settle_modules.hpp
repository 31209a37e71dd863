// Modules against the calls inside them: the inner ones are the origins.
#pragma once

#include <optional>

#include <opdebug/api_dump.hpp>

#include "api_culprits/found.hpp"

namespace opdebug::api_culprits {

/// A module that made a bad value inherits it where a call inside it shows one; a call inherits a weight from the
/// module that it lies in. construct.json beside the dump says what lies inside what; it is read only where that may
/// change a verdict. Where it does not tell, a call is taken to lie inside a module when it shows the same bad result
/// in front of it, or at most a few calls behind it. Error: interrupted.
std::optional<Error> settle_modules(FileFacts& facts, const ApiReadOptions& options);

}  // namespace opdebug::api_culprits
