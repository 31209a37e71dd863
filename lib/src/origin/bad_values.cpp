#include "origin/bad_values.hpp"

#include <variant>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "tensor/number.hpp"

namespace opdebug::origin_stage {

using tensor_stage::ElementType;
using tensor_stage::Encoding;

namespace {

bool is_integer(const ElementType& type) noexcept {
    return type.encoding == Encoding::boolean || type.encoding == Encoding::signed_integer ||
           type.encoding == Encoding::unsigned_integer;
}

/// The largest finite number of HiFloat8. Source: arXiv 2409.16626.
constexpr double kHifloat8Limit = 32768;

std::string limit_of(const ElementType& type) {
    switch (type.encoding) {
        case Encoding::floating:
        case Encoding::complex: return fmt::format("limit {}", largest_finite(type.form));
        case Encoding::hifloat8: return fmt::format("limit {}", kHifloat8Limit);
        default: return "limits";
    }
}

/// Whether one of the values at the limit of a floating-point type is positive: then the largest finite value is one.
bool at_positive_limit(const TensorStatistics& statistics, const ElementType& type) {
    const double* const max = statistics.max ? std::get_if<double>(&*statistics.max) : nullptr;
    if (statistics.saturated == 0 || max == nullptr) {
        return false;
    }
    switch (type.encoding) {
        case Encoding::floating:
        case Encoding::complex: return *max >= largest_finite(type.form);
        case Encoding::hifloat8: return *max >= kHifloat8Limit;
        default: return true;  // e8m0 has no negative numbers
    }
}

}  // namespace

std::string list_of(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}

bool counts(TensorKind kind, const ElementType& type) noexcept {
    return !is_integer(type) || (kind == TensorKind::output && type.bits > 8);
}

std::optional<BadValues> bad_values_of(const DumpedTensor& tensor, const ElementType& type) {
    if (!tensor.statistics) {
        return std::nullopt;
    }
    const TensorStatistics& statistics = *tensor.statistics;
    std::vector<std::string> parts;
    if (statistics.nan > 0) {
        parts.push_back(fmt::format("{} NaN", statistics.nan));
    }
    if (statistics.pos_inf + statistics.neg_inf > 0) {
        parts.push_back(fmt::format("{} Inf", statistics.pos_inf + statistics.neg_inf));
    }
    if (statistics.saturated > 0) {
        parts.push_back(fmt::format("{} {} at {}'s {}", statistics.saturated,
                                    statistics.saturated == 1 ? "value" : "values", type.name, limit_of(type)));
    }
    if (parts.empty()) {
        return std::nullopt;
    }
    BadValues bad;
    bad.sentence = fmt::format("{} {} holds {}{} of {}", to_string(tensor.kind), tensor.index, list_of(parts),
                               statistics.saturated > 0 ? "," : "", bytes::counted(tensor.elements, "value"));
    bad.integers = is_integer(type);
    bad.positive = statistics.nan > 0 || statistics.pos_inf > 0 || at_positive_limit(statistics, type);
    bad.mask_possible = !bad.integers && !bad.positive;
    return bad;
}

}  // namespace opdebug::origin_stage
