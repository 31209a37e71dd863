// Number of files that may be open at once: the system limits the descriptors of a process.
#pragma once

#include <cstddef>

namespace opdebug::bytes {

/// Number of files that this process can still open, counted up to `enough`.
std::size_t free_descriptors(std::size_t enough) noexcept;

/// How many of `threads` may each open one file, with some descriptors left for the report; at least 1. More threads
/// would fail to open files, or would treat them as missing.
unsigned threads_with_files(unsigned threads) noexcept;

}  // namespace opdebug::bytes
