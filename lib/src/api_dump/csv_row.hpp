// Rows of a statistic.csv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opdebug::api_dump {

/// The cells of a row without quotation marks and blanks around them. Commas inside of quotation marks and brackets
/// belong to the cell: shapes have them.
std::vector<std::string_view> csv_cells(std::string_view row);

/// Which cell is which, by the names in the first row.
class CsvColumns {
public:
    /// `header`: "Op Type,Op Name,...".
    explicit CsvColumns(std::string_view header);

    /// The cell of that column; empty where the row or the file has none. `name`: in small letters without blanks.
    std::string_view cell(const std::vector<std::string_view>& cells, std::string_view name) const;
    bool has(std::string_view name) const { return place(name) != names_.size(); }

    /// The index of that column, from 0; size() where the file has none.
    std::size_t place(std::string_view name) const;
    std::size_t size() const noexcept { return names_.size(); }

private:
    std::vector<std::string> names_;
};

}  // namespace opdebug::api_dump
