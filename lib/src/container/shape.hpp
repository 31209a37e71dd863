// The shape of a tensor: number of elements, and text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opdebug::container {

/// Whether a dimension is -1 or -2, stored as unsigned. -1: unknown when the operator was built. -2: the number of
/// dimensions is unknown too. Source: GE, UNKNOWN_DIM and UNKNOWN_DIM_NUM.
bool is_unknown(std::uint64_t dimension) noexcept;

/// The product of the dimensions: 1 without dimensions, 0 if one is 0. Empty if a dimension exceeds 2^63 - 1 (as
/// unknown ones do), or if the product exceeds 64 bits.
std::optional<std::uint64_t> elements_of_shape(const std::vector<std::uint64_t>& dims) noexcept;

/// "(1, 8)", "(8,)" and "()", as Python writes shapes; unknown dimensions as -1 and -2.
std::string python_shape(const std::vector<std::uint64_t>& dims);

}  // namespace opdebug::container
