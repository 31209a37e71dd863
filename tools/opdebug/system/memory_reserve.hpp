// What the program does when the system gives it no more memory: it says so and ends with exit status 1.
#pragma once

namespace opdebug::tool {

/// Sets memory aside that is given back when an allocation fails for the first time: what is taken down on the way out
/// needs a little. Where that is not enough either, the program still says why it ends.
void keep_memory_in_reserve();

/// Where the address space is limited (ulimit -v), threads share heaps. glibc gives each thread one of its own, of 64
/// MiB of address space whatever is used of it, so that a larger limit could fail where a smaller one did: there the
/// heaps did not fit and were shared. A scan of 2,000 dumps with 8 threads failed at 256 and 384 MiB, and now needs
/// 144.
void share_heaps_where_space_is_limited();

/// The number of threads, 0 for as many as the machine runs at once; fewer where the address space is limited and would
/// not hold their stacks beside what each needs.
unsigned threads_that_fit(unsigned wanted);

/// Says that there is not enough memory; needs none.
void say_memory_is_short() noexcept;

}  // namespace opdebug::tool
