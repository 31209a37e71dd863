#include "report/text/text_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "report/text/joined_lists.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kWidest = 40;      // a longer cell is not made room for
constexpr std::size_t kLeastRoom = 16;   // a last cell with less space moves to the line below
constexpr std::size_t kBelowIndent = 6;  // of cells that do not fit
constexpr char kEscape = 0x1B;

struct CodeRange {
    std::uint32_t first, last;
};

/// Blocks whose letters are wide or full-width (Unicode, East Asian Width W and F).
constexpr std::array kWide{CodeRange{0x1100, 0x115F},   CodeRange{0x2E80, 0x303E},   CodeRange{0x3041, 0xA4CF},
                           CodeRange{0xA960, 0xA97F},   CodeRange{0xAC00, 0xD7A3},   CodeRange{0xF900, 0xFAFF},
                           CodeRange{0xFE30, 0xFE6F},   CodeRange{0xFF00, 0xFF60},   CodeRange{0xFFE0, 0xFFE6},
                           CodeRange{0x1F300, 0x1F64F}, CodeRange{0x1F900, 0x1F9FF}, CodeRange{0x20000, 0x3FFFD}};
/// Combining marks and letters without width.
constexpr std::array kNarrowest{CodeRange{0x0300, 0x036F}, CodeRange{0x200B, 0x200F}, CodeRange{0x20D0, 0x20FF},
                                CodeRange{0xFE00, 0xFE0F}, CodeRange{0xFE20, 0xFE2F}};

template <std::size_t N>
bool is_in(const std::array<CodeRange, N>& ranges, std::uint32_t code) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

std::size_t columns_of(std::uint32_t code) {
    constexpr std::uint32_t kFirstOfAny = 0x0300;  // most texts have letters before it only
    return code < kFirstOfAny ? 1 : is_in(kNarrowest, code) ? 0 : is_in(kWide, code) ? 2 : 1;
}

/// Whether a byte goes on with a character of UTF-8.
bool is_inside_character(char byte) {
    return (static_cast<std::uint8_t>(byte) & 0xC0U) == 0x80U;
}

/// Punctuation that may not begin a line.
bool starts_with_mark(std::string_view text) {
    constexpr std::array<std::string_view, 8> kMarks{"，", "。", "；", "：", "、", "）", "？", "”"};
    return std::any_of(kMarks.begin(), kMarks.end(), [text](std::string_view mark) { return text.starts_with(mark); });
}

/// The end of the characters that fill at least one column and at most `columns`, unless the first is wider.
std::size_t end_of_columns(std::string_view text, std::size_t columns) {
    std::size_t end = 0;
    for (std::size_t next = 0; next < text.size(); end = next) {
        do {
            ++next;
        } while (next < text.size() && is_inside_character(text[next]));
        if (end != 0 && display_columns(text.substr(0, next)) > columns) {
            break;
        }
    }
    return end;
}

bool is_visible_ascii(char byte) {
    return byte > ' ' && byte < 0x7F;
}

void pad(std::string& line, std::size_t blanks) {
    line.append(blanks, ' ');
}

void cut_blanks(std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
}

/// Whether each word of the cell fits into so many columns.
bool has_fitting_words(std::string_view cell, std::size_t columns) {
    while (!cell.empty()) {
        const std::string_view word = cell.substr(0, cell.find(' '));
        if (display_columns(word) > columns) {
            return false;
        }
        cell.remove_prefix(std::min(word.size() + 1, cell.size()));
    }
    return true;
}

/// Where the cells of a table are: the same for the heading and the rows.
struct TableLayout {
    const std::vector<TextColumn>& columns;
    std::vector<std::size_t> widths;  ///< 0: not shown
    std::size_t page_columns;

    bool is_last(std::size_t column) const {
        return std::all_of(widths.begin() + static_cast<std::ptrdiff_t>(column) + 1, widths.end(),
                           [](std::size_t width) { return width == 0; });
    }
    /// Whether a cell after others stays in their line: the last one may be wrapped there.
    bool stays(std::size_t column, std::size_t place, std::string_view cell) const {
        // The last cell aligns nothing.
        const bool is_padded = !is_last(column) || columns[column].right;
        const std::size_t width = std::max(is_padded ? widths[column] : 0, display_columns(cell));
        return place + width <= page_columns ||
               (is_last(column) && place + kLeastRoom <= page_columns && has_fitting_words(cell, page_columns - place));
    }
};

/// The cells from `begin` on, two blanks between them, no blanks at the end. Cells that do not fit on the page are in
/// lines below.
std::string lines_of(const std::vector<std::string>& cells, std::size_t begin, std::size_t indent,
                     const TableLayout& layout) {
    std::string line;
    std::size_t used = 0;
    for (std::size_t i = begin; i < cells.size(); ++i) {
        if (layout.widths[i] == 0) {
            continue;
        }
        const bool is_first = line.empty();
        const std::size_t cell_columns = display_columns(cells[i]);
        const std::size_t blanks = cell_columns < layout.widths[i] ? layout.widths[i] - cell_columns : 0;
        const std::size_t place = is_first ? indent : used + 2;
        if (!is_first && !layout.stays(i, place, cells[i])) {
            const std::string below = lines_of(cells, i, kBelowIndent, layout);
            cut_blanks(line);
            return line + "\n" + (below == "\n" ? std::string() : below);
        }
        pad(line, place - used + (layout.columns[i].right ? blanks : 0));
        if (place + cell_columns > layout.page_columns) {
            line = wrapped(line, cells[i], is_first ? kBelowIndent : place, layout.page_columns);
            return layout.is_last(i) ? line : line + lines_of(cells, i + 1, kBelowIndent, layout);
        }
        line += cells[i];
        pad(line, layout.columns[i].right ? 0 : blanks);
        used = place + std::max(layout.widths[i], cell_columns);
    }
    cut_blanks(line);
    return line + "\n";
}

}  // namespace

std::size_t display_columns(std::string_view text) {
    std::size_t columns = 0;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
        if (byte == kEscape) {  // the sequence of a colour
            i = std::min(text.find('m', i), text.size() - 1);
            continue;
        }
        const bool starts = byte < 0x80 || byte >= 0xC0;
        if (starts) {
            code = byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1FU : byte < 0xF0 ? byte & 0x0FU : byte & 0x07U;
        } else {
            code = code << 6U | (byte & 0x3FU);
        }
        const bool ends = i + 1 == text.size() || (static_cast<std::uint8_t>(text[i + 1]) & 0xC0U) != 0x80;
        columns += ends ? columns_of(code) : 0;
    }
    return columns;
}

std::string padded(std::string text, std::size_t columns) {
    const std::size_t used = display_columns(text);
    text.append(used < columns ? columns - used : 0, ' ');
    return text;
}

std::string shorten_middle(const std::string& text, std::size_t columns) {
    if (display_columns(text) <= columns) {
        return text;
    }
    const std::size_t half = (columns - 1) / 2;
    const std::string_view all = text;
    const std::size_t begin = end_of_columns(all, columns - 1 - half);
    std::size_t end = all.size();
    for (std::size_t used = 0; end > begin && used < half;) {
        do {
            --end;
        } while (end > begin && is_inside_character(all[end]));
        used += display_columns(all.substr(end, end_of_columns(all.substr(end), 1)));
    }
    return fmt::format("{}…{}", all.substr(0, begin), all.substr(end));
}

std::string shorten_end(const std::string& text, std::size_t columns) {
    if (display_columns(text) <= columns) {
        return text;
    }
    std::string begin = text.substr(0, end_of_columns(text, columns - 1));
    return begin.ends_with("…") ? begin : begin + "…";
}

std::string shorten_path(const std::string& path, std::size_t columns) {
    if (display_columns(path) <= columns) {
        return path;
    }
    const std::string_view whole = path;
    std::size_t begin = whole.find('/', 1);
    while (begin != std::string_view::npos && 1 + display_columns(whole.substr(begin)) > columns) {
        const std::size_t next = whole.find('/', begin + 1);
        if (next == std::string_view::npos) {
            break;
        }
        begin = next;
    }
    return begin == std::string_view::npos ? path : fmt::format("…{}", whole.substr(begin));
}

std::string two_sides(std::string_view left, std::string_view right, std::size_t columns) {
    constexpr std::size_t kWidestLine = 100;  // of a wider page: the eye loses what is too far away
    columns = std::min(columns, kWidestLine);
    const std::size_t used = display_columns(left) + display_columns(right);
    if (used + 3 > columns) {
        return fmt::format("{}\n  {}\n", left, right);
    }
    return fmt::format("{}{}{}\n", left, std::string(columns - used, ' '), right);
}

std::string wrapped(std::string_view first, std::string_view text, std::size_t indent, std::size_t columns) {
    std::string result(first);
    std::size_t used = display_columns(first);
    while (!text.empty()) {
        // The next piece that stays together: a word with the blank before it, or one wide letter.
        std::size_t end = text.front() == ' ' ? 1 : 0;
        std::size_t taken = end;
        while (end < text.size() && text[end] != ' ') {
            if (is_visible_ascii(text[end])) {
                ++end;
                ++taken;
                continue;
            }
            if (text[end] == kEscape) {
                end = std::min(text.find('m', end), text.size() - 1) + 1;
                continue;
            }
            const std::size_t next = end + end_of_columns(text.substr(end), 1);
            const std::size_t width = display_columns(text.substr(end, next - end));
            if (width > 1 && taken > 0 && !starts_with_mark(text.substr(end))) {
                break;
            }
            end = next;
            taken += width;
            if (width > 1 && !starts_with_mark(text.substr(end))) {
                break;
            }
        }
        std::string_view piece = text.substr(0, end);
        text.remove_prefix(end);
        if (used + taken > columns && used > indent) {
            cut_blanks(result);
            result += "\n" + std::string(indent, ' ');
            used = indent;
            piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
            taken = display_columns(piece);
        }
        result += piece;
        used += taken;
    }
    return result + "\n";
}

std::string fitted(std::string_view text, std::size_t columns) {
    constexpr std::size_t kMoreIndent = 4;
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.size() <= columns || display_columns(line) <= columns) {  // no letter has fewer bytes than columns
            result += text.substr(0, end + 1);
        } else {
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            result += wrapped(line.substr(0, indent), line.substr(indent), std::min(indent + kMoreIndent, columns / 2),
                              columns);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

TextTable text_table(const std::vector<TextColumn>& columns, std::vector<TextRow> rows, std::size_t page_columns) {
    TableLayout layout{columns, std::vector<std::size_t>(columns.size(), 0), page_columns};
    std::vector<std::size_t>& widths = layout.widths;
    std::size_t used = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        for (const TextRow& row : rows) {
            const std::size_t cell = display_columns(row.cells[i]);
            widths[i] = std::max(widths[i], columns[i].shorten != nullptr ? cell : std::min(kWidest, cell));
        }
        if (widths[i] > 0) {
            widths[i] = std::max(widths[i], display_columns(columns[i].heading));
            used += widths[i] + 2;
        }
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].shorten == nullptr || used <= page_columns) {
            continue;
        }
        const std::size_t fitting = widths[i] - std::min(widths[i], used - page_columns);
        // A last cell that does not fit has a line of its own.
        const std::size_t most =
            fitting >= kLeastRoom || !layout.is_last(i) ? std::max(fitting, kLeastRoom) : page_columns - kBelowIndent;
        for (TextRow& row : rows) {
            row.cells[i] = columns[i].shorten(row.cells[i], most);
        }
        const std::size_t before = widths[i];
        widths[i] = std::max(std::min(before, most), display_columns(columns[i].heading));
        used -= before - std::min(before, widths[i]);
    }
    const auto heading = [](const TextColumn& column) { return column.heading; };
    TextTable table{lines_of(mapped(columns, heading), 0, 2, layout), {}};
    for (const TextRow& row : rows) {
        table.rows += lines_of(row.cells, 0, 2, layout) + row.below;
    }
    return table;
}

}  // namespace opdebug::report
