// Tells want of memory from damaged data: Boost.Iostreams throws the same for both.
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

}  // namespace opdebug::logs
