// A log cut into parts of whole lines, in memory of bounded size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/result.hpp>

#include "logs/files/byte_source.hpp"

namespace opdebug::logs {

/// Whole lines; only the last line of a file may lack its break.
struct LogPart {
    std::string buffer;     ///< never made smaller: to be used again without being cleared
    std::size_t begin = 0;  ///< of the lines in it
    std::size_t size = 0;
    std::string_view text() const noexcept { return std::string_view(buffer).substr(begin, size); }
};

/// What one read gave, or will give.
struct LogRead {
    std::size_t bytes = 0;              ///< 0: the log ends
    LogPart part;                       ///< empty where no line ended
    std::optional<UnreadBytes> unread;  ///< the part: finish() is to be called
    std::optional<Error> failure;       ///< behind the part

    /// Reads what is still to be read. By any thread, while others read further parts of the same log.
    void finish();
};

class LogParts {
public:
    /// `read_size`: bytes that are read at a time; a part has about as many, at most `line_bytes` more. What a longer
    /// line holds behind that may be left out, but one byte of it is there. So may bytes of a hole of NULs, but two.
    LogParts(ByteSource source, std::size_t read_size, std::uint64_t line_bytes = Limits().line_bytes)
        : source_(std::move(source)), read_size_(read_size), line_bytes_(line_bytes) {}

    /// Reads once, into the memory of `buffer`, or finds what is to be read. The lines before a fault are given before
    /// its error, which ends the log without the line that was begun: its numbers may be cut.
    LogRead read(std::string buffer = {});

private:
    LogPart take_lines(std::size_t searched, std::string buffer);
    void drop_rest_of_line(std::size_t start);
    void shorten_hole();

    ByteSource source_;
    std::size_t read_size_;
    std::uint64_t line_bytes_;
    LogPart begun_;          ///< the start of the line that no read reached the end of
    bool dropping_ = false;  ///< inside a line that is longer than the limit
};

}  // namespace opdebug::logs
