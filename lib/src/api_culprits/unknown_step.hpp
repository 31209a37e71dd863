// What is said of dumps whose step no folder tells, as those of CANN, beside dumps of known steps.
#pragma once

#include <cstdint>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::api_culprits {

/// Those of known steps are first, and `count` of an unknown one, the first of them `api`, may be earlier.
Diagnostic tell_unknown_step(std::uint64_t count, std::string_view api, std::uint64_t first_step);

}  // namespace opdebug::api_culprits
