// The CSV form of a dump: one row per record.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/scan_overview.hpp>

namespace opdebug::report {

/// The names of the columns, with a line break. `tensors`: with the column `origin`.
std::string scan_row_header(bool tensors);

/// The rows of a dump and its item, each with a line break. One that failed, or holds no record, has one row.
std::string scan_rows(const ScannedDump& scanned, const ScanItem& item, std::string_view failure_code, bool tensors);

}  // namespace opdebug::report
