// How often each byte occurs.
#pragma once

#include <array>
#include <cstdint>

#include <opdebug/bytes.hpp>

namespace opdebug::tensor_stage {

class ByteCounts {
public:
    void add(Bytes bytes) noexcept;

    std::uint64_t of(std::uint8_t byte) const noexcept;

private:
    /// Neighbours are counted apart: the same byte again would wait until its count is written, and masks and tensors
    /// with many zeros are nothing else.
    static constexpr std::size_t kWays = 8;
    std::array<std::array<std::uint64_t, kWays>, 256> counts_{};
};

}  // namespace opdebug::tensor_stage
