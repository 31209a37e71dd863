// What is bad in one tensor: NaN, Inf, values at the type's limit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opdebug/tensor.hpp>

#include "tensor/element_type.hpp"

namespace opdebug::origin_stage {

struct BadValues {
    std::string sentence;  ///< "input 0 holds 3 NaN of 1024 values"
    bool integers = false;
    bool positive = false;       ///< NaN, +Inf or the positive limit is among them
    bool mask_possible = false;  ///< all are -Inf or the negative limit of a floating-point type
};

/// Whether bad values of such a tensor say anything. Integer inputs do not, for masks and indices lie at the ends of
/// their range on purpose; neither do integers of 8 bits and less, which quantised data fill to the ends.
bool counts(TensorKind kind, const tensor_stage::ElementType& type) noexcept;

/// Nothing when no value is bad, or the tensor was not measured.
std::optional<BadValues> bad_values_of(const DumpedTensor& tensor, const tensor_stage::ElementType& type);

/// "a, b and c".
std::string list_of(const std::vector<std::string>& parts);

}  // namespace opdebug::origin_stage
