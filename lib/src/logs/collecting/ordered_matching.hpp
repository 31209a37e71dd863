// Matched steps of reading, taken in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/logs.hpp>

#include "logs/collecting/builder.hpp"
#include "logs/files/reading_watch.hpp"
#include "logs/matching/matching_threads.hpp"
#include "logs/recording/line_recorder.hpp"

namespace opdebug::logs {

/// Feeds a builder, and counts files, lines and failures. The watch is asked before each step is taken, not before it
/// is read: what is taken does not hang on how far ahead the threads have read.
class OrderedMatching {
public:
    /// `recorder`: takes what the builder takes; may be null.
    OrderedMatching(TaskMapBuilder& builder, LineRecorder* recorder, ReadingWatch& watch, ReadLogs& result)
        : builder_(builder), recorder_(recorder), watch_(watch), result_(result) {}

    /// False where reading was stopped: nothing of the step counts, and nothing after it.
    bool take(MatchedStep& matched);
    /// Behind the last step.
    void finish() { end_file(); }

    /// Files that hold lines, but no log line, in their order; complete after finish().
    const std::vector<std::string>& files_without_log_lines() const noexcept { return without_log_lines_; }

private:
    void begin_file(const std::string& path);
    void end_file();
    void add(const LogStep& step, MatchedLines& lines);

    TaskMapBuilder& builder_;
    LineRecorder* recorder_;
    ReadingWatch& watch_;
    ReadLogs& result_;
    bool has_failed_ = false;  ///< the file that was opened last
    bool is_begun_ = false;    ///< it counts: its first line was there before any damage, or it has none
    std::string file_;         ///< the last that counts
    std::uint64_t lines_of_file_ = 0;
    bool has_log_lines_ = true;
    std::vector<std::string> without_log_lines_;
};

}  // namespace opdebug::logs
