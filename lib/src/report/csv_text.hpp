// Cells of CSV: quoting (RFC 4180) and safety in spreadsheets.
#pragma once

#include <string>
#include <string_view>

namespace opdebug::report {

/// A cell that holds any text. Control characters and bytes that are not UTF-8 are written as \xNN, so a row is one
/// line. Text that a spreadsheet would take for a formula (it begins with = + - @, a tab or CR, or the wide forms of
/// these signs) gets a ' in front. Quoted where it holds a comma or a quote.
std::string csv_cell(std::string_view text);

}  // namespace opdebug::report
