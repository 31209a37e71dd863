// The chains of overflowing operators on the report's page.
#pragma once

#include <string>

#include <opdebug/chains.hpp>

namespace opdebug::report {

/// A table with a row for each chain: where it is, how many dumps of which verdict, the first bad value with its
/// reason, and the chain's first dumps to unfold. Empty without chains.
std::string html_chains(const OverflowChains& chains);

}  // namespace opdebug::report
