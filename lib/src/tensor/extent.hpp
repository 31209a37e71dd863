// How many elements of a tensor there are to measure: by its shape, by its declared size and by the end of the file,
// which need not agree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/result.hpp>

#include "container/container.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

struct Extent {
    std::uint64_t elements = 0;  ///< wholly there
    std::uint64_t size = 0;      ///< bytes of the tensor that are there
    unsigned bits_apart = 0;  ///< from one element to the next: type.bits, or 8 where small elements have a byte each
    std::vector<Diagnostic> diagnostics;
};

/// "input 0".
std::string name_of(const container::Tensor& tensor);

/// Bytes of the tensor that lie in a file of that size.
std::uint64_t bytes_there(const container::Tensor& tensor, std::uint64_t file_size) noexcept;

/// The smallest of the three counts, with a diagnostic where they differ. `type` must have numbers.
Extent extent_of(const container::Tensor& tensor, const ElementType& type, std::uint64_t file_size);

/// Bytes that `elements` elements take; they must be known to fit in memory or in a file.
std::uint64_t bytes_of_elements(std::uint64_t elements, unsigned bits_apart) noexcept;

}  // namespace opdebug::tensor_stage
