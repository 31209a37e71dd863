// What the program does when the system gives it no more memory: it says so and ends with exit status 1.
#pragma once

namespace opdebug::tool {

/// Sets memory aside that is given back when an allocation fails for the first time: what is taken down on the way out
/// needs a little. Where that is not enough either, the program still says why it ends.
void keep_memory_in_reserve();

/// Says that there is not enough memory; needs none.
void say_memory_is_short() noexcept;

}  // namespace opdebug::tool
