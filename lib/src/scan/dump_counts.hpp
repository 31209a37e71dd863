// Counting dumps by their states.
#pragma once

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

inline void count(DumpState state, ScanCounts& counts) noexcept {
    ++counts.dumps;
    switch (state) {
        case DumpState::overflowed: ++counts.overflowed; break;
        case DumpState::clean: ++counts.clean; break;
        case DumpState::failed: ++counts.failed; break;
    }
}

}  // namespace opdebug::scan_stage
