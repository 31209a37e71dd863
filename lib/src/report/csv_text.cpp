#include "report/csv_text.hpp"

#include <algorithm>
#include <array>

#include <opdebug/report.hpp>

namespace opdebug::report {
namespace {

/// The last four are U+FF1D, U+FF0B, U+FF0D and U+FF20: spreadsheets of East Asian locales read them like = + - @.
constexpr std::array<std::string_view, 10> kFormulaStarts{
    "=", "+", "-", "@", "\t", "\r", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

bool begins_like_formula(std::string_view text) {
    return std::any_of(kFormulaStarts.begin(), kFormulaStarts.end(),
                       [text](std::string_view start) { return text.substr(0, start.size()) == start; });
}

}  // namespace

std::string csv_cell(std::string_view text) {
    std::string cell = (begins_like_formula(text) ? "'" : "") + printable(text);
    if (cell.find_first_of(",\"") == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char character : cell) {
        quoted.append(character == '"' ? 2 : 1, character);
    }
    return quoted + '"';
}

}  // namespace opdebug::report
