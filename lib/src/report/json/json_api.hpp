// Parts of the report on API dumps that other documents have as well.
#pragma once

#include <opdebug/api.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

void write_api_counts(const ApiCounts& counts, JsonWriter& json);

/// An item of "findings".
void write_api_finding(const ApiFinding& finding, JsonWriter& json);

}  // namespace opdebug::report
