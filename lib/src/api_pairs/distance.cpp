// How far the values of two paired calls are apart: states, then statistics and checksums.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "api_culprits/value_state.hpp"
#include "api_pairs/units.hpp"

namespace opdebug::api_pairs {
namespace {

using api_culprits::is_bad;

/// A value of one side.
struct Side {
    const ApiValue& value;
    ApiState state;
    bool rounded;

    bool only_negative_is_bad() const { return is_bad(state) && api_culprits::only_negative_is_bad(value, rounded); }
};

bool is_common_float(std::string_view dtype) {
    return dtype == "float16" || dtype == "bfloat16" || dtype == "float32";
}

bool are_comparable(const ApiValue& here, const ApiValue& there) {
    return here.is_scalar == there.is_scalar && here.shape == there.shape &&
           (here.is_scalar || here.dtype == there.dtype ||
            (is_common_float(here.dtype) && is_common_float(there.dtype)));
}

bool have_extremes(const ApiValue& here, const ApiValue& there) {
    return here.max && here.min && there.max && there.min;
}

/// Whether all elements of both are one number.
bool are_constant(const ApiValue& here, const ApiValue& there) {
    return have_extremes(here, there) && *here.max == *here.min && *there.max == *there.min;
}

/// Whether both have a checksum of the same type of data and, by its length, of the same algorithm.
bool have_checksums(const ApiValue& here, const ApiValue& there) {
    return !here.checksum.empty() && here.checksum.size() == there.checksum.size() && here.dtype == there.dtype;
}

double relative(double here, double there, double scale) {
    const double difference = std::fabs(here - there);
    return difference == 0 ? 0 : scale == 0 ? std::numeric_limits<double>::infinity() : difference / scale;
}

bool is_finite(const std::optional<double>& number) {
    return number && std::isfinite(*number);
}

/// By the extremes and Norm that are finite on both sides: Norm can overflow by itself in low precision.
std::optional<double> difference_of(const ApiValue& here, const ApiValue& there) {
    double scale = 0;
    for (const std::optional<double>& extreme : {there.max, there.min}) {
        scale = is_finite(extreme) ? std::max(scale, std::fabs(*extreme)) : scale;
    }
    std::optional<double> largest;
    const auto add = [&largest](const std::optional<double>& a, const std::optional<double>& b, double by) {
        if (is_finite(a) && is_finite(b)) {
            largest = std::max(largest.value_or(0), relative(*a, *b, by));
        }
    };
    add(here.max, there.max, scale);
    add(here.min, there.min, scale);
    add(here.norm, there.norm, std::fabs(there.norm.value_or(0)));
    return largest;
}

Distance distance_of(double difference, const ApiValue& here, const ApiValue& there) {
    const bool any_bfloat16 = here.dtype == "bfloat16" || there.dtype == "bfloat16";
    const bool both_32 = here.dtype == "float32" && there.dtype == "float32";
    static const double same = rule("same"), far = rule("far");
    static const double bfloat16 = rule("close_bfloat16"), of_32 = rule("close_32"), other = rule("close");
    const double close = any_bfloat16 ? bfloat16 : both_32 ? of_32 : other;
    return difference <= same    ? Distance::same
           : difference <= close ? Distance::close
           : difference <= far   ? Distance::apart
                                 : Distance::far;
}

/// Of integers and masks. Extremes do not show the order, so only equal constants are the same.
Distance exact_distance(const ApiValue& here, const ApiValue& there) {
    const bool are_apart =
        have_checksums(here, there) || (have_extremes(here, there) && (here.max != there.max || here.min != there.min));
    return are_apart ? Distance::apart : are_constant(here, there) ? Distance::same : Distance::unknown;
}

Distance scalar_distance(const ApiValue& here, const ApiValue& there, const std::optional<double>& difference) {
    const bool are_equal = here.max && here.max == there.max;
    return are_equal || (difference && *difference <= rule("same")) ? Distance::same : Distance::apart;
}

/// Difference and distance from states, statistics and checksums.
Comparison compare(const Side& one, const Side& other) {
    const ApiValue &here = one.value, &there = other.value;
    Comparison pair;
    pair.state_here = one.state;
    pair.state_there = other.state;
    const bool may_be_mask = one.only_negative_is_bad() && other.only_negative_is_bad() &&
                             (one.state == other.state || here.dtype != there.dtype);
    const bool here_bad = is_bad(pair.state_here), there_bad = is_bad(pair.state_there);
    const bool is_known = pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown;
    const bool at_limit = (here_bad != there_bad) && std::max(pair.state_here, pair.state_there) == ApiState::limit;
    pair.is_agreed = may_be_mask;
    const bool is_empty = std::find(here.shape.begin(), here.shape.end(), 0U) != here.shape.end();
    if (is_empty || (have_checksums(here, there) && here.checksum == there.checksum)) {
        pair.difference = 0;
        pair.distance = Distance::same;
    } else if (here.is_scalar) {
        pair.difference = difference_of(here, there);
        pair.distance = scalar_distance(here, there, pair.difference);
        pair.is_agreed = pair.distance == Distance::same && (here_bad || there_bad);
    } else if (!api_culprits::has_elements(here)) {
        pair.distance = exact_distance(here, there);
    } else if (may_be_mask) {
        pair.distance = are_constant(here, there) ? Distance::same : Distance::unknown;
    } else if (is_known && have_extremes(here, there) && ((!here_bad && !there_bad) || at_limit)) {
        pair.difference = difference_of(here, there);
        pair.distance = pair.difference ? distance_of(*pair.difference, here, there) : Distance::unknown;
        // The size of the difference is unknown, but no statistic shows it.
        pair.distance = pair.difference == 0.0 && have_checksums(here, there) ? Distance::close : pair.distance;
        pair.is_agreed = at_limit && pair.distance == Distance::same;
    } else if (!is_known && have_checksums(here, there)) {
        pair.distance = Distance::apart;
    }
    if (here_bad != there_bad && !pair.is_agreed) {
        pair.difference = std::nullopt;
        pair.distance = Distance::unknown;
    }
    pair.bad_here_only = here_bad && api_culprits::is_clean(pair.state_there) && !pair.is_agreed;
    pair.bad_there = there_bad;
    return pair;
}

/// The index of the other side's value with the same kind and index; past the end: none. Most calls have equal values.
std::size_t partner_of(const ApiValue& value, std::size_t position, const std::vector<ApiValue>& others) {
    const auto is_partner = [&value](const ApiValue& other) {
        return other.kind == value.kind && other.index == value.index;
    };
    return position < others.size() && is_partner(others[position])
               ? position
               : static_cast<std::size_t>(std::find_if(others.begin(), others.end(), is_partner) - others.begin());
}

/// The worst of all values: apart, then unknown.
void add(const Comparison& pair, Agreement& all) {
    const bool is_bad_somewhere = (is_bad(pair.state_here) || is_bad(pair.state_there)) && !pair.is_agreed;
    const bool is_known = pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown;
    if ((is_bad_somewhere && is_known) || pair.distance >= Distance::apart) {
        all = Agreement::apart;
    } else if ((is_bad_somewhere || pair.distance == Distance::unknown) && all == Agreement::agree) {
        all = Agreement::unknown;
    }
}

void add_difference(const std::optional<double>& difference, std::optional<double>& largest) {
    if (difference) {
        largest = std::max(largest.value_or(0), *difference);
    }
}

/// By the finite extremes.
void add_sizes(const ApiValue& here, const ApiValue& there, bool is_output, CallPair& result) {
    double& largest = is_output ? result.output_gap : result.input_size;
    for (const auto& [a, b] : {std::pair(here.max, there.max), std::pair(here.min, there.min)}) {
        if (is_finite(a) && is_finite(b)) {
            largest = std::max(largest, std::fabs(is_output ? *a - *b : *b));
        }
    }
}

void add_input(const Comparison& pair, CallPair& result) {
    ++result.inputs_compared;
    add(pair, result.inputs);
    add_difference(pair.difference, result.input_difference);
}

void add_output(const Comparison& pair, bool is_known, CallPair& result) {
    add(pair, result.outputs);
    add_difference(pair.difference, result.output_difference);
    result.results_known = result.results_known && is_known;
    result.bad_here_only = result.bad_here_only || pair.bad_here_only;
    result.bad_there = result.bad_there || (pair.bad_there && !pair.is_agreed);
    result.output = std::max(result.output, pair.distance);
}

/// A value that only one side has, or in another shape or type.
void add_unpaired(const ApiValue& value, CallPair& result) {
    Agreement& all = value.kind == ApiValueKind::output ? result.outputs : result.inputs;
    all = all == Agreement::agree ? Agreement::unknown : all;
}

/// Values that only the benchmark has.
void add_values_of_bench(const SideCall& here, const SideCall& there, CallPair& result) {
    for (std::size_t i = 0; i < there.entry.values.size(); ++i) {
        const ApiValue& value = there.entry.values[i];
        if (there.is_evidence[i] && partner_of(value, i, here.entry.values) == here.entry.values.size()) {
            add_unpaired(value, result);
            result.any_bad_there = result.any_bad_there || is_bad(there.states[i]);
        }
    }
}

/// Values for a report: those that differ most.
void shorten(std::vector<ValuePair>& values) {
    constexpr std::size_t kMostValues = 16;
    std::stable_sort(values.begin(), values.end(), [](const ValuePair& a, const ValuePair& b) {
        return std::tuple(b.bad_here_only, b.distance, b.difference.value_or(0)) <
               std::tuple(a.bad_here_only, a.distance, a.difference.value_or(0));
    });
    values.resize(std::min(values.size(), kMostValues));
}

}  // namespace

std::string_view to_string(Distance distance) noexcept {
    constexpr std::string_view kNames[] = {"unknown", "same", "close", "apart", "far"};
    return kNames[static_cast<std::size_t>(distance)];
}

CallPair compare_calls(const SideCall& here, const SideCall& there) {
    CallPair result;
    const bool are_inputs_known =
        here.has_known_inputs && there.has_known_inputs && here.entry.other_arguments == there.entry.other_arguments;
    result.inputs = are_inputs_known ? Agreement::agree : Agreement::unknown;
    const std::vector<ApiValue>& others = there.entry.values;
    std::size_t tensors = 0, compared = 0;
    for (std::size_t i = 0; i < here.entry.values.size(); ++i) {
        const ApiValue& value = here.entry.values[i];
        const std::size_t j = partner_of(value, i, others);
        if (!here.is_evidence[i]) {
            continue;
        }
        const bool is_tensor = api_culprits::has_elements(value);
        tensors += is_tensor ? 1U : 0U;
        if (j == others.size() || !are_comparable(value, others[j])) {
            add_unpaired(value, result);
            result.any_bad_here = result.any_bad_here || is_bad(here.states[i]);
            result.any_bad_there = result.any_bad_there || (j != others.size() && is_bad(there.states[j]));
            continue;
        }
        const Comparison pair =
            compare({value, here.states[i], here.rounded}, {others[j], there.states[j], there.rounded});
        const bool is_output = value.kind == ApiValueKind::output;
        const bool is_known = !is_tensor || pair.distance != Distance::unknown ||
                              (here.states[i] != ApiState::unknown && there.states[j] != ApiState::unknown);
        compared += is_tensor && is_known ? 1U : 0U;
        is_output ? add_output(pair, is_known, result) : add_input(pair, result);
        add_sizes(value, others[j], is_output, result);
        result.any_bad_here = result.any_bad_here || (is_bad(here.states[i]) && !pair.is_agreed);
        result.any_bad_there = result.any_bad_there || (pair.bad_there && !pair.is_agreed);
        result.any_here_only = result.any_here_only || pair.bad_here_only;
        result.any_there_only =
            result.any_there_only || (pair.bad_there && api_culprits::is_clean(here.states[i]) && !pair.is_agreed);
        result.any_agreed = result.any_agreed || pair.is_agreed;
    }
    add_values_of_bench(here, there, result);
    result.is_compared = tensors == 0 || compared != 0;
    return result;
}

ComparedValues compared_values(const SideCall& here, const SideCall& there) {
    ComparedValues compared;
    const std::vector<ApiValue>& others = there.entry.values;
    for (std::size_t i = 0; i < here.entry.values.size(); ++i) {
        const ApiValue& value = here.entry.values[i];
        const std::size_t j = partner_of(value, i, others);
        if (here.is_evidence[i] && j != others.size() && are_comparable(value, others[j])) {
            const Comparison pair =
                compare({value, here.states[i], here.rounded}, {others[j], there.states[j], there.rounded});
            (value.kind == ApiValueKind::output ? compared.outputs : compared.inputs)
                .push_back({pair, value, others[j]});
        }
    }
    shorten(compared.inputs);
    shorten(compared.outputs);
    return compared;
}

}  // namespace opdebug::api_pairs
