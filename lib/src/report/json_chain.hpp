// A chain of overflowing operators as JSON, for the report of a scan.
#pragma once

#include <opdebug/chains.hpp>

#include "report/json_text.hpp"

namespace opdebug::report {

Json chain_to_json(const OverflowChain& chain);

}  // namespace opdebug::report
