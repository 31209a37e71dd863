// A chain of overflowing operators as JSON, for the report of a scan.
#pragma once

#include <opdebug/chains.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

void write_chain(const OverflowChain& chain, JsonWriter& json);

}  // namespace opdebug::report
