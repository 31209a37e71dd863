// How far the values of two paired calls are apart: states, then statistics and checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_pairs {

/// Best first. unknown: the statistics do not decide. apart without a difference: other checksums.
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
    /// Bad on a side, but the same event on both: a mask, an equal scalar, or a number that only one type ends at.
    bool is_agreed = false;
};

/// The values of two calls agree, do not agree, or that is not known.
enum class Agreement { agree, apart, unknown };

/// Two paired calls. Values agree if each value of a side has a comparable partner that is the same or close.
struct CallPair {
    Agreement inputs = Agreement::agree, outputs = Agreement::agree;
    std::size_t inputs_compared = 0;
    std::vector<ValuePair> input_values, output_values;         ///< those on both sides that can be compared
    bool bad_here_only = false;                                 ///< a result is
    bool bad_there = false;                                     ///< a result is
    bool any_bad_here = false, any_bad_there = false;           ///< a value is, and not the same event on both sides
    bool any_here_only = false;                                 ///< a value is bad here, clean in the benchmark
    bool any_agreed = false;                                    ///< a value is bad, but the same event on both sides
    Distance output = Distance::same;                           ///< of the worst result with clean states
    std::optional<double> input_difference, output_difference;  ///< the largest
    bool is_compared = true;    ///< false: no value has a partner with the same shape and a comparable type
    bool results_known = true;  ///< each result has a state or a checksum on both sides
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
