// The document "opdebug.tensor_difference/1".
#include <nlohmann/json.hpp>

#include <opdebug/tensor.hpp>

#include "report/pages/pages.hpp"

namespace opdebug::report {
namespace {

using difference::Difference;
using difference::Lines;
using difference::Measures;
using difference::NamedTensor;
using nlohmann::ordered_json;

template <class T>
ordered_json value_or_null(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

ordered_json tensor_json(const std::optional<NamedTensor>& one) {
    if (!one) {
        return {};
    }
    return {{"file", one->file},
            {"op_name", one->op_name.empty() ? ordered_json() : ordered_json(one->op_name)},
            {"kind", std::string(to_string(one->tensor.kind))},
            {"index", one->tensor.index},
            {"dtype", one->tensor.dtype},
            {"shape", one->tensor.shape}};
}

ordered_json lines_json(const Lines& lines) {
    return {{"count", lines.count}, {"length", lines.length}, {"whole", lines.whole}, {"untouched", lines.untouched}};
}

/// Of the offsets in the tensor. The address of the tensor is not known.
ordered_json alignment_json(const Measures& all) {
    if (all.differ == 0) {
        return {};
    }
    const std::uint64_t block = difference::rule("block_bytes"), unit = difference::rule("unit_bytes");
    const std::uint64_t begin = all.byte_of(all.first), end = all.byte_of(all.last + 1);
    return {{"begin_32", begin % block == 0},
            {"end_32", end % block == 0},
            {"begin_512", begin % unit == 0},
            {"end_512", end % unit == 0},
            {"size_2048_elements", all.span() % difference::rule("unit_elements") == 0}};
}

ordered_json measures_json(const Measures& all) {
    const bool differs = all.differ != 0;
    const auto if_differs = [differs](std::uint64_t value) { return differs ? ordered_json(value) : ordered_json(); };
    return {{"elements", all.elements},
            {"differ", all.differ},
            {"values_differ", all.values_differ},
            {"first", if_differs(all.first)},
            {"last", if_differs(all.last)},
            {"runs", all.runs},
            {"longest_run", all.longest_run},
            {"longest_gap", all.longest_gap},
            {"inside_share", differs ? ordered_json(static_cast<double>(all.differ) / static_cast<double>(all.span()))
                                     : ordered_json()},
            {"nan_only_a", all.nan_only_a},
            {"inf_only_a", all.inf_only_a},
            {"nan_only_b", all.nan_only_b},
            {"inf_only_b", all.inf_only_b},
            {"bits", {{"one_bit", all.one_bit}, {"histogram", all.bits}}},
            {"alignment", alignment_json(all)},
            {"rows", lines_json(all.rows)},
            {"columns", all.columns ? lines_json(*all.columns) : ordered_json()},
            {"period", value_or_null(all.period)},
            {"median_rel", value_or_null(all.median_rel)},
            {"median_ulps", value_or_null(all.median_ulps)},
            {"largest_difference", value_or_null(all.largest)},
            {"rounding", all.rounding}};
}

}  // namespace

std::string difference_to_json(const Difference& difference, const ReportOptions& options) {
    constexpr const char* kStrengths[] = {"", "weak", "strong"};
    const auto strength = static_cast<std::size_t>(difference.finding.strength);
    ordered_json document{{"schema", "opdebug.tensor_difference/1"},
                          {"a", tensor_json(difference.a)},
                          {"b", tensor_json(difference.b)},
                          {"verdict", std::string(to_string(difference.finding.verdict))},
                          {"strength", strength == 0 ? ordered_json() : ordered_json(kStrengths[strength])},
                          {"overwrite_likely", difference.finding.is_overwrite()},
                          {"because", difference.finding.because.en},
                          {"because_zh", difference.finding.because.in(Language::chinese)}};
    const ordered_json measures = measures_json(difference.measures.value_or(Measures()));
    for (const auto& [key, value] : measures.items()) {
        document[key] = difference.measures ? value : ordered_json();
    }
    return document.dump(options.one_line ? -1 : 2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opdebug::report
