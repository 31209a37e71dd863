// Text in columns, for terminals: letters of Chinese take two columns, combining marks none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::report {

/// Terminal columns of a text that printable() made safe (East Asian Width: wide and full-width letters take two).
std::size_t display_columns(std::string_view text);

struct TextColumn {
    std::string heading;
    bool right = false;  ///< numbers
};

struct TextRow {
    std::vector<std::string> cells;  ///< as many as there are columns
    std::string below;               ///< whole lines that stand below the row
};

/// A heading line and the rows, each line indented by two blanks. Columns without any text are left out. A cell that is
/// much longer than the others moves its own line only; nothing is cut.
struct TextTable {
    std::string heading;
    std::vector<std::string> rows;  ///< with what stands below each
};
TextTable text_table(const std::vector<TextColumn>& columns, const std::vector<TextRow>& rows);

}  // namespace opdebug::report
