// How many files may be open at once: the system gives a process so many descriptors, and others of it have some.
#pragma once

#include <cstddef>

namespace opdebug::bytes {

/// How many more files this process may open now; counted up to `enough`.
std::size_t free_descriptors(std::size_t enough) noexcept;

/// How many of `threads` may open files, each one at a time, and leave some for the report; at least 1. What a further
/// one could not open would fail, or look as if it were not there.
unsigned threads_with_files(unsigned threads) noexcept;

/// How many folders may stay open while `threads` open files: half of what they leave, at most 16.
std::size_t folders_to_keep_open(unsigned threads) noexcept;

}  // namespace opdebug::bytes
