// The limits of what a header may declare, as errors: the same for all forms.
#pragma once

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "bytes/passed_limit.hpp"

namespace opdebug::container {

/// `what`: "inputs". `offset`: of the first that is too many.
inline Error too_many_tensors(std::string_view what, const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::too_many_tensors,
                              fmt::format("the header declares more than {} {}", limits.tensors, what), limits,
                              &Limits::tensors, offset);
}

inline Error too_many_dimensions(const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::too_many_dimensions,
                              fmt::format("the header declares a shape of more than {} dimensions", limits.dimensions),
                              limits, &Limits::dimensions, offset);
}

inline Error name_too_long(std::uint64_t size, const Limits& limits, std::uint64_t offset) {
    return bytes::limit_error(ErrorCode::name_too_long, fmt::format("the header holds a name of {} bytes", size),
                              limits, &Limits::name_bytes, offset);
}

}  // namespace opdebug::container
