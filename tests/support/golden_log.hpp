// Finds the operator and model of one record in whole logs: written to files, read back by read_logs().
// The lines of these tests have the shape of their years with names, numbers and times of our own; their clock is that
// of log_builder.hpp (2026-03-04 10:00:00 and milliseconds), read as UTC.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "location.hpp"

namespace opdebug::test {

/// One file below the folder that is read. A line break at the begin of `lines` is none, so that raw texts can begin
/// on a line of their own: the first line after it is line 1.
struct LogFile {
    std::string path;
    std::string lines;
};

constexpr std::string_view host_log = "debug/plog/plog-7100_20260304100000000.log";

/// locate() in these logs, for an overflow at that time. The test fails if the logs cannot be read. It also fails
/// if reading for this record only, or from a saved map, gives another answer.
Location located(const std::vector<LogFile>& files, const RecordIds& ids, std::int64_t milliseconds);
/// The same for one host log.
Location located(std::string_view lines, const RecordIds& ids, std::int64_t milliseconds);

/// The lines that prove an answer, as "plog-7100:3 plog-7100:8", by file and number; "none" without an answer. A file
/// is called by its name up to the first '_' or '.'.
std::string operator_lines(const Location& location);
std::string model_lines(const Location& location);

}  // namespace opdebug::test
