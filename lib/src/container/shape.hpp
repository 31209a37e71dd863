// The shape of a tensor: how many elements it promises, and its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opdebug::container {

/// Whether a dimension is -1 or -2, stored without a sign: not known when the operator was built (-2: nor is the number
/// of dimensions). Source: GE, UNKNOWN_DIM and UNKNOWN_DIM_NUM.
bool is_unknown(std::uint64_t dimension) noexcept;

/// The product of the dimensions: 1 without any, 0 when one is 0. Nothing when one is above 2^63 - 1, as unknown ones
/// are, or the product does not fit 64 bits.
std::optional<std::uint64_t> elements_of_shape(const std::vector<std::uint64_t>& dims) noexcept;

/// "(1, 8)", "(8,)" and "()", as Python writes shapes; unknown dimensions as -1 and -2.
std::string python_shape(const std::vector<std::uint64_t>& dims);

}  // namespace opdebug::container
