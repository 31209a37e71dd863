// What the statistics of a value show: NaN, infinity, the limit of its type, or nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>

namespace opdebug::api_culprits {

/// The largest finite magnitude of a floating-point type, which saturating arithmetic gives in place of infinity;
/// nothing for types that have none or are not known.
std::optional<double> limit_of(std::string_view dtype);

/// Whether two numbers of a dump are the same. `rounded`: they were written with six digits.
bool are_equal(double number, double other, bool rounded);

/// By maximum, minimum and counts; norm and mean overflow by themselves in low precision and prove nothing. Integers
/// are clean, tensors without elements too. `rounded`: the numbers were written with six digits.
ApiState state_of(const ApiValue& value, bool rounded);

/// From `limit` on.
inline bool is_bad(ApiState state) {
    return state >= ApiState::limit;
}

inline bool is_clean(ApiState state) {
    return state == ApiState::clean || state == ApiState::near_limit;
}

/// Whether only negative infinity, or the negative limit, is to be seen: what masks hold on purpose.
bool only_negative_is_bad(const ApiValue& value, bool rounded);

/// Whether a value could be bad at all: a floating-point tensor that has elements.
bool has_elements(const ApiValue& value);

/// "Max inf", "Max nan, Min nan", "Max 65504, the limit of float16", "3 NaN of the count".
std::string words_of(const ApiValue& value, bool rounded);

/// The value's name in sentences: "output[0]", "input[1][0]", "kwargs[mask]".
std::string name_of(const ApiValue& value);
std::string name_of(ApiValueKind kind, std::string_view index);

/// A number that is the same for values of the same shape and statistics.
std::uint64_t fingerprint_of(const ApiValue& value);
/// The same without the shape, which a view changes.
std::uint64_t statistics_fingerprint_of(const ApiValue& value);

}  // namespace opdebug::api_culprits
