// A file line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api_dump/file_window.hpp"

namespace opdebug::api_dump {

struct Line {
    std::string_view
        text;  ///< without its end and a byte order mark of the file; valid until the next line is asked for
    std::uint64_t number = 0;
    bool has_end = true;  ///< false: the file ends in it
};

/// Where a line ends. outside_quotes: a cell in quotation marks may hold line breaks, as in CSV files.
enum class LineEnd { at_break, outside_quotes };

class LineReader {
public:
    explicit LineReader(FileWindow& window, LineEnd line_end = LineEnd::at_break)
        : window_(window), line_end_(line_end) {}

    /// The next line; nothing at the end of the file. Errors: as FileWindow::read_on().
    Result<std::optional<Line>> next();

private:
    FileWindow& window_;
    LineEnd line_end_;
    std::size_t used_ = 0;      ///< bytes of the line that was given last
    std::uint64_t number_ = 0;  ///< of the last line break
};

}  // namespace opdebug::api_dump
