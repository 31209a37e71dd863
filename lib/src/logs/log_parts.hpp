// A log cut into parts of whole lines, in memory of bounded size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "logs/byte_source.hpp"
#include "logs/reading_watch.hpp"

namespace opdebug::logs {

/// Whole lines; only the last line of a file may lack its break.
struct LogPart {
    std::string buffer;    ///< never made smaller: to be used again without being cleared
    std::size_t size = 0;  ///< of the lines in it
    std::string_view text() const noexcept { return std::string_view(buffer).substr(0, size); }
};

class LogParts {
public:
    /// `read_size`: bytes that are read at a time; a part has about as many, at most `line_bytes` more. What a longer
    /// line holds behind that may be left out, but one byte of it is there. `watch` is asked before each read; it must
    /// outlive this.
    LogParts(ByteSource source, std::size_t read_size, ReadingWatch& watch,
             std::uint64_t line_bytes = Limits().line_bytes)
        : source_(std::move(source)), read_size_(read_size), watch_(watch), line_bytes_(line_bytes) {}

    /// The next part, in the memory of `buffer`; nothing at the end, and when reading was stopped. The lines before a
    /// fault are given before its error, which ends the log.
    Result<std::optional<LogPart>> next(std::string buffer = {});

private:
    bool read_more(LogPart& part);
    void drop_rest_of_line(LogPart& part, std::size_t start);

    ByteSource source_;
    std::size_t read_size_;
    ReadingWatch& watch_;
    std::uint64_t line_bytes_;
    std::string begun_;      ///< the start of the line that the last part did not reach
    bool dropping_ = false;  ///< inside a line that is longer than the limit
    std::optional<Error> failure_;
};

}  // namespace opdebug::logs
