// Pieces of HTML that the report's page is made of: safe texts, cells, tables, remarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/origin.hpp>
#include <opdebug/result.hpp>

namespace opdebug::report {

/// The text as HTML text or as an attribute's value in double quotes: what printable() makes of it, with & < > " '
/// escaped.
std::string html(std::string_view text);

/// The same for a text of several lines, in a <pre>: its line breaks stay, and columns of Chinese letters stay columns.
std::string html_lines(std::string_view text);

/// Both texts, escaped; the page shows the one of its language (page.css).
std::string in_both_languages(std::string_view english, std::string_view chinese);

std::string both_verdicts(OriginVerdict verdict);

constexpr std::size_t kMostRows = 5000;  ///< of each table

/// A cell with HTML in it. The attribute data-key is what the page's script sorts by.
std::string keyed_cell(std::string_view key, std::string_view content, std::string_view style = "");
std::string number_cell(const std::optional<std::uint64_t>& value);
std::string time_cell(const std::optional<std::uint64_t>& value);
/// Sorted by the first of the numbers. A line may end behind a comma, never inside a range.
std::string numbers_cell(const std::vector<std::uint64_t>& values);
/// A cell of any text.
std::string text_cell(std::string_view text, std::string_view style);

/// The headings in both languages: English, Chinese.
std::string heading_cells(std::initializer_list<std::pair<const char*, const char*>> names);

/// A table that the script sorts and filters, in a box of its own that scrolls.
std::string table(std::string_view id, const std::string& headings, const std::string& rows);

/// The note below a table that shows only the first `shown` of its rows; empty when it shows all.
std::string left_out(std::size_t all, std::size_t shown = kMostRows);

std::string remark_list(const std::vector<Diagnostic>& remarks);

}  // namespace opdebug::report
