// A group of a scan's report as JSON.
#pragma once

#include <opdebug/scan_overview.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// An item of "groups".
void write_group(const ScanGroup& group, JsonWriter& json);

}  // namespace opdebug::report
