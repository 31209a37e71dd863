// The chains of overflowing operators for people.
#pragma once

#include <string>

#include <opdebug/chains.hpp>
#include <opdebug/status.hpp>

namespace opdebug::report {

/// The first 20 chains of which something was measured: a line on the chain, its first dumps and the one that shows the
/// first bad value, marked with '>', and the remarks. Empty without chains.
std::string chains_to_text(const OverflowChains& chains, Language language);

}  // namespace opdebug::report
