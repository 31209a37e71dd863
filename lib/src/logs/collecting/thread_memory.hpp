// What the lines of a thread leave for its later lines: statements that two lines make together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/formats/format_file.hpp"

namespace opdebug::logs {

/// The memories of the threads of one process: for each thread one line under each name, so the size does not grow
/// with the log.
class ThreadMemory {
public:
    /// Adds to the fact of a line what it lacks and its thread remembers under the names in `completed_by`. A
    /// remembered line is passed over when both tell the same member differently, when it is later than this line (a
    /// file that was read before may cover a later time), or when it has nothing to add.
    void complete(const FormatDefinition& format, StoredFact& stored);

    /// Whether anything was remembered of the thread.
    bool remembers(std::int64_t tid) const noexcept { return of_thread_.count(tid) != 0; }

    /// Whether completing a line of the thread may use up what is remembered, or give the line an address.
    bool gives_more_than_names(const FormatDefinition& format, std::int64_t tid) const;

    /// Remembers or forgets what the format says; `stored` as the line states it, before anything was added.
    void learn(const FormatDefinition& format, const StoredFact& stored);

private:
    struct Entry {
        std::string name;
        StoredFact line;
        bool once = false;
    };
    std::map<std::int64_t, std::vector<Entry>> of_thread_;
};

}  // namespace opdebug::logs
