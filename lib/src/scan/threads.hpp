// How many threads a scan starts.
#pragma once

#include <algorithm>
#include <thread>

#include <opdebug/scan.hpp>

#include "bytes/free_descriptors.hpp"

namespace opdebug::scan_stage {

/// As many as the options wish, or as the machine runs at once, where each can open files.
inline unsigned threads_of(const ScanOptions& options) {
    constexpr unsigned kMostThreads = 1024;
    const unsigned threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
    return bytes::threads_with_files(std::clamp(threads, 1U, kMostThreads));
}

}  // namespace opdebug::scan_stage
