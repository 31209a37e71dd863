// Elements in the form that a .npy file holds: as they are, or in the next wider type that NumPy has.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/bytes.hpp>

#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

/// The first `elements` elements of `bytes` as `type.npy` says: a view of `bytes`, or of `buffer`, which is then
/// overwritten.
Bytes widen(Bytes bytes, std::uint64_t elements, const ElementType& type, unsigned bits_apart,
            std::vector<std::uint8_t>& buffer);

}  // namespace opdebug::tensor_stage
