// What the dumps of a scan show together, as JSON: groups, chains, and the lines of both.
#pragma once

#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "report/json/json_writer.hpp"
#include "scan/overview.hpp"

namespace opdebug::report {

/// An item of "groups".
void write_group(const ScanGroup& group, JsonWriter& json);

void write_chain(const OverflowChain& chain, JsonWriter& json);

struct OverviewLines {
    std::vector<std::string> groups;  ///< the items of that list: pieces of some of them, with commas between these
    std::vector<Diagnostic> diagnostics;
};

/// Each group becomes text as soon as it is made, and its memory goes to the next one: ten of eleven are of one dump,
/// and as text they take less memory than as a ScanGroup. `overview` has all dumps.
OverviewLines lines_of(scan_stage::OverviewBuilder& overview);

}  // namespace opdebug::report
