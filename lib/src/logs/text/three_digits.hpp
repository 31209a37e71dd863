// Numbers below a thousand as their digits.
#pragma once

#include <array>
#include <cstddef>

namespace opdebug::logs {

inline constexpr unsigned kThousand = 1000;
using ThreeDigits = std::array<char, 3>;

inline constexpr std::array<ThreeDigits, kThousand> kThreeDigits = [] {
    std::array<ThreeDigits, kThousand> all{};
    for (unsigned number = 0; number < kThousand; ++number) {
        const auto digit = [](unsigned value) { return static_cast<char>('0' + value % 10); };
        all[number] = {digit(number / 100), digit(number / 10), digit(number)};
    }
    return all;
}();

/// With zeros in front. `number`: below kThousand.
inline const ThreeDigits& three_digits(unsigned number) noexcept {
    return kThreeDigits[number];
}

}  // namespace opdebug::logs
