#include "api_pairs/distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "api_culprits/judge_call.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_culprits/value_state.hpp"
#include "api_pairs/pairing.hpp"

namespace opdebug::api_pairs {
namespace {

using api_culprits::has_elements;
using api_culprits::is_bad;

bool is_common_float(std::string_view dtype) {
    return dtype == "float16" || dtype == "bfloat16" || dtype == "float32";
}

bool are_comparable(const ApiValue& here, const ApiValue& there) {
    return here.is_scalar == there.is_scalar && here.shape == there.shape &&
           (here.dtype == there.dtype || (is_common_float(here.dtype) && is_common_float(there.dtype)));
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
    const double close = rule(any_bfloat16 ? "close_bfloat16" : both_32 ? "close_32" : "close");
    return difference <= rule("same")  ? Distance::same
           : difference <= close       ? Distance::close
           : difference <= rule("far") ? Distance::apart
                                       : Distance::far;
}

/// Sets difference and distance from states, statistics and checksums.
void measure(const ApiValue& here, const ApiValue& there, ValuePair& pair) {
    const bool here_bad = is_bad(pair.state_here), there_bad = is_bad(pair.state_there);
    pair.bad_here_only = here_bad && api_culprits::is_clean(pair.state_there);
    pair.bad_there = there_bad;
    if (!here.checksum.empty() && here.checksum == there.checksum && here.dtype == there.dtype) {
        pair.difference = 0;
        pair.distance = Distance::same;
        return;
    }
    const bool is_known = pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown;
    if (!is_known || (here_bad != there_bad) || (here_bad && !pair.is_mask)) {
        return;
    }
    pair.difference = difference_of(here, there);
    // Masks may be of two types with different limits: their other end counts.
    const bool both_ends = !pair.is_mask || here.dtype == there.dtype;
    if (pair.is_mask && (!both_ends || !pair.difference)) {
        pair.difference = 0;
    }
    pair.distance = pair.difference ? distance_of(*pair.difference, here, there) : Distance::unknown;
}

const ApiValue* partner_in(const ApiEntry& call, const ApiValue& value) {
    const auto place = std::find_if(call.values.begin(), call.values.end(), [&value](const ApiValue& other) {
        return other.kind == value.kind && other.index == value.index;
    });
    return place == call.values.end() ? nullptr : &*place;
}

/// Without the values.
ValuePair pair_of(const ApiValue& here, const ApiValue& there, const Side& side_here, const Side& side_there) {
    ValuePair pair;
    pair.state_here = api_culprits::state_of(here, side_here.rounded);
    pair.state_there = api_culprits::state_of(there, side_there.rounded);
    pair.is_mask = is_bad(pair.state_here) && is_bad(pair.state_there) &&
                   api_culprits::only_negative_is_bad(here, side_here.rounded) &&
                   api_culprits::only_negative_is_bad(there, side_there.rounded) &&
                   (pair.state_here == pair.state_there || here.dtype != there.dtype);
    measure(here, there, pair);
    return pair;
}

/// Whether evidence needs the value: integers and texts without statistics have none.
bool needs_partner(const ApiValue& value) {
    return !value.is_scalar && has_elements(value);
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

void add_input(const ValuePair& pair, bool needs_statistics, CallPair& result) {
    ++result.inputs_compared;
    const bool any_bad = is_bad(pair.state_here) || is_bad(pair.state_there);
    if ((any_bad && !pair.is_mask) || pair.distance >= Distance::apart) {
        result.inputs = Agreement::apart;
    } else if (pair.distance == Distance::unknown && needs_statistics && result.inputs == Agreement::agree) {
        result.inputs = Agreement::unknown;
    }
    if (pair.difference) {
        result.input_difference = std::max(result.input_difference.value_or(0), *pair.difference);
    }
}

void add_output(const ValuePair& pair, bool needs_statistics, CallPair& result) {
    const bool is_known = pair.state_here != ApiState::unknown && pair.state_there != ApiState::unknown;
    result.outputs_known = result.outputs_known && (is_known || !needs_statistics);
    result.bad_here_only = result.bad_here_only || pair.bad_here_only;
    result.bad_there = result.bad_there || (pair.bad_there && !pair.is_mask);
    result.output = std::max(result.output, pair.distance);
    if (pair.difference) {
        result.output_difference = std::max(result.output_difference.value_or(0), *pair.difference);
    }
}

/// A value that only one side has, or in another shape or type.
void add_unpaired(const ApiValue& value, CallPair& result) {
    if (!needs_partner(value)) {
        return;
    }
    if (value.kind == ApiValueKind::output) {
        result.outputs_known = false;
    } else if (result.inputs == Agreement::agree) {
        result.inputs = Agreement::unknown;
    }
}

/// Values that only the benchmark has.
void add_values_of_bench(const Side& here, const Side& there, std::string_view function, CallPair& result) {
    const Unread unread(there);
    for (const ApiValue& value : there.call.values) {
        const bool is_skipped =
            value.kind == ApiValueKind::output ? api_culprits::is_no_result(function, value) : unread.contain(value);
        if (!is_skipped && partner_in(here.call, value) == nullptr) {
            add_unpaired(value, result);
        }
    }
}

}  // namespace

std::string_view to_string(Distance distance) noexcept {
    switch (distance) {
        case Distance::unknown: return "unknown";
        case Distance::same: return "same";
        case Distance::close: return "close";
        case Distance::apart: return "apart";
        case Distance::far: return "far";
    }
    return "unknown";
}

CallPair compare_calls(const Side& here, const Side& there, bool keeps_values) {
    CallPair result;
    const std::string_view function = api_culprits::function_of(here.call.api);
    const bool after_call =
        (here.call.inputs_after_call || there.call.inputs_after_call) && api_culprits::is_in_place(function);
    if (!here.call.inputs_dumped || !there.call.inputs_dumped || after_call) {
        result.inputs = Agreement::unknown;
    }
    const Unread unread(here);
    std::size_t tensors = 0, compared = 0, paired = 0;
    for (const ApiValue& value : here.call.values) {
        const ApiValue* const other = partner_in(there.call, value);
        paired += other != nullptr ? 1U : 0U;
        const bool is_output = value.kind == ApiValueKind::output;
        if (is_output ? api_culprits::is_no_result(function, value) : unread.contain(value)) {
            continue;
        }
        const bool is_tensor = needs_partner(value);
        tensors += is_tensor ? 1U : 0U;
        if (other == nullptr || !are_comparable(value, *other)) {
            add_unpaired(value, result);
            continue;
        }
        compared += is_tensor ? 1U : 0U;
        ValuePair pair = pair_of(value, *other, here, there);
        is_output ? add_output(pair, is_tensor, result) : add_input(pair, is_tensor, result);
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
