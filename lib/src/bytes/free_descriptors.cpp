#include "bytes/free_descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>

namespace opdebug::bytes {

/// Those in use are asked for one by one, for no number tells how many there are: 60 ns each.
std::size_t free_descriptors(std::size_t enough) noexcept {
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    std::size_t free = 0;
    for (int number = 0; free < enough && static_cast<rlim_t>(number) < limit.rlim_cur; ++number) {
        free += ::fcntl(number, F_GETFD) < 0 ? 1U : 0U;
    }
    return free;
}

unsigned threads_with_files(unsigned threads) noexcept {
    constexpr std::size_t kForReport = 4;
    const std::size_t free = free_descriptors(kForReport + threads);
    return free <= kForReport ? 1U : static_cast<unsigned>(std::clamp<std::size_t>(free - kForReport, 1, threads));
}

std::size_t folders_to_keep_open(unsigned threads) noexcept {
    constexpr std::size_t kEnough = 16;
    constexpr std::size_t kForOthers = 32;  // what else the process opens meanwhile
    const std::size_t taken = kForOthers + threads;
    const std::size_t free = free_descriptors(taken + 2 * kEnough);
    return free <= taken ? 0 : std::min((free - taken) / 2, kEnough);
}

}  // namespace opdebug::bytes
