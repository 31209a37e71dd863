// How far the values of two paired calls are apart: states, then statistics and checksums.
#include "api_pairs/call_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "api_culprits/value_state.hpp"

namespace opdebug::api_pairs {
namespace {

using api_culprits::is_bad;

bool are_comparable(const ValueFacts& here, const ValueFacts& there) {
    const auto is_common = [](const ValueFacts& value) { return value.float_type != FloatType::other; };
    return here.is_scalar == there.is_scalar && here.shape == there.shape &&
           (here.is_scalar || here.dtype == there.dtype || (is_common(here) && is_common(there)));
}

bool have_extremes(const ValueFacts& here, const ValueFacts& there) {
    return here.has_max && here.has_min && there.has_max && there.has_min;
}

/// Whether all elements of both are one number.
bool are_constant(const ValueFacts& here, const ValueFacts& there) {
    return have_extremes(here, there) && here.max_number == here.min_number && there.max_number == there.min_number;
}

/// Whether both have a checksum of the same type of data and, by its length, of the same algorithm.
bool have_checksums(const ValueFacts& here, const ValueFacts& there) {
    return here.checksum_size != 0 && here.checksum_size == there.checksum_size && here.dtype == there.dtype;
}

double relative(double here, double there, double scale) {
    const double difference = std::fabs(here - there);
    return difference == 0 ? 0 : scale == 0 ? std::numeric_limits<double>::infinity() : difference / scale;
}

bool is_finite(const std::optional<double>& number) {
    return number && std::isfinite(*number);
}

/// By the extremes and Norm that are finite on both sides: Norm can overflow by itself in low precision.
std::optional<double> difference_of(const ValueFacts& here, const ValueFacts& there) {
    double scale = 0;
    for (const std::optional<double>& extreme : {there.max(), there.min()}) {
        scale = is_finite(extreme) ? std::max(scale, std::fabs(*extreme)) : scale;
    }
    std::optional<double> largest;
    const auto add = [&largest](const std::optional<double>& a, const std::optional<double>& b, double by) {
        if (is_finite(a) && is_finite(b)) {
            largest = std::max(largest.value_or(0), relative(*a, *b, by));
        }
    };
    add(here.max(), there.max(), scale);
    add(here.min(), there.min(), scale);
    add(here.norm(), there.norm(), std::fabs(there.norm_number));
    return largest;
}

Distance distance_of(double difference, const ValueFacts& here, const ValueFacts& there) {
    const bool any_bfloat16 = here.float_type == FloatType::bfloat16 || there.float_type == FloatType::bfloat16;
    const bool both_32 = here.float_type == FloatType::float32 && there.float_type == FloatType::float32;
    static const double same = rule("same"), far = rule("far");
    static const double bfloat16 = rule("close_bfloat16"), of_32 = rule("close_32"), other = rule("close");
    const double close = any_bfloat16 ? bfloat16 : both_32 ? of_32 : other;
    return difference <= same    ? Distance::same
           : difference <= close ? Distance::close
           : difference <= far   ? Distance::apart
                                 : Distance::far;
}

/// Of integers and masks. Extremes do not show the order, so only equal constants are the same.
Distance exact_distance(const ValueFacts& here, const ValueFacts& there) {
    const bool are_apart =
        have_checksums(here, there) ||
        (have_extremes(here, there) && (here.max_number != there.max_number || here.min_number != there.min_number));
    return are_apart ? Distance::apart : are_constant(here, there) ? Distance::same : Distance::unknown;
}

Distance scalar_distance(const ValueFacts& here, const ValueFacts& there, const std::optional<double>& difference) {
    const bool are_equal = here.has_max && here.max() == there.max();
    return are_equal || (difference && *difference <= rule("same")) ? Distance::same : Distance::apart;
}

/// Sets difference and distance from states, statistics and checksums.
void measure(const ValueFacts& here, const ValueFacts& there, bool may_be_mask, Comparison& pair) {
    const bool here_bad = is_bad(pair.state_here), there_bad = is_bad(pair.state_there);
    const bool is_known = pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown;
    const bool at_limit = (here_bad != there_bad) && std::max(pair.state_here, pair.state_there) == ApiState::limit;
    pair.is_agreed = may_be_mask;
    if (here.is_empty || (have_checksums(here, there) && here.checksum == there.checksum)) {
        pair.difference = 0;
        pair.distance = Distance::same;
    } else if (here.is_scalar) {
        pair.difference = difference_of(here, there);
        pair.distance = scalar_distance(here, there, pair.difference);
        pair.is_agreed = pair.distance == Distance::same && (here_bad || there_bad);
    } else if (!here.is_tensor) {
        pair.distance = exact_distance(here, there);
    } else if (may_be_mask) {
        pair.distance = are_constant(here, there) ? Distance::same : Distance::unknown;
    } else if (is_known && have_extremes(here, there) && ((!here_bad && !there_bad) || at_limit)) {
        pair.difference = difference_of(here, there);
        pair.distance = pair.difference ? distance_of(*pair.difference, here, there) : Distance::unknown;
        // The size of the difference is unknown, but no statistic shows it.
        pair.differs_below = pair.difference == 0.0 && have_checksums(here, there);
        pair.distance = pair.differs_below ? Distance::close : pair.distance;
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
}

/// Looks at the same position first: most calls have equal values on both sides.
const ValueFacts* partner_in(Values values, const ValueFacts& value, std::size_t position) {
    if (position < values.size() && values[position].key == value.key) {
        return &values[position];
    }
    const auto slot = std::find_if(values.begin(), values.end(),
                                   [&value](const ValueFacts& other) { return other.key == value.key; });
    return slot == values.end() ? nullptr : &*slot;
}

Comparison compare(const ValueFacts& here, const ValueFacts& there) {
    Comparison pair;
    pair.state_here = here.state;
    pair.state_there = there.state;
    const bool may_be_mask = here.only_negative_is_bad && there.only_negative_is_bad &&
                             (here.state == there.state || here.dtype != there.dtype);
    measure(here, there, may_be_mask, pair);
    return pair;
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
void add_sizes(const ValueFacts& here, const ValueFacts& there, bool is_output, CallPair& result) {
    double& largest = is_output ? result.output_gap : result.input_size;
    for (const auto& [a, b] : {std::pair(here.max(), there.max()), std::pair(here.min(), there.min())}) {
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
    result.differs_below = result.differs_below || pair.differs_below;
    result.bad_here_only = result.bad_here_only || pair.bad_here_only;
    result.bad_there = result.bad_there || (pair.bad_there && !pair.is_agreed);
    result.output = std::max(result.output, pair.distance);
}

/// A value that only one side has, or in another shape or type.
void add_unpaired(const ValueFacts& value, CallPair& result) {
    Agreement& all = value.kind == ApiValueKind::output ? result.outputs : result.inputs;
    all = all == Agreement::agree ? Agreement::unknown : all;
}

/// Values that only the benchmark has.
void add_values_of_bench(const CallFacts& here, const CallFacts& there, CallPair& result) {
    for (std::size_t i = 0; i < there.values.size(); ++i) {
        const ValueFacts& value = there.values[i];
        if (value.is_evidence && partner_in(here.values, value, i) == nullptr) {
            add_unpaired(value, result);
            result.any_bad_there = result.any_bad_there || is_bad(value.state);
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

CallPair compare_calls(const CallFacts& here, const CallFacts& there,
                       const std::function<void(std::size_t, std::size_t, const Comparison&)>& use) {
    CallPair result;
    const bool are_inputs_known =
        here.has_known_inputs && there.has_known_inputs && here.other_arguments == there.other_arguments;
    result.inputs = are_inputs_known ? Agreement::agree : Agreement::unknown;
    std::size_t tensors = 0, compared = 0, paired = 0;
    for (std::size_t i = 0; i < here.values.size(); ++i) {
        const ValueFacts& value = here.values[i];
        const ValueFacts* const other = partner_in(there.values, value, i);
        paired += other != nullptr ? 1U : 0U;
        if (!value.is_evidence) {
            continue;
        }
        tensors += value.is_tensor ? 1U : 0U;
        if (other == nullptr || !are_comparable(value, *other)) {
            add_unpaired(value, result);
            result.any_bad_here = result.any_bad_here || is_bad(value.state);
            result.any_bad_there = result.any_bad_there || (other != nullptr && is_bad(other->state));
            continue;
        }
        const Comparison pair = compare(value, *other);
        const bool is_output = value.kind == ApiValueKind::output;
        const bool is_known = !value.is_tensor || pair.distance != Distance::unknown ||
                              (value.state != ApiState::unknown && other->state != ApiState::unknown);
        compared += value.is_tensor && is_known ? 1U : 0U;
        is_output ? add_output(pair, is_known, result) : add_input(pair, result);
        add_sizes(value, *other, is_output, result);
        result.any_bad_here = result.any_bad_here || (is_bad(value.state) && !pair.is_agreed);
        result.any_bad_there = result.any_bad_there || (pair.bad_there && !pair.is_agreed);
        result.any_here_only = result.any_here_only || pair.bad_here_only;
        result.any_there_only =
            result.any_there_only || (pair.bad_there && api_culprits::is_clean(value.state) && !pair.is_agreed);
        result.any_agreed = result.any_agreed || pair.is_agreed;
        if (use) {
            use(i, static_cast<std::size_t>(other - there.values.data()), pair);
        }
    }
    if (paired < there.values.size()) {
        add_values_of_bench(here, there, result);
    }
    result.is_compared = tensors == 0 || compared != 0;
    return result;
}

ComparedValues compared_values(const ReadCall& here, const ReadCall& there) {
    CallTable of_here, of_there;
    for (const auto& [call, table] : {std::pair(&here, &of_here), std::pair(&there, &of_there)}) {
        const api_culprits::KnownApi api = api_culprits::known_api(call->entry.api);
        std::vector<ApiState> states;
        api_culprits::set_states(call->entry, call->rounded, states);
        table->add(api_culprits::call_of(call->entry, api, states, call->rank, call->rounded), 0);
    }
    ComparedValues compared;
    compare_calls(of_here.calls().front(), of_there.calls().front(),
                  [&](std::size_t i, std::size_t j, const Comparison& comparison) {
                      const ApiValue &value = here.entry.values[i], &partner = there.entry.values[j];
                      const bool is_output = value.kind == ApiValueKind::output;
                      (is_output ? compared.outputs : compared.inputs).push_back({comparison, value, partner});
                  });
    shorten(compared.inputs);
    shorten(compared.outputs);
    return compared;
}

}  // namespace opdebug::api_pairs
