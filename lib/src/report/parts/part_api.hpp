// What API dumps show, in the last line of a partial report (docs/json-output.md, "Partial reports"): written, and read
// again. Findings have the members that they have in "api" of a report, and those that ties need.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <opdebug/scan.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

void write_part_api(const ScanApiDumps& api, JsonWriter& json);

/// `sound` becomes false when members are not what they should be.
ScanApiDumps read_part_api(const nlohmann::json& object, bool& sound);

/// What the member "api" of an ordinary report tells; the remarks on ties are among those on the dumps.
ScanApiDumps read_ordinary_api(const nlohmann::json& object, bool& sound);

}  // namespace opdebug::report
