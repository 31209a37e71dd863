// How a property that does not hold ends a fuzz target: with a line that states which, and abort(), which every build
// and libFuzzer take for a finding.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace opdebug::fuzz {

inline void require(bool holds, std::string_view property, std::string_view found = {}) {
    if (!holds) {
        std::cerr << "PROPERTY VIOLATED: " << property << (found.empty() ? "" : ": ") << found << std::endl;
        std::abort();
    }
}

}  // namespace opdebug::fuzz
