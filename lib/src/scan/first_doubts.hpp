// Whether the first overflow of a report is certainly the first.
#pragma once

#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// The reasons why another overflow may have come before the first one; each a warning `first_uncertain` that names
/// files and numbers. `overflowed`: in report order.
std::vector<Diagnostic> doubts_about_first(const std::vector<const ScanItem*>& overflowed);

}  // namespace opdebug::scan_stage
