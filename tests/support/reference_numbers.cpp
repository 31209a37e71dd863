#include "reference_numbers.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace opdebug::test {
namespace {

/// The `count` lowest bits as text, the highest first.
std::string bit_text(std::uint64_t value, unsigned count) {
    std::string text;
    for (unsigned i = count; i-- > 0;) {
        text += (value >> i & 1U) != 0 ? '1' : '0';
    }
    return text;
}

/// 2^-1100 to 2^1100, by doubling and halving.
std::vector<long double> powers() {
    std::vector<long double> table(2201, 1);
    for (std::size_t i = 1; i <= 1100; ++i) {
        table[1100 + i] = table[1099 + i] * 2;
        table[1100 - i] = table[1101 - i] / 2;
    }
    return table;
}

long double power_of_two(int exponent) {
    static const std::vector<long double> table = powers();
    return table.at(static_cast<std::size_t>(exponent + 1100));
}

int integer_of(const std::string& bits) {
    int value = 0;
    for (const char bit : bits) {
        value = 2 * value + (bit == '1' ? 1 : 0);
    }
    return value;
}

/// 0.b1b2b3... in binary.
long double fraction_of(const std::string& bits) {
    long double value = 0;
    long double weight = 1;
    for (const char bit : bits) {
        weight /= 2;
        value += bit == '1' ? weight : 0;
    }
    return value;
}

/// What is common to all types that have sign, exponent and mantissa. `kind`: "ieee" has Inf and NaN in the highest
/// exponent, "fn" has NaN in the highest code only, "finite" has neither.
struct Form {
    unsigned exponent = 0;
    unsigned mantissa = 0;
    std::string kind;
};

std::optional<Form> form_of(std::string_view dtype) {
    if (dtype == "float16" || dtype == "complex32") return Form{5, 10, "ieee"};
    if (dtype == "bfloat16") return Form{8, 7, "ieee"};
    if (dtype == "float32" || dtype == "complex64") return Form{8, 23, "ieee"};
    if (dtype == "float64" || dtype == "complex128") return Form{11, 52, "ieee"};
    if (dtype == "float8_e5m2") return Form{5, 2, "ieee"};
    if (dtype == "float8_e4m3fn") return Form{4, 3, "fn"};
    if (dtype == "float6_e3m2") return Form{3, 2, "finite"};
    if (dtype == "float6_e2m3") return Form{2, 3, "finite"};
    if (dtype == "float4_e2m1") return Form{2, 1, "finite"};
    if (dtype == "float4_e1m2") return Form{1, 2, "finite"};
    return std::nullopt;
}

long double float_from_bits(const Form& form, std::uint64_t value) {
    const std::string text = bit_text(value, 1 + form.exponent + form.mantissa);
    const long double sign = text[0] == '1' ? -1 : 1;
    const std::string exponent = text.substr(1, form.exponent);
    const std::string mantissa = text.substr(1 + form.exponent);
    const bool exponent_full = exponent.find('0') == std::string::npos;
    const bool mantissa_full = mantissa.find('0') == std::string::npos;
    if (exponent_full && form.kind == "ieee") {
        return mantissa.find('1') == std::string::npos ? sign * std::numeric_limits<long double>::infinity()
                                                       : std::numeric_limits<long double>::quiet_NaN();
    }
    if (exponent_full && mantissa_full && form.kind == "fn") {
        return std::numeric_limits<long double>::quiet_NaN();
    }
    // Every one of these types has the bias 2^(e-1) - 1, the one of a single exponent bit included, which is 1 there:
    // with 0 its numbers from 1 on would double.
    const int bias = form.exponent == 1 ? 1 : (1 << (form.exponent - 1)) - 1;
    if (integer_of(exponent) == 0) {
        return sign * fraction_of(mantissa) * power_of_two(1 - bias);
    }
    return sign * (1 + fraction_of(mantissa)) * power_of_two(integer_of(exponent) - bias);
}

/// arXiv 2409.16626, table 2: the dot states how many bits the exponent has.
long double hifloat8(std::uint64_t value) {
    if (value == 0x00) return 0;
    if (value == 0x80) return std::numeric_limits<long double>::quiet_NaN();
    if (value == 0x6F) return std::numeric_limits<long double>::infinity();
    if (value == 0xEF) return -std::numeric_limits<long double>::infinity();
    const std::string text = bit_text(value, 8);
    const long double sign = text[0] == '1' ? -1 : 1;
    struct Dot {
        const char* code;
        unsigned exponent_bits;
    };
    for (const Dot dot : {Dot{"11", 4}, Dot{"10", 3}, Dot{"01", 2}, Dot{"001", 1}, Dot{"0001", 0}}) {
        const std::string code = dot.code;
        if (text.compare(1, code.size(), code) != 0) {
            continue;
        }
        const std::string exponent = text.substr(1 + code.size(), dot.exponent_bits);
        const std::string mantissa = text.substr(1 + code.size() + dot.exponent_bits);
        int power = 0;
        if (dot.exponent_bits > 0) {
            power = integer_of("1" + exponent.substr(1)) * (exponent[0] == '1' ? -1 : 1);
        }
        return sign * (1 + fraction_of(mantissa)) * power_of_two(power);
    }
    return sign * power_of_two(integer_of(text.substr(5)) - 23);
}

/// "int16" → 16.
unsigned digits_of(std::string_view name) {
    unsigned value = 0;
    for (const char c : name) {
        value = c >= '0' && c <= '9' ? value * 10 + static_cast<unsigned>(c - '0') : value;
    }
    return value;
}

bool begins_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

long double one_number(std::string_view dtype, std::uint64_t value) {
    if (const auto form = form_of(dtype)) {
        return float_from_bits(*form, value);
    }
    if (dtype == "hifloat8") {
        return hifloat8(value);
    }
    if (dtype == "float8_e8m0") {
        return value == 255 ? std::numeric_limits<long double>::quiet_NaN()
                            : power_of_two(static_cast<int>(value) - 127);
    }
    if (dtype == "bool") {
        return value != 0 ? 1 : 0;
    }
    if (begins_with(dtype, "uint")) {
        return static_cast<long double>(value);
    }
    if (begins_with(dtype, "int")) {
        const unsigned bits = digits_of(dtype);
        const bool negative = (value >> (bits - 1) & 1U) != 0;
        return static_cast<long double>(value) - (negative ? power_of_two(static_cast<int>(bits)) : 0);
    }
    throw std::invalid_argument(std::string(dtype));
}

/// What counts as saturated and as subnormal; NaN where nothing does.
struct Limits {
    long double highest = std::numeric_limits<long double>::quiet_NaN();
    long double lowest = std::numeric_limits<long double>::quiet_NaN();
    long double smallest_normal = 0;
};

Limits limits_of(std::string_view dtype) {
    if (dtype == "bool" || dtype == "uint1") return {};
    if (dtype == "hifloat8") return {32768, -32768, power_of_two(-15)};
    Limits limits;
    if (dtype == "float8_e8m0") {
        limits.highest = power_of_two(127);
    } else if (begins_with(dtype, "uint")) {
        limits.highest = power_of_two(static_cast<int>(digits_of(dtype))) - 1;
    } else if (begins_with(dtype, "int")) {
        const long double half = power_of_two(static_cast<int>(digits_of(dtype)) - 1);
        limits.highest = half - 1;
        limits.lowest = -half;
    } else {
        const Form form = *form_of(dtype);
        const std::uint64_t codes = std::uint64_t{1} << (form.exponent + form.mantissa);
        std::uint64_t largest = codes - 1;
        if (form.kind == "ieee") {
            largest = codes - (std::uint64_t{1} << form.mantissa) - 1;
        } else if (form.kind == "fn") {
            largest = codes - 2;
        }
        limits.highest = float_from_bits(form, largest);
        limits.lowest = -limits.highest;
        limits.smallest_normal = float_from_bits(form, std::uint64_t{1} << form.mantissa);
    }
    return limits;
}

std::uint64_t bits_at(const Buffer& data, std::uint64_t first, unsigned count) {
    std::uint64_t value = 0;
    if (count % 8 == 0) {
        for (unsigned i = count / 8; i-- > 0;) {
            value = value << 8U | data.at(first / 8 + i);
        }
        return value;
    }
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t bit = data.at((first + i) / 8) >> (first + i) % 8 & 1U;
        value |= bit << i;
    }
    return value;
}

}  // namespace

unsigned reference_bits(std::string_view dtype) {
    if (dtype == "bool" || dtype == "hifloat8" || begins_with(dtype, "float8")) return 8;
    if (begins_with(dtype, "float6_")) return 6;
    if (begins_with(dtype, "float4_")) return 4;
    return digits_of(dtype);
}

std::vector<long double> reference_numbers(std::string_view dtype, std::uint64_t low, std::uint64_t high) {
    if (!begins_with(dtype, "complex")) {
        return {one_number(dtype, low)};
    }
    if (dtype == "complex128") {
        return {one_number(dtype, low), one_number(dtype, high)};
    }
    const unsigned part = reference_bits(dtype) / 2;
    return {one_number(dtype, low & ((std::uint64_t{1} << part) - 1)), one_number(dtype, low >> part)};
}

ReferenceStatistics reference_statistics(std::string_view dtype, const Buffer& data, std::uint64_t count) {
    ReferenceStatistics statistics;
    const unsigned bits = reference_bits(dtype);
    const Limits limits = limits_of(dtype);
    long double sum = 0;
    std::uint64_t numbers = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto element = bits == 128
                                 ? reference_numbers(dtype, bits_at(data, i * 128, 64), bits_at(data, i * 128 + 64, 64))
                                 : reference_numbers(dtype, bits_at(data, i * bits, bits));
        bool nan = false, limit = false, subnormal = false, zero = true;
        long double infinite = 0;
        for (const long double number : element) {
            nan = nan || std::isnan(number);
            infinite = infinite == 0 && std::isinf(number) ? number : infinite;
        }
        if (nan || infinite != 0) {
            ++(nan ? statistics.nan : infinite > 0 ? statistics.pos_inf : statistics.neg_inf);
            continue;
        }
        for (const long double number : element) {
            limit = limit || number == limits.highest || number == limits.lowest;
            subnormal = subnormal || (number != 0 && std::fabs(number) < limits.smallest_normal);
            zero = zero && number == 0;
            statistics.max = std::fmax(statistics.max.value_or(number), number);
            statistics.min = std::fmin(statistics.min.value_or(number), number);
            sum += number;
            ++numbers;
        }
        statistics.saturated += limit ? 1U : 0U;
        statistics.subnormal += subnormal ? 1U : 0U;
        statistics.zero += zero ? 1U : 0U;
    }
    if (numbers > 0) {
        statistics.mean = sum / static_cast<long double>(numbers);
    }
    return statistics;
}

}  // namespace opdebug::test
