#include "api_dump/csv_row.hpp"

#include <algorithm>
#include <cctype>

namespace opdebug::api_dump {
namespace {

std::string_view bare(std::string_view cell) {
    constexpr std::string_view kAround = " \t\"\r";
    const std::size_t begin = cell.find_first_not_of(kAround);
    return begin == std::string_view::npos ? std::string_view()
                                           : cell.substr(begin, cell.find_last_not_of(kAround) - begin + 1);
}

/// "Max Value" → "maxvalue".
std::string column_name(std::string_view cell) {
    std::string name;
    for (const char c : cell) {
        if (c != ' ' && c != '_') {
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return name;
}

}  // namespace

std::vector<std::string_view> csv_cells(std::string_view row) {
    std::vector<std::string_view> cells;
    std::size_t begin = 0, brackets = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= row.size(); ++i) {
        const char c = i < row.size() ? row[i] : ',';
        const bool ends_cell = i == row.size() || (c == ',' && !quoted && brackets == 0);
        if (ends_cell) {
            cells.push_back(bare(row.substr(begin, i - begin)));
            begin = i + 1;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == '(' || c == '[')) {
            ++brackets;
        } else if (!quoted && (c == ')' || c == ']') && brackets != 0) {
            --brackets;
        }
    }
    return cells;
}

CsvColumns::CsvColumns(std::string_view header) {
    for (const std::string_view cell : csv_cells(header)) {
        names_.push_back(column_name(cell));
    }
    while (!names_.empty() && names_.back().empty()) {
        names_.pop_back();
    }
}

std::string_view CsvColumns::cell(const std::vector<std::string_view>& cells, std::string_view name) const {
    const std::size_t column = place(name);
    return column < std::min(names_.size(), cells.size()) ? cells[column] : std::string_view();
}

std::size_t CsvColumns::place(std::string_view name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

}  // namespace opdebug::api_dump
