// How a property that does not hold ends a fuzz target: with a line that says which, and abort(), which every build
// and libFuzzer take for a finding.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace opdebug::fuzz {

inline void require(bool holds, std::string_view property, std::string_view found = {}) {
    if (!holds) {
        std::fprintf(stderr, "PROPERTY VIOLATED: %.*s%s%.*s\n", static_cast<int>(property.size()), property.data(),
                     found.empty() ? "" : ": ", static_cast<int>(found.size()), found.data());
        std::abort();
    }
}

}  // namespace opdebug::fuzz
