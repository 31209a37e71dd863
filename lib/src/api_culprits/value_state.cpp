#include "api_culprits/value_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "bytes/hash_factors.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

/// Types by their names in dumps. Sources: IEEE 754 (binary16, 32, 64); bfloat16: binary32's exponent with 7 bits of
/// mantissa; OCP 8-bit Floating Point Specification 1.0; fnuz: arXiv 2206.02915; HiFloat8: arXiv 2409.16626 (that this
/// name means this type is inferred).
struct TypeLimit {
    std::string_view dtype;
    double limit;
    bool is_scaled_to = false;  ///< quantisation scales the largest value to the limit
};
constexpr TypeLimit kLimits[] = {{"float16", 65504.0},
                                 {"bfloat16", 3.3895313892515355e+38},
                                 {"float32", 3.4028234663852886e+38},
                                 {"float64", 1.7976931348623157e+308},
                                 {"float8_e4m3fn", 448.0, true},
                                 {"float8_e5m2", 57344.0, true},
                                 {"float8_e4m3fnuz", 240.0, true},
                                 {"float8_e5m2fnuz", 57344.0, true},
                                 {"HiFloat8Tensor", 32768.0, true},
                                 {"hifloat8", 32768.0, true}};
constexpr double kSmallestLimit = 240.0;
constexpr double kHalfOfFloat16 = 65504.0 / 2;

/// Relative precision of a number with six digits.
constexpr double kRoundedTolerance = 1e-5;

constexpr std::string_view kWholeNumbers[] = {"int", "uint", "bool", "qint", "quint",
                                              "Int", "UInt", "Bool", "str",  "slice"};

bool is_whole(std::string_view dtype) {
    return !dtype.empty() &&
           std::any_of(std::begin(kWholeNumbers), std::end(kWholeNumbers), [dtype](std::string_view prefix) {
               return dtype.front() == prefix.front() && dtype.starts_with(prefix);
           });
}

/// Null: no such limit is known.
const TypeLimit* type_limit(std::string_view dtype) {
    const auto* const known = std::find_if(std::begin(kLimits), std::end(kLimits),
                                           [dtype](const TypeLimit& type) { return type.dtype == dtype; });
    return known == std::end(kLimits) ? nullptr : known;
}

bool reaches(double magnitude, double limit, bool rounded) {
    return are_equal(magnitude, limit, rounded);
}

struct Extremes {
    double max = 0, min = 0;
    bool known = false;
};

/// Minimum and maximum; a missing one counts as harmless.
Extremes extremes_of(const ApiValue& value) {
    if (!value.max && !value.min) {
        return {};
    }
    return {value.max.value_or(*(value.max ? value.max : value.min)),
            value.min.value_or(*(value.min ? value.min : value.max)), true};
}

/// The state by count columns. Empty if there are none, or if they count no bad value.
std::optional<ApiState> counted_state(const ApiValue& value) {
    if (value.nan.value_or(0) > 0) {
        return ApiState::nan;
    }
    if (value.pos_inf.value_or(0) + value.neg_inf.value_or(0) > 0) {
        return ApiState::inf;
    }
    return std::nullopt;
}

ApiState state_of_finite(double magnitude, const ApiValue& value, bool rounded) {
    if (magnitude < kSmallestLimit * (1 - kRoundedTolerance) || value.is_scalar) {
        return ApiState::clean;
    }
    const TypeLimit* const type = type_limit(value.dtype);
    if (type != nullptr && reaches(magnitude, type->limit, rounded)) {
        return ApiState::limit;
    }
    return magnitude > kHalfOfFloat16 && value.dtype == "float16" ? ApiState::near_limit : ApiState::clean;
}

bool is_scaled(const ApiValue& value) {
    const TypeLimit* const type = type_limit(value.dtype);
    return type != nullptr && type->is_scaled_to;
}

std::uint64_t bits_of(const std::optional<double>& number) {
    if (!number) {
        return 1;
    }
    if (std::isnan(*number)) {
        return 2;  // all NaN are equal
    }
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof *number);
    std::memcpy(&bits, &*number, sizeof bits);
    return bits;
}

LocalizedText number_text(double number, const ApiValue& value, bool rounded) {
    const std::optional<double> limit = limit_of(value.dtype);
    if (limit && reaches(std::fabs(number), *limit, rounded)) {
        return remarks::phrase("reason.at_limit", {{"number", number}, {"type", value.dtype}});
    }
    const std::string text = std::isnan(number) ? "nan" : fmt::to_string(number);
    return {text, text};
}

}  // namespace

bool are_equal(double number, double other, bool rounded) {
    const bool is_near = rounded && std::isfinite(number) && std::isfinite(other) &&
                         std::fabs(number - other) < std::fabs(other) * kRoundedTolerance;
    return number == other || is_near;
}

std::optional<double> limit_of(std::string_view dtype) {
    const TypeLimit* const type = type_limit(dtype);
    return type == nullptr ? std::nullopt : std::optional(type->limit);
}

bool has_elements(const ApiValue& value) {
    return !value.is_scalar && !is_whole(value.dtype) &&
           std::find(value.shape.begin(), value.shape.end(), 0U) == value.shape.end();
}

ApiState state_of(const ApiValue& value, bool rounded) {
    const Extremes extremes = extremes_of(value);
    const double magnitude = std::max(std::fabs(extremes.max), std::fabs(extremes.min));
    const bool has_counts = value.nan || value.pos_inf || value.neg_inf;
    const bool finite = std::isfinite(extremes.max) && std::isfinite(extremes.min);
    if (extremes.known && finite && !has_counts) {  // most values
        return magnitude >= kSmallestLimit / 2 && !value.is_scalar && has_elements(value)
                   ? state_of_finite(magnitude, value, rounded)
                   : ApiState::clean;
    }
    if (is_whole(value.dtype) || (!value.is_scalar && !has_elements(value))) {
        return ApiState::clean;
    }
    if (const auto counted = counted_state(value)) {
        return *counted;
    }
    if (!extremes.known) {
        // Counts of all kinds without a bad value are as good as an extreme.
        return has_counts && value.nan && (value.pos_inf || value.neg_inf) ? ApiState::clean : ApiState::unknown;
    }
    const bool any_nan = std::isnan(extremes.max) || std::isnan(extremes.min);
    if (any_nan && !value.nan) {
        return ApiState::nan;
    }
    if (!any_nan && !finite && !(value.pos_inf && value.neg_inf)) {
        return ApiState::inf;
    }
    return finite ? state_of_finite(magnitude, value, rounded) : ApiState::clean;
}

namespace {

/// Whether the call casts a number above the limit to this type: casts do not scale, as quantisers do.
bool is_cast_above_limit(const ApiEntry& call, const ApiValue& result) {
    constexpr std::string_view kCasts[] = {"Tensor.to", "Tensor.type", "Tensor.type_as"};
    const std::optional<double> limit = limit_of(result.dtype);
    const bool is_cast = std::find(std::begin(kCasts), std::end(kCasts), call.api) != std::end(kCasts);
    return is_cast && limit && std::any_of(call.values.begin(), call.values.end(), [&limit](const ApiValue& value) {
               return value.kind != ApiValueKind::output && !value.is_scalar &&
                      (std::fabs(value.max.value_or(0)) > *limit || std::fabs(value.min.value_or(0)) > *limit);
           });
}

}  // namespace

void set_states(const ApiEntry& call, bool rounded, std::vector<ApiState>& states) {
    states.clear();
    bool computes = false, passes_on = false;  // with 8-bit values
    for (const ApiValue& value : call.values) {
        states.push_back(state_of(value, rounded));
        if (value.kind != ApiValueKind::output && is_scaled(value)) {
            computes = true;
            passes_on = passes_on || states.back() == ApiState::limit;
        }
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        const ApiValue& value = call.values[i];
        const bool is_computed =
            value.kind == ApiValueKind::output && ((computes && !passes_on) || is_cast_above_limit(call, value));
        if (states[i] == ApiState::limit && is_scaled(value) && !is_computed) {
            states[i] = ApiState::near_limit;
        }
    }
}

bool only_negative_is_bad(const ApiValue& value, bool rounded) {
    const ApiState state = state_of(value, rounded);
    if (!is_bad(state) || state == ApiState::nan || value.pos_inf.value_or(0) > 0) {
        return false;
    }
    const Extremes extremes = extremes_of(value);
    if (!extremes.known || std::isnan(extremes.max)) {
        return value.neg_inf.value_or(0) > 0;
    }
    const std::optional<double> limit = limit_of(value.dtype);
    const bool positive = extremes.max > 0 && (std::isinf(extremes.max) ||
                                               (limit && !value.is_scalar && reaches(extremes.max, *limit, rounded)));
    return !positive;
}

LocalizedText words_of(const ApiValue& value, bool rounded) {
    if (value.is_scalar) {
        return remarks::phrase("reason.value_is", {{"number", value.max ? number_text(*value.max, value, rounded)
                                                                        : remarks::phrase("reason.unknown_number")}});
    }
    std::string counted;
    for (const auto& [count, name] :
         {std::pair(value.nan, "NaN"), std::pair(value.pos_inf, "+Inf"), std::pair(value.neg_inf, "-Inf")}) {
        if (count.value_or(0) > 0) {
            counted += fmt::format("{}{} {}", counted.empty() ? "" : ", ", *count, name);
        }
    }
    if (!counted.empty()) {
        return remarks::phrase("reason.value_holds", {{"counts", counted}});
    }
    const auto shows = [&](const std::optional<double>& number) {
        const std::optional<double> limit = limit_of(value.dtype);
        return number && (!std::isfinite(*number) || (limit && reaches(std::fabs(*number), *limit, rounded)));
    };
    const bool by_max = shows(value.max);
    const std::optional<double>& shown = by_max ? value.max : value.min;
    return shown ? remarks::phrase(by_max ? "reason.max" : "reason.min",
                                   {{"number", number_text(*shown, value, rounded)}})
                 : remarks::phrase("reason.value_unknown");
}

std::string name_of(ApiValueKind kind, std::string_view index) {
    std::string name(to_string(kind));
    std::size_t begin = 0;
    while (!index.empty() && begin <= index.size()) {
        const std::size_t end = std::min(index.find('.', begin), index.size());
        name += fmt::format("[{}]", index.substr(begin, end - begin));
        begin = end + 1;
    }
    return name;
}

std::string name_of(const ApiValue& value) {
    return name_of(value.kind, value.index);
}

std::uint64_t statistics_fingerprint_of(const ApiValue& value) {
    std::uint64_t hash = 17;
    bytes::mix(bits_of(value.max), hash);
    bytes::mix(bits_of(value.min), hash);
    bytes::mix(bits_of(value.norm), hash);
    return hash;
}

std::uint64_t fingerprint_of(const ApiValue& value) {
    std::uint64_t hash = statistics_fingerprint_of(value);
    for (const std::uint64_t dimension : value.shape) {
        bytes::mix(dimension + 3, hash);
    }
    return hash;
}

}  // namespace opdebug::api_culprits
