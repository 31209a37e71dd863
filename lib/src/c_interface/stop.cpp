// The function that asks a number of the caller's.
#include "c_interface/stop.hpp"

int opdebug_stop_when_set(void* flag) {
    // Whoever sets it writes a plain int, so it is no std::atomic<int>.
    return flag != nullptr && __atomic_load_n(static_cast<const int*>(flag), __ATOMIC_ACQUIRE) != 0 ? 1 : 0;
}
