// Tells want of memory, and data that ask for much, from damaged data: Boost.Iostreams throws the same for all.
#pragma once

#include <new>

#include <boost/iostreams/filter/zstd.hpp>

namespace opdebug::logs {

/// Throws std::bad_alloc when that is what the error stands for. A code of Zstandard is the negative of a number that
/// zstd_errors.h fixes for good; 64 is ZSTD_error_memory_allocation.
inline void throw_if_out_of_memory(const boost::iostreams::zstd_error& error) {
    constexpr int kMemoryAllocation = -64;
    if (error.error() == kMemoryAllocation) {
        throw std::bad_alloc();
    }
}

/// Whether the data are to be unpacked with more than the 128 MiB that Zstandard takes without being told to; 16 is
/// ZSTD_error_frameParameter_windowTooLarge. Sound data can be so (zstd --ultra -22 --long=31).
inline bool has_wide_window(const boost::iostreams::zstd_error& error) noexcept {
    constexpr int kWindowTooLarge = -16;
    return error.error() == kWindowTooLarge;
}

}  // namespace opdebug::logs
