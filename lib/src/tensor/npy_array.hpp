// The array in a .npy file. Format: NumPy's documentation, numpy.lib.format, versions 1.0 to 3.0.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

struct NpyArray {
    const ElementType* type = nullptr;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t data_begin = 0;  ///< behind the header
};

/// Whether the file begins as NumPy's files do.
Result<bool> begins_as_npy(const bytes::FileReader& file);

/// Reads the header. `dtype`: of the file's name, for elements of a type that NumPy has not ("|V2" of bfloat16); empty:
/// not known. Errors: not_a_dump, header_truncated, header_malformed, header_too_large; invalid_argument for arrays
/// without numbers; those of reading.
Result<NpyArray> read_npy_header(const bytes::FileReader& file, std::string_view dtype, const Limits& limits);

}  // namespace opdebug::tensor_stage
