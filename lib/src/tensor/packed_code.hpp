// Elements of less than 8 bits.
//
// Inferred: they lie one behind the other, the first in the lowest bits of the first byte. No document of the dump says
// so; the sizes of GE (bits of all elements, rounded up to bytes) and the order in the other packed tensors of the
// field (ONNX, NumPy's ml_dtypes) do.
#pragma once

#include <cstdint>

#include <opdebug/bytes.hpp>

namespace opdebug::tensor_stage {

/// The element at `index`, right-aligned. It must lie in `bytes`; `bits` is 1 to 8.
inline std::uint8_t packed_code(Bytes bytes, std::uint64_t index, unsigned bits) noexcept {
    const std::uint64_t first_bit = index * bits;
    const auto byte = static_cast<std::size_t>(first_bit / 8);
    unsigned window = bytes[byte];
    if (byte + 1 < bytes.size()) {
        window |= static_cast<unsigned>(bytes[byte + 1]) << 8U;
    }
    return static_cast<std::uint8_t>(window >> first_bit % 8 & ((1U << bits) - 1));
}

}  // namespace opdebug::tensor_stage
