// What the dumps of a report show together as the last of its JSON lines has it.
#pragma once

#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "scan/overview.hpp"

namespace opdebug::report {

struct OverviewLines {
    std::vector<std::string> groups;  ///< the items of that list: pieces of some of them, with commas between these
    std::vector<Diagnostic> diagnostics;
};

/// Each group becomes text as soon as it is made, and its memory goes to the next one: ten of eleven are of one dump,
/// and as text they take less memory than as a ScanGroup. `overview` has all dumps.
OverviewLines lines_of(scan_stage::OverviewBuilder& overview);

}  // namespace opdebug::report
