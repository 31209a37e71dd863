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

class LineReader {
public:
    explicit LineReader(FileWindow& window) : window_(window) {}

    /// The next line; nothing at the end of the file. Errors: as FileWindow::read_on().
    Result<std::optional<Line>> next();

private:
    FileWindow& window_;
    std::size_t used_ = 0;  ///< bytes of the line that was given last
    std::uint64_t number_ = 0;
};

}  // namespace opdebug::api_dump
