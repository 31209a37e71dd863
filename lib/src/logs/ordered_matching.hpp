// Parts of logs matched at the same time and taken in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/limits.hpp>

#include "logs/builder.hpp"
#include "logs/formats.hpp"
#include "logs/log_parts.hpp"
#include "logs/matched_lines.hpp"
#include "logs/matching_threads.hpp"

namespace opdebug::logs {

/// Feeds a builder. At most one more part than `threads` is in memory beside the one that is being read. `threads`:
/// with the caller's own, which does all of the work where the machine has no further one. `formats` must outlive this.
class OrderedMatching {
public:
    OrderedMatching(TaskMapBuilder& builder, const LogFormats& formats, unsigned threads,
                    std::uint64_t line_bytes = Limits().line_bytes)
        : builder_(builder), threads_(threads), matching_(formats, line_bytes, builder.wanted(), threads) {}

    void begin_file(const std::string& path);
    void add(LogPart part);
    /// Waits for what is still being matched.
    void finish();
    /// How many lines were matched; complete after finish().
    std::uint64_t lines() const noexcept { return lines_; }
    /// Files that hold lines, but no log line, in their order; complete after finish().
    const std::vector<std::string>& files_without_log_lines() const noexcept { return without_log_lines_; }
    /// The memory of a part that is done, or an empty one.
    std::string spare_buffer();

private:
    struct Item {
        std::optional<std::string> file;  ///< a new file begins; else a part
        std::future<MatchedPart> part;
    };
    void take_first();
    MatchedPart wait_for(std::future<MatchedPart> part);
    void end_file();

    TaskMapBuilder& builder_;
    std::size_t threads_;
    MatchingThreads matching_;
    std::deque<Item> waiting_;
    std::vector<std::string> spare_buffers_;
    std::vector<StatingLines> spare_lines_;
    std::uint64_t lines_ = 0;
    std::uint64_t lines_of_file_ = 0;
    std::string file_;  ///< that is being taken
    bool has_log_lines_ = true;
    std::vector<std::string> without_log_lines_;
};

}  // namespace opdebug::logs
