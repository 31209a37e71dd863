#include "report/text/csv_text.hpp"

#include <algorithm>
#include <array>

#include <opdebug/report.hpp>

namespace opdebug::report {
namespace {

/// The last four are U+FF1D, U+FF0B, U+FF0D and U+FF20: spreadsheets of East Asian locales read them like = + - @.
constexpr std::array<std::string_view, 10> kFormulaStarts{
    "=", "+", "-", "@", "\t", "\r", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

/// Whether the text is its own cell: visible ASCII that begins with a letter, a digit or what else begins no formula,
/// and holds nothing that separates cells.
bool is_its_own_cell(std::string_view text) {
    constexpr std::string_view kNotFirst = "=+-@ \"";
    return text.empty() ||
           (kNotFirst.find(text.front()) == std::string_view::npos && std::all_of(text.begin(), text.end(), [](char c) {
                return c >= 0x20 && c < 0x7F && c != ',' && c != ';' && c != '"';
            }));
}

/// Some spreadsheets take away spaces and quotation marks in front of a cell.
bool begins_like_formula(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \""), text.size()));
    return std::any_of(kFormulaStarts.begin(), kFormulaStarts.end(),
                       [text](std::string_view start) { return text.substr(0, start.size()) == start; });
}

/// The text with an apostrophe in front of what would be a formula. Where the decimal sign is a comma, spreadsheets
/// begin a new cell behind each semicolon, quoted or not.
std::string without_formulas(std::string_view text) {
    std::string safe;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(';', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        safe += begins_like_formula(part) ? "'" : "";
        safe += printable(part);
        safe += end < text.size() ? ";" : "";
        begin = end + 1;
    }
    return safe;
}

}  // namespace

std::string csv_cell(std::string_view text) {
    std::string cell = without_formulas(text);
    if (cell.find_first_of(",;\"") == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char character : cell) {
        quoted.append(character == '"' ? 2 : 1, character);
    }
    return quoted + '"';
}

/// Nearly all cells are their own: to make each of them a text first took a quarter of a scan's time.
void add_csv_cell(std::string_view text, std::string& row) {
    if (is_its_own_cell(text)) {
        row += text;
    } else {
        row += csv_cell(text);
    }
}

}  // namespace opdebug::report
