// Cells of CSV: quoting (RFC 4180) and safety in spreadsheets.
#pragma once

#include <string>
#include <string_view>

namespace opdebug::report {

/// A cell that holds any text. Control characters and bytes that are not UTF-8 are written as \xNN, so a row is one
/// line. What a spreadsheet would take for a formula gets a ' in front: = + - @, a tab or CR, or the wide forms of
/// these signs, where the cell begins or behind a semicolon, also behind spaces and quotation marks there. Quoted where
/// it holds a comma, a semicolon or a quote.
std::string csv_cell(std::string_view text);

/// Appends the cell to a row.
void add_csv_cell(std::string_view text, std::string& row);

}  // namespace opdebug::report
