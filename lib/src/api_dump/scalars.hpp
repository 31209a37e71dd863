// Names of element types, and numbers, as the tools write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonScalar;

/// NumPy's name if it has the type: "torch.float16", MindSpore's "Float16" and CANN's "DT_FLOAT16" are "float16".
/// Otherwise "bfloat16", or the tool's own name without its prefix ("torch_npu.HiFloat8Tensor" is "HiFloat8Tensor").
std::string element_name(std::string_view written);

/// A number, or one of the words nan, inf, infinity in any case and with a sign, with optional blanks and tabs around
/// it. An integer beyond the range of double is the largest finite double, not infinity. Empty for other texts.
std::optional<double> number_in(std::string_view text) noexcept;

/// The number of a member, possibly quoted. true and false are 1 and 0.
std::optional<double> number_of(const JsonScalar& member) noexcept;

std::optional<std::int64_t> integer_of(const JsonScalar& member) noexcept;

}  // namespace opdebug::api_dump
