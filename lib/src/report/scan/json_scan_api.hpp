// What API dumps show, as part of the report of a scan.
#pragma once

#include <optional>

#include "report/json/object_writer.hpp"
#include "report/scan/scan_api.hpp"

namespace opdebug::report {

/// The member "api"; null when there is none.
void write_scan_api(const std::optional<ScanApi>& api, ObjectWriter& object);

}  // namespace opdebug::report
