// What the statistics of a value show. Limits: the largest finite numbers of the types' documents.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "api_culprits/value_state.hpp"

using namespace opdebug;
using namespace opdebug::api_culprits;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

ApiValue tensor(std::string dtype, std::optional<double> max, std::optional<double> min) {
    ApiValue value;
    value.dtype = std::move(dtype);
    value.shape = {2, 3};
    value.max = max;
    value.min = min;
    return value;
}

ApiState state(const ApiValue& value, bool rounded = false) {
    return state_of(value, rounded);
}

}  // namespace

TEST_CASE("api values: NaN goes before infinity, infinity before the limit of the type") {
    CHECK(state(tensor("float16", kNan, kNan)) == ApiState::nan);
    CHECK(state(tensor("float16", kInf, kNan)) == ApiState::nan);
    CHECK(state(tensor("float16", kInf, -65504.0)) == ApiState::inf);
    CHECK(state(tensor("float16", 1.0, -kInf)) == ApiState::inf);
    CHECK(state(tensor("float16", 65504.0, 0.0)) == ApiState::limit);
    CHECK(state(tensor("float16", 1.0, -65504.0)) == ApiState::limit);
    CHECK(state(tensor("float16", 40000.0, 0.0)) == ApiState::near_limit);
    CHECK(state(tensor("float16", 1.5, -1.5)) == ApiState::clean);
    CHECK(state(tensor("float16", std::nullopt, std::nullopt)) == ApiState::unknown);
}

TEST_CASE("api values: each type has its own limit") {
    const std::pair<const char*, double> limits[] = {
        {"float16", 65504.0}, {"bfloat16", 3.3895313892515355e+38}, {"float32", 3.4028234663852886e+38}};
    for (const auto& known : limits) {
        const char* const type = known.first;
        const double limit = known.second;
        CAPTURE(type);
        CHECK(state(tensor(type, limit, 0.0)) == ApiState::limit);
        CHECK(state(tensor(type, 0.0, -limit)) == ApiState::limit);
        CHECK(state(tensor(type, std::nextafter(limit, 0.0), 0.0)) != ApiState::limit);
    }
    CHECK(state(tensor("float32", 65504.0, 0.0)) == ApiState::clean);
    CHECK(state(tensor("float64", 65504.0, 0.0)) == ApiState::clean);
}

TEST_CASE("api values: quantisation scales 8-bit values to the limit of their type, arithmetic reaches it") {
    const auto states_of = [](ApiValue input, ApiValue output) {
        ApiEntry call;
        output.kind = ApiValueKind::output;
        call.values = {std::move(input), std::move(output)};
        std::vector<ApiState> states;
        set_states(call, false, states);
        return states;
    };
    using States = std::vector<ApiState>;
    const ApiValue wide = tensor("float16", 1.0, -1.0), small = tensor("float8_e4m3fn", 1.0, -1.0);
    const ApiValue full = tensor("float8_e4m3fn", 448, -448);
    CHECK(states_of(wide, full) == States{ApiState::clean, ApiState::near_limit});
    CHECK(states_of(full, full) == States{ApiState::near_limit, ApiState::near_limit});  // a view
    CHECK(states_of(small, full) == States{ApiState::clean, ApiState::limit});
    CHECK(states_of(wide, tensor("float8_e4m3fn", kNan, 0.0)) == States{ApiState::clean, ApiState::nan});
    CHECK(states_of(wide, tensor("float16", 65504.0, 0.0)) == States{ApiState::clean, ApiState::limit});
}

TEST_CASE("api values: near the limit is what is larger than half of it, of float16 only") {
    CHECK(state(tensor("float16", 32752.0, 0.0)) == ApiState::clean);
    CHECK(state(tensor("float16", 32768.0, 0.0)) == ApiState::near_limit);
    CHECK(state(tensor("float16", 0.0, -32768.0)) == ApiState::near_limit);
    CHECK(state(tensor("bfloat16", 3e+38, 0.0)) == ApiState::clean);
}

TEST_CASE("api values: without extremes, counts that found nothing make a value clean where NaN and Inf were counted") {
    ApiValue counted = tensor("float16", std::nullopt, std::nullopt);
    counted.nan = 0;
    CHECK(state(counted) == ApiState::unknown);
    counted.pos_inf = 0;
    CHECK(state(counted) == ApiState::clean);
    counted.nan.reset();
    CHECK(state(counted) == ApiState::unknown);
}

TEST_CASE("api values: integers, truth values and tensors without elements are never bad") {
    CHECK(state(tensor("int64", 9223372036854775807.0, 0.0)) == ApiState::clean);
    CHECK(state(tensor("bool", 1.0, 0.0)) == ApiState::clean);
    CHECK(state(tensor("int32", kNan, kNan)) == ApiState::clean);
    ApiValue empty = tensor("float16", kNan, kNan);
    empty.shape = {0, 8};
    CHECK(state(empty) == ApiState::clean);
    empty.max = empty.min = std::nullopt;
    CHECK(state(empty) == ApiState::clean);
}

TEST_CASE("api values: the norm proves nothing") {
    ApiValue value = tensor("float16", 1.5, -1.5);
    value.norm = kInf;
    CHECK(state(value) == ApiState::clean);
    value.norm = kNan;
    CHECK(state(value) == ApiState::clean);
}

TEST_CASE("api values: columns that count go before maximum and minimum") {
    ApiValue value = tensor("float32", std::nullopt, std::nullopt);  // all elements are bad: old writers state null
    value.nan = 3;
    value.neg_inf = value.pos_inf = 0;
    CHECK(state(value) == ApiState::nan);
    value.nan = 0;
    value.pos_inf = 2;
    CHECK(state(value) == ApiState::inf);
    value = tensor("float32", 2.0, 1.0);
    value.neg_inf = 1;
    CHECK(state(value) == ApiState::inf);
    value.neg_inf = 0;
    CHECK(state(value) == ApiState::clean);
}

TEST_CASE("api values: numbers that the program gave are bad when they are not finite, and have no limit") {
    ApiValue number;
    number.is_scalar = true;
    number.dtype = "float";
    number.max = number.min = kNan;
    CHECK(state(number) == ApiState::nan);
    number.max = number.min = -65504.0;
    CHECK(state(number) == ApiState::clean);
}

TEST_CASE("api values: any NaN looks alike, a missing value does not") {
    const ApiValue bad = tensor("float16", kNan, 1.0);
    CHECK(fingerprint_of(bad) == fingerprint_of(tensor("float16", -kNan, 1.0)));
    CHECK(fingerprint_of(bad) != fingerprint_of(tensor("float16", std::nullopt, 1.0)));
}

TEST_CASE("api values: counts without extremes say whether only negative infinity is to be seen, as in masks") {
    ApiValue counted = tensor("float32", std::nullopt, std::nullopt);
    counted.nan = 0;
    counted.pos_inf = 0;
    counted.neg_inf = 3;
    CHECK(only_negative_is_bad(counted, false));
    counted.pos_inf = 1;
    CHECK_FALSE(only_negative_is_bad(counted, false));
}
