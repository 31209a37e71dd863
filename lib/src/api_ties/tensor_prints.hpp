// Types and shapes of tensors as numbers, to find those that are equal.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/api_ties.hpp>

namespace opdebug::api_ties {

constexpr std::uint64_t kAnyTensors = 0;  ///< nothing is known of the operator's tensors
constexpr std::uint64_t kNoValues = 1;    ///< a finding without bad values: its tensors are not known

/// Of the tensors of the operator's dump; empty: there is none.
std::vector<std::uint64_t> prints_of(const KernelOverflow& overflow);

/// kAnyTensors, and those of the bad values, or kNoValues where no tensor is bad.
std::vector<std::uint64_t> prints_of(const ApiFinding& finding);

/// Whether tensors of the two can be compared. A finding without bad values is not held to it.
bool has_tensors(const KernelOverflow& overflow, const ApiFinding& finding);

/// Whether one of the operator's tensors can be that of a bad value of the call.
bool has_equal_tensors(const KernelOverflow& overflow, const ApiFinding& finding);

}  // namespace opdebug::api_ties
