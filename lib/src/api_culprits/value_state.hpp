// The state of a value by its statistics: NaN, infinity, the limit of its type, or clean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_culprits {

/// The largest finite magnitude of a floating-point type, which saturating arithmetic returns instead of infinity.
/// Empty for types without it and unknown types.
std::optional<double> limit_of(std::string_view dtype);

/// Whether two numbers of a dump are equal. `rounded`: they have six digits.
bool are_equal(double number, double other, bool rounded);

/// Decides by maximum, minimum and counts. Norm and mean are no evidence, because they overflow in low precision.
/// Integers and tensors without elements are clean. `rounded`: numbers have six digits.
ApiState state_of(const ApiValue& value, bool rounded);

/// Sets `states` to those of the values of a call. An 8-bit value at its limit counts only as the result of a call with
/// smaller 8-bit inputs: quantisation scales to the limit.
void set_states(const ApiEntry& call, bool rounded, std::vector<ApiState>& states);

/// Whether the state is `limit` or worse.
inline bool is_bad(ApiState state) {
    return state >= ApiState::limit;
}

inline bool is_clean(ApiState state) {
    return state == ApiState::clean || state == ApiState::near_limit;
}

/// Whether only negative infinity or the negative limit is visible, which masks contain on purpose.
bool only_negative_is_bad(const ApiValue& value, bool rounded);

/// Whether a value can be bad: a floating-point tensor with elements.
bool has_elements(const ApiValue& value);

/// "Max inf", "Max nan, Min nan", "Max 65504, the limit of float16", "3 NaN of the count".
LocalizedText words_of(const ApiValue& value, bool rounded);

/// The value's name in messages: "output[0]", "input[1][0]", "kwargs[mask]".
std::string name_of(const ApiValue& value);
std::string name_of(ApiValueKind kind, std::string_view index);

/// Equal for values with equal shape and statistics.
std::uint64_t fingerprint_of(const ApiValue& value);
/// The same without the shape, because views change it.
std::uint64_t statistics_fingerprint_of(const ApiValue& value);

}  // namespace opdebug::api_culprits
