#include "api_culprits/unknown_step.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"

namespace opdebug::api_culprits {

Diagnostic tell_unknown_step(std::uint64_t count, std::string_view api, std::uint64_t first_step) {
    return {Severity::info, "order_unknown",
            fmt::format("{} of dumps whose step is not known ({}{}) may be earlier than what is first of step {}: "
                        "nothing orders them",
                        bytes::counted(count, "bad value"), api, count > 1 ? " and others" : "", first_step)};
}

}  // namespace opdebug::api_culprits
