#include "system/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace opdebug::tool {

// open() gives the lowest number that is free, so the three are filled in their order.
void open_standard_streams() noexcept {
    constexpr const char* kNothing = "/dev/null";
    if (::fcntl(STDIN_FILENO, F_GETFD) < 0) {
        (void)!::open(kNothing, O_WRONLY);
    }
    if (::fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        (void)!::open(kNothing, O_RDONLY);
    }
    if (::fcntl(STDERR_FILENO, F_GETFD) < 0) {
        (void)!::open(kNothing, O_WRONLY);
    }
}

}  // namespace opdebug::tool
