// Dumps that come while they are watched.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/watch.hpp>

#include "dump_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {

inline Buffer overflowed(std::uint64_t status = 32) {
    return build_v2(overflow_dump(build_payload(ai_core_example(status)), Era::now));
}

inline std::string dump_below(const TemporaryDirectory& directory, int rank, int task) {
    return directory / ("rank_" + std::to_string(rank) + "/Net/0/3/Opdebug.Node_OpDebug." + std::to_string(task) +
                        ".563.1772618405000000");
}

/// Looks until so many dumps came, for at most ten seconds.
inline std::vector<WatchedDump> look_until(DumpWatch& watch, std::size_t count) {
    std::vector<WatchedDump> dumps;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (dumps.size() < count && std::chrono::steady_clock::now() < deadline) {
        watch.look([&dumps](WatchedDump&& dump) { dumps.push_back(std::move(dump)); });
        if (dumps.size() < count) {
            watch.wait(std::chrono::milliseconds(100));
        }
    }
    return dumps;
}

inline WatchOptions quick(bool poll) {
    WatchOptions options;
    options.poll = poll;
    options.poll_interval = std::chrono::milliseconds(20);
    options.quiet = std::chrono::milliseconds(100);
    options.op_dump_wait = std::chrono::milliseconds(0);
    return options;
}

}  // namespace opdebug::test
