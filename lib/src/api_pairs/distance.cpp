// How far the values of two paired calls are apart: states, then statistics and checksums.
#include "api_pairs/bench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "api_culprits/judge_call.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_culprits/value_state.hpp"
#include "api_pairs/pair_rules.hpp"

namespace opdebug::api_pairs {
namespace {

using api_culprits::has_elements;
using api_culprits::is_bad;

bool is_common_float(std::string_view dtype) {
    return dtype == "float16" || dtype == "bfloat16" || dtype == "float32";
}

bool are_comparable(const ApiValue& here, const ApiValue& there) {
    return here.is_scalar == there.is_scalar && here.shape == there.shape &&
           (here.is_scalar || here.dtype == there.dtype ||
            (is_common_float(here.dtype) && is_common_float(there.dtype)));
}

bool is_empty(const ApiValue& value) {
    return std::find(value.shape.begin(), value.shape.end(), 0U) != value.shape.end();
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
    const bool are_apart = have_checksums(here, there) ||
                           (have_extremes(here, there) && (*here.max != *there.max || *here.min != *there.min));
    return are_apart ? Distance::apart : are_constant(here, there) ? Distance::same : Distance::unknown;
}

Distance scalar_distance(const ApiValue& here, const ApiValue& there, const std::optional<double>& difference) {
    const bool are_equal = here.max && here.max == there.max;
    return are_equal || (difference && *difference <= rule("same")) ? Distance::same : Distance::apart;
}

/// Sets difference and distance from states, statistics and checksums.
void measure(const ApiValue& here, const ApiValue& there, bool may_be_mask, ValuePair& pair) {
    const bool here_bad = is_bad(pair.state_here), there_bad = is_bad(pair.state_there);
    const bool is_known = pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown;
    const bool at_limit = (here_bad != there_bad) && std::max(pair.state_here, pair.state_there) == ApiState::limit;
    pair.is_agreed = may_be_mask;
    if (is_empty(here) || (have_checksums(here, there) && here.checksum == there.checksum)) {
        pair.difference = 0;
        pair.distance = Distance::same;
    } else if (here.is_scalar) {
        pair.difference = difference_of(here, there);
        pair.distance = scalar_distance(here, there, pair.difference);
        pair.is_agreed = pair.distance == Distance::same && (here_bad || there_bad);
    } else if (!has_elements(here)) {
        pair.distance = exact_distance(here, there);
    } else if (may_be_mask) {
        pair.distance = are_constant(here, there) ? Distance::same : Distance::unknown;
    } else if (is_known && have_extremes(here, there) && ((!here_bad && !there_bad) || at_limit)) {
        pair.difference = difference_of(here, there);
        pair.distance = pair.difference ? distance_of(*pair.difference, here, there) : Distance::unknown;
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
const ApiValue* partner_in(const ApiEntry& call, const ApiValue& value, std::size_t position) {
    const auto is_partner = [&value](const ApiValue& other) {
        return other.kind == value.kind && other.index == value.index;
    };
    if (position < call.values.size() && is_partner(call.values[position])) {
        return &call.values[position];
    }
    const auto place = std::find_if(call.values.begin(), call.values.end(), is_partner);
    return place == call.values.end() ? nullptr : &*place;
}

/// Without the values.
ValuePair pair_of(const ApiValue& here, const ApiValue& there, const Side& side_here, const Side& side_there) {
    ValuePair pair;
    pair.state_here = api_culprits::state_of(here, side_here.rounded);
    pair.state_there = api_culprits::state_of(there, side_there.rounded);
    const bool may_be_mask = is_bad(pair.state_here) && is_bad(pair.state_there) &&
                             api_culprits::only_negative_is_bad(here, side_here.rounded) &&
                             api_culprits::only_negative_is_bad(there, side_there.rounded) &&
                             (pair.state_here == pair.state_there || here.dtype != there.dtype);
    measure(here, there, may_be_mask, pair);
    return pair;
}

/// Arguments that the call only overwrites.
class Unread {
public:
    explicit Unread(const Side& side)
        : function_(api_culprits::function_of(side.call.api)), values_(side.call.values.data()) {
        if (const auto* const communication = api_culprits::communication_api(side.call.api)) {
            call_.emplace(api_culprits::call_of(side.call, communication, side.rank, side.rounded));
        }
    }
    bool contain(const ApiValue& value) const {
        return api_culprits::is_not_read(function_, value) ||
               (call_ && api_culprits::is_received_into(*call_, static_cast<std::size_t>(&value - values_)));
    }

private:
    std::string_view function_;
    const ApiValue* values_;
    std::optional<api_culprits::Call> call_;  ///< of a call between ranks
};

/// The worst of all values: apart, then unknown.
void add(const ValuePair& pair, Agreement& all) {
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
    for (const auto extreme : {&ApiValue::max, &ApiValue::min}) {
        const std::optional<double>&a = here.*extreme, &b = there.*extreme;
        if (is_finite(a) && is_finite(b)) {
            double& largest = is_output ? result.output_gap : result.input_size;
            largest = std::max(largest, std::fabs(is_output ? *a - *b : *b));
        }
    }
}

void add_input(const ValuePair& pair, CallPair& result) {
    ++result.inputs_compared;
    add(pair, result.inputs);
    add_difference(pair.difference, result.input_difference);
}

void add_output(const ValuePair& pair, bool is_known, CallPair& result) {
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
void add_values_of_bench(const Side& here, const Side& there, std::string_view function, CallPair& result) {
    const Unread unread(there);
    for (const ApiValue& value : there.call.values) {
        const bool is_skipped =
            value.kind == ApiValueKind::output ? api_culprits::is_no_result(function, value) : unread.contain(value);
        const auto position = static_cast<std::size_t>(&value - there.call.values.data());
        if (!is_skipped && partner_in(here.call, value, position) == nullptr) {
            add_unpaired(value, result);
            result.any_bad_there = result.any_bad_there || is_bad(api_culprits::state_of(value, there.rounded));
        }
    }
}

/// A module without parameters may still have weights that differ: those of its children, or not dumped.
bool shows_weights(const ApiEntry& call) {
    return !call.is_module || call.phase != ApiPhase::forward ||
           std::any_of(call.values.begin(), call.values.end(),
                       [](const ApiValue& value) { return value.kind == ApiValueKind::parameter; });
}

bool are_inputs_known(const ApiEntry& here, const ApiEntry& there) {
    const bool after_call = (here.inputs_after_call || there.inputs_after_call) &&
                            api_culprits::is_in_place(api_culprits::function_of(here.api));
    return here.inputs_dumped && there.inputs_dumped && !after_call && shows_weights(here) && shows_weights(there) &&
           here.other_arguments == there.other_arguments;
}

}  // namespace

std::string_view to_string(Distance distance) noexcept {
    constexpr std::string_view kNames[] = {"unknown", "same", "close", "apart", "far"};
    return kNames[static_cast<std::size_t>(distance)];
}

CallPair compare_calls(const Side& here, const Side& there, bool keeps_values) {
    CallPair result;
    const std::string_view function = api_culprits::function_of(here.call.api);
    result.inputs = are_inputs_known(here.call, there.call) ? Agreement::agree : Agreement::unknown;
    const Unread unread(here);
    std::size_t tensors = 0, compared = 0, paired = 0;
    for (const ApiValue& value : here.call.values) {
        const auto position = static_cast<std::size_t>(&value - here.call.values.data());
        const ApiValue* const other = partner_in(there.call, value, position);
        paired += other != nullptr ? 1U : 0U;
        const bool is_output = value.kind == ApiValueKind::output;
        if (is_output ? api_culprits::is_no_result(function, value) : unread.contain(value)) {
            continue;
        }
        const bool is_tensor = has_elements(value);
        tensors += is_tensor ? 1U : 0U;
        if (other == nullptr || !are_comparable(value, *other)) {
            add_unpaired(value, result);
            const bool is_bad_there = other != nullptr && is_bad(api_culprits::state_of(*other, there.rounded));
            result.any_bad_here = result.any_bad_here || is_bad(api_culprits::state_of(value, here.rounded));
            result.any_bad_there = result.any_bad_there || is_bad_there;
            continue;
        }
        ValuePair pair = pair_of(value, *other, here, there);
        const bool is_known = !is_tensor || pair.distance != Distance::unknown ||
                              (pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown);
        compared += is_tensor && is_known ? 1U : 0U;
        is_output ? add_output(pair, is_known, result) : add_input(pair, result);
        add_sizes(value, *other, is_output, result);
        result.any_bad_here = result.any_bad_here || (is_bad(pair.state_here) && !pair.is_agreed);
        result.any_bad_there = result.any_bad_there || (pair.bad_there && !pair.is_agreed);
        result.any_here_only = result.any_here_only || pair.bad_here_only;
        result.any_there_only =
            result.any_there_only || (pair.bad_there && api_culprits::is_clean(pair.state_here) && !pair.is_agreed);
        result.any_agreed = result.any_agreed || pair.is_agreed;
        if (keeps_values) {
            pair.here = value;
            pair.there = *other;
            (is_output ? result.output_values : result.input_values).push_back(std::move(pair));
        }
    }
    if (paired < there.call.values.size()) {
        add_values_of_bench(here, there, function, result);
    }
    result.is_compared = tensors == 0 || compared != 0;
    return result;
}

}  // namespace opdebug::api_pairs
