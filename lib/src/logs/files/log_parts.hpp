// Logs cut into parts of whole lines, in memory of bounded size: one file after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/files/byte_source.hpp"

namespace opdebug::logs {

/// What one read gave.
struct LogRead {
    std::size_t bytes = 0;         ///< 0: the log ends
    std::string lines;             ///< whole lines; only the last line of a file may lack its break
    std::optional<Error> failure;  ///< after the lines
};

class LogParts {
public:
    /// `read_size`: bytes that are read at a time; a part has about as many, at most `line_bytes` more. What a longer
    /// line holds after that may be left out, but one byte of it is there. So may bytes of a hole of NULs, but two.
    LogParts(ByteSource source, std::size_t read_size, std::uint64_t line_bytes = Limits().line_bytes)
        : source_(std::move(source)), read_size_(read_size), line_bytes_(line_bytes) {}

    /// Reads once. The lines before a fault are given before its error, which ends the log without the line that was
    /// begun: its numbers may be cut.
    LogRead read();

private:
    std::string take_lines(std::size_t searched);
    void drop_rest_of_line(std::size_t start);
    void shorten_hole();

    ByteSource source_;
    std::size_t read_size_;
    std::uint64_t line_bytes_;
    std::string begun_;      ///< the start of the line that no read reached the end of
    bool dropping_ = false;  ///< inside a line that is longer than the limit
};

/// A file is opened, or some of it is read.
struct LogStep {
    const std::string* path = nullptr;
    bool begins = false;  ///< the file is opened; else it is read on
    LogRead read;         ///< a failure ends the file, also that of opening it
};

/// Files in their order. For one thread at a time. `paths` must outlive this.
class LogSteps {
public:
    LogSteps(const std::vector<std::string>& paths, std::size_t read_size, const Limits& limits)
        : paths_(paths), read_size_(read_size), line_bytes_(limits.line_bytes) {}

    /// Nothing after the last.
    std::optional<LogStep> next();

private:
    LogStep begin(const std::string& path);

    const std::vector<std::string>& paths_;
    std::size_t read_size_;
    std::uint64_t line_bytes_;
    std::size_t begun_ = 0;         ///< as many files
    std::optional<LogParts> open_;  ///< the last of them, until it ends
};

}  // namespace opdebug::logs
