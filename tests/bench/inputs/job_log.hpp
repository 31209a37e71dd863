// The job's log: all processes in one file, as a job writes it to its standard output.
#pragma once

#include <cstdint>
#include <ostream>

namespace opdebug::bench {

/// docs/internals/performance.md states where the shares come from.
struct LogShape {
    std::uint64_t bytes = 0;              ///< about so many, the last line is whole
    std::uint64_t overflows = 2'000;      ///< the log's time ends after them
    std::uint64_t launches_in_1000 = 60;  ///< launch lines; each comes with one to three lines of the same task
};

void write_job_log(const LogShape& shape, std::ostream& out);

}  // namespace opdebug::bench
