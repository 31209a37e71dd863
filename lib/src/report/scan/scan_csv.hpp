// The CSV form of a dump: one row per record.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/scan.hpp>

namespace opdebug::report {

/// The names of the columns, with a line break. `tensors`: with the column `origin`.
std::string scan_row_header(bool tensors);

/// The rows of a dump and its item, each with a line break. One that failed, or holds no record, has one row.
std::string scan_rows(const ScannedDump& scanned, const ScanItem& item, std::string_view failure_code, bool tensors);

/// A cell that holds any text. Control characters and bytes that are not UTF-8 are written as \xNN, so a row is one
/// line. Text that a spreadsheet would read as a formula gets a ' in front. Such text has = + - @, a tab or CR, or the
/// wide forms of these signs, at the begin of the cell or after a semicolon. Spaces and quotation marks may precede the
/// sign. Quoted where it holds a comma, a semicolon or a quote.
std::string csv_cell(std::string_view text);

/// Appends the cell to a row.
void add_csv_cell(std::string_view text, std::string& row);

}  // namespace opdebug::report
