#include "tensor/byte_counts.hpp"

#include <cstring>
#include <numeric>

#include "tensor/ask_ahead.hpp"

namespace opdebug::tensor_stage {

void ByteCounts::add(Bytes bytes) noexcept {
    std::size_t place = 0;
    for (; place + kWays <= bytes.size(); place += kWays) {
        ask_ahead(bytes.data() + place);
        std::uint64_t word = 0;
        static_assert(sizeof word == kWays);
        std::memcpy(&word, bytes.data() + place, sizeof word);
        for (std::size_t way = 0; way < kWays; ++way, word >>= 8U) {
            ++counts_[word & 0xFFU][way];
        }
    }
    for (; place < bytes.size(); ++place) {
        ++counts_[bytes[place]][0];
    }
}

std::uint64_t ByteCounts::of(std::uint8_t byte) const noexcept {
    const auto& counts = counts_[byte];
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace opdebug::tensor_stage
