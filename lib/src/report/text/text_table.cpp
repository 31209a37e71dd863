#include "report/text/text_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

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
    return display_columns(text) <= columns ? text : text.substr(0, end_of_columns(text, columns - 1)) + "…";
}

std::string shorten_path(const std::string& path, std::size_t columns) {
    if (display_columns(path) <= columns) {
        return path;
    }
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        parts.push_back(std::string_view(path).substr(begin, end - begin));
        begin = end + 1;
    }
    const bool is_absolute = path.front() == '/';
    std::size_t first = is_absolute ? 1 : 0;
    for (std::size_t i = 0; i + 2 < parts.size(); ++i) {
        first = parts[i].starts_with("rank_") ? i : first;
    }
    const std::size_t last = parts.size() < 2 ? 0 : parts.size() - 2;
    std::string text;
    for (std::size_t i = first; i < parts.size(); ++i) {
        if (i == first || i >= last) {
            text += fmt::format("{}{}", i > first || (first == 1 && is_absolute) ? "/" : "", parts[i]);
        } else if (i + 1 == last) {
            text += "/…";
        }
    }
    return text;
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
            result += "\n" + std::string(indent, ' ');
            used = indent;
            piece.remove_prefix(piece.starts_with(' ') ? 1 : 0);
            taken = display_columns(piece);
        }
        result += piece;
        used += taken;
    }
    return result + "\n";
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
