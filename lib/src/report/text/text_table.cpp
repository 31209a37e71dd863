#include "report/text/text_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace opdebug::report {
namespace {

constexpr std::size_t kWidest = 40;  // a longer cell is not made room for

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
    return is_in(kNarrowest, code) ? 0 : is_in(kWide, code) ? 2 : 1;
}

void pad(std::string& line, std::size_t blanks) {
    line.append(blanks, ' ');
}

/// One line of the table: the shown columns, two blanks between them, no blanks at the end.
std::string line_of(const std::vector<std::string>& cells, const std::vector<TextColumn>& columns,
                    const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (widths[i] == 0) {
            continue;
        }
        const std::size_t used = display_columns(cells[i]);
        const std::size_t blanks = used < widths[i] ? widths[i] - used : 0;
        pad(line, 2 + (columns[i].right ? blanks : 0));
        line += cells[i];
        pad(line, columns[i].right ? 0 : blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

}  // namespace

std::size_t display_columns(std::string_view text) {
    std::size_t columns = 0;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
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

TextTable text_table(const std::vector<TextColumn>& columns, const std::vector<TextRow>& rows) {
    std::vector<std::size_t> widths(columns.size(), 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        for (const TextRow& row : rows) {
            widths[i] = std::max(widths[i], std::min(kWidest, display_columns(row.cells[i])));
        }
        if (widths[i] > 0) {
            widths[i] = std::max(widths[i], display_columns(columns[i].heading));
        }
    }
    std::vector<std::string> headings;
    headings.reserve(columns.size());
    for (const TextColumn& column : columns) {
        headings.push_back(column.heading);
    }
    TextTable table{line_of(headings, columns, widths), {}};
    table.rows.reserve(rows.size());
    for (const TextRow& row : rows) {
        table.rows.push_back(line_of(row.cells, columns, widths) + row.below);
    }
    return table;
}

}  // namespace opdebug::report
