// How far the values of two paired calls are apart: states, then statistics and checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_pairs {

/// Best first. unknown: without statistics, or of other shape or type.
enum class Distance { unknown, same, close, apart, far };

/// "unknown", "same", "close", "apart", "far". Static storage.
std::string_view to_string(Distance distance) noexcept;

/// One value on both sides.
struct ValuePair {
    ApiValue here, there;
    ApiState state_here = ApiState::unknown, state_there = ApiState::unknown;
    /// Largest relative difference of Max, Min and Norm; infinite if the benchmark has 0. Empty: not computed.
    std::optional<double> difference;
    Distance distance = Distance::unknown;
    bool bad_here_only = false;  ///< NaN, Inf or at the limit here, clean in the benchmark
    bool bad_there = false;
    bool is_mask = false;  ///< only negative infinity or the negative limit, on both sides
};

/// The values of two calls agree, do not agree, or that is not known.
enum class Agreement { agree, apart, unknown };

/// Two paired calls.
struct CallPair {
    Agreement inputs = Agreement::agree;
    std::size_t inputs_compared = 0;
    std::vector<ValuePair> input_values, output_values;         ///< those on both sides that can be compared
    bool outputs_known = true;                                  ///< each result has a state on both sides
    bool bad_here_only = false;                                 ///< a result is
    bool bad_there = false;                                     ///< a result is
    Distance output = Distance::same;                           ///< of the worst result with clean states
    std::optional<double> input_difference, output_difference;  ///< the largest
    bool is_compared = true;  ///< false: no value has a partner with the same shape and a comparable type
};

/// How numbers of a side are written, and which rank it is.
struct Side {
    const ApiEntry& call;
    std::optional<std::uint64_t> rank;
    bool rounded = false;
};

/// `keeps_values`: with the values, which are copies.
CallPair compare_calls(const Side& here, const Side& there, bool keeps_values);

}  // namespace opdebug::api_pairs
