#include "system/left_to_the_system.hpp"

namespace opdebug::tool {
namespace {

// Volatile: compilers take away what is only written, and the object then looks lost.
const void* volatile kept = nullptr;

}  // namespace

void remember_for_ever(const void* object) noexcept {
    kept = object;
}

}  // namespace opdebug::tool
