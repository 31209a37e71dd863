// Text for terminals: safe characters, widths and columns. Letters of Chinese take two columns, combining marks none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::report {

/// Terminal columns of a text that printable() made safe (East Asian Width: wide and full-width letters take two).
/// Colours take none.
std::size_t display_columns(std::string_view text);

/// The text with blanks up to a column.
std::string padded(std::string text, std::size_t columns);

/// A text that is wider than `columns`, without its middle: "plog-4711_…123.log".
std::string shorten_middle(const std::string& text, std::size_t columns);

/// A text that is wider than `columns`, without its end.
std::string shorten_end(const std::string& text, std::size_t columns);

/// A path that is wider than `columns`, without its first folders, which most paths of a page have in common:
/// "…/rank_37/20261012093000/5/net/1/120/Opdebug.Node_OpDebug.177.21.1". The file name is always whole.
std::string shorten_path(const std::string& path, std::size_t columns);

/// A line with `right` at its end where it fits, else on a line of its own.
std::string two_sides(std::string_view left, std::string_view right, std::size_t columns);

/// The text in lines of at most `columns`, the first after `first`, the others indented. Breaks at blanks, and after
/// letters that take two columns.
std::string wrapped(std::string_view first, std::string_view text, std::size_t indent, std::size_t columns);

/// A page of which no line is wider than `columns`, except a single word: wider lines are wrapped.
std::string fitted(std::string_view text, std::size_t columns);

struct TextColumn {
    using Shorten = std::string (*)(const std::string& cell, std::size_t columns);

    TextColumn(std::string_view heading_text, bool is_right = false, Shorten how = nullptr)
        : heading(heading_text), right(is_right), shorten(how) {}

    std::string heading;
    bool right;       ///< numbers
    Shorten shorten;  ///< for cells of a table that is wider than the page; null: these are whole
};

struct TextRow {
    std::vector<std::string> cells;  ///< as many as there are columns
    std::string below;               ///< complete lines below the row
};

/// A heading line and the rows, each line indented by two blanks. Columns without any text are left out. A cell that is
/// much longer than the others moves its own line only; only cells of columns with `shorten` are cut. Cells that do not
/// fit on the page are in lines below the row; the last one may be wrapped in its column.
struct TextTable {
    std::string heading;  ///< one line or more
    std::string rows;     ///< with the lines below each

    std::string text() const { return heading + rows; }
};
TextTable text_table(const std::vector<TextColumn>& columns, std::vector<TextRow> rows, std::size_t page_columns);

/// Control characters, line and paragraph separators, marks that change the writing direction, and characters that
/// leave no mark. `character`: one valid UTF-8 character.
bool is_hidden(std::string_view character);

/// The number of one valid UTF-8 character.
std::uint32_t code_point(std::string_view character);

/// Like printable(), but shortens a text of more than 1,000 bytes: its first 700 bytes, the number of characters left
/// out, and its last 200 bytes. JSON has all of it.
std::string printable_shortened(std::string_view text, Language language);

}  // namespace opdebug::report
