// Objects that the end of the process takes down: the system takes its memory back as a whole.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

namespace opdebug::tool {

/// Keeps a pointer to what is never given back where checkers of leaks find it. Null is nothing.
void remember_for_ever(const void* object) noexcept;

/// Leaves what took long to be given back piece by piece: 20,000 dumps took one thread 18 ms, a map of tasks a seventh
/// of the time of indexing. To be called once, right before the process ends. Where there is no memory for the few
/// bytes that this needs, the object is taken down as any other: the result is written, and nothing may fail any more.
template <class T>
void leave_to_the_system(T&& object) noexcept {
    static_assert(!std::is_reference_v<T> && std::is_nothrow_move_constructible_v<T>);
    remember_for_ever(new (std::nothrow) T(std::forward<T>(object)));
}

}  // namespace opdebug::tool
