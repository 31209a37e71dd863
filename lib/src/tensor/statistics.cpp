// Statistics of all types, and the choice of the accumulator.
#include "tensor/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

namespace opdebug::tensor_stage {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are read as they are in the file");

template <class Element>
Element element(Bytes bytes, std::uint64_t index) noexcept {
    Element value;
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

bool is_integer(const ElementType& type) noexcept {
    return type.encoding == Encoding::boolean || type.encoding == Encoding::signed_integer ||
           type.encoding == Encoding::unsigned_integer;
}

/// Integers are reported as integers.
void make_exact(const ElementType& type, std::optional<TensorNumber>& number) {
    if (!number || !is_integer(type)) {
        return;
    }
    const double value = std::get<double>(*number);
    if (type.encoding == Encoding::signed_integer) {
        number = static_cast<std::int64_t>(value);
    } else {
        number = static_cast<std::uint64_t>(value);
    }
}

bool is_subnormal_code(const ElementType& type, std::size_t code) noexcept {
    if (type.encoding == Encoding::hifloat8) {
        return (code & 0x78U) == 0 && (code & 0x07U) != 0;  // dot 0000
    }
    return type.encoding == Encoding::floating && is_subnormal(type.form, code);
}

/// Types of up to 8 bits, float16 and bfloat16: the number of occurrences of each code is enough.
class CodeAccumulator final : public Accumulator {
public:
    CodeAccumulator(const ElementType& type, unsigned bits_apart)
        : type_(type), bits_apart_(bits_apart), counts_(std::size_t{1} << type.bits) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        if (type_.bits == 16) {
            for (std::uint64_t i = 0; i < elements; ++i) {
                ++counts_[element<std::uint16_t>(bytes, i)];
            }
            return;
        }
        const unsigned mask = (1U << type_.bits) - 1;
        for (std::uint64_t i = 0; i < elements; ++i) {
            ++counts_[packed_code(bytes, i, bits_apart_) & mask];
        }
    }

    TensorStatistics statistics() const override {
        const Ends ends = find_ends();
        TensorStatistics statistics;
        FiniteNumbers finite;
        for (std::size_t code = 0; code < counts_.size(); ++code) {
            const std::uint64_t count = counts_[code];
            if (count == 0) {
                continue;
            }
            const double number = number_of(code);
            if (!std::isfinite(number)) {
                (std::isnan(number) ? statistics.nan : number > 0 ? statistics.pos_inf : statistics.neg_inf) += count;
                continue;
            }
            finite.add(number, count);
            statistics.zero += number == 0 ? count : 0;
            statistics.subnormal += is_subnormal_code(type_, code) ? count : 0;
            statistics.saturated += number == ends.highest || number == ends.lowest ? count : 0;
        }
        finite.put_into(statistics);
        make_exact(type_, statistics.max);
        make_exact(type_, statistics.min);
        return statistics;
    }

private:
    double number_of(std::size_t code) const noexcept {
        return type_.bits == 16 ? float_number(type_.form, code)
                                : narrow_number(type_, static_cast<std::uint8_t>(code));
    }

    /// The numbers at which arithmetic saturates. NaN, which equals no number, if the type has no such end.
    struct Ends {
        double lowest = NAN;
        double highest = NAN;
    };

    Ends find_ends() const noexcept {
        Ends ends;
        if (type_.bits == 1 || type_.encoding == Encoding::boolean) {
            return ends;
        }
        if (type_.bits == 16) {
            return {-largest_finite(type_.form), largest_finite(type_.form)};
        }
        for (std::size_t code = 0; code < counts_.size(); ++code) {
            const double number = number_of(code);
            if (std::isfinite(number)) {
                ends.lowest = std::fmin(ends.lowest, number);  // fmin and fmax ignore NaN
                ends.highest = std::fmax(ends.highest, number);
            }
        }
        if (ends.lowest >= 0) {
            ends.lowest = NAN;
        }
        return ends;
    }

    const ElementType& type_;
    unsigned bits_apart_;
    std::vector<std::uint64_t> counts_;  ///< by code
};

/// Contains the sum of 2^63 numbers of 64 bits. GCC's and clang's; both have it on every 64-bit machine.
__extension__ using WideInteger = __int128;

/// Integers of 16 to 64 bits.
template <class Integer>
class IntegerAccumulator final : public Accumulator {
public:
    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        using Limits = std::numeric_limits<Integer>;
        for (std::uint64_t i = 0; i < elements; ++i) {
            const auto number = element<Integer>(bytes, i);
            max_ = std::max(max_, number);
            min_ = std::min(min_, number);
            sum_ += number;
            zero_ += number == 0 ? 1U : 0U;
            saturated_ += number == Limits::max() || (std::is_signed_v<Integer> && number == Limits::min()) ? 1U : 0U;
        }
        count_ += elements;
    }

    TensorStatistics statistics() const override {
        using Number = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;
        TensorStatistics statistics;
        if (count_ > 0) {
            const auto count = static_cast<WideInteger>(count_);
            statistics.max = static_cast<Number>(max_);
            statistics.min = static_cast<Number>(min_);
            const WideInteger whole = sum_ / count, rest = sum_ % count;
            statistics.mean = static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(count_);
        }
        statistics.zero = zero_;
        statistics.saturated = saturated_;
        return statistics;
    }

private:
    Integer max_ = std::numeric_limits<Integer>::min();
    Integer min_ = std::numeric_limits<Integer>::max();
    WideInteger sum_ = 0;
    std::uint64_t count_ = 0, zero_ = 0, saturated_ = 0;
};

template <class Signed>
std::unique_ptr<Accumulator> make_integers(bool is_signed) {
    if (is_signed) {
        return std::make_unique<IntegerAccumulator<Signed>>();
    }
    return std::make_unique<IntegerAccumulator<std::make_unsigned_t<Signed>>>();
}

/// A number, or one part of a complex number.
template <class Number>
double read_part(const FloatForm& form, const std::uint8_t* bytes) noexcept {
    Number number = 0;
    std::memcpy(&number, bytes, sizeof number);
    if constexpr (std::is_same_v<Number, std::uint16_t>) {
        return float_number(form, number);
    } else {
        return static_cast<double>(number);
    }
}

/// float32, float64 and complex numbers.
class WideAccumulator final : public Accumulator {
public:
    explicit WideAccumulator(const ElementType& type)
        : form_(type.form),
          complex_(type.encoding == Encoding::complex),
          largest_(largest_finite(type.form)),
          smallest_normal_(float_number(type.form, std::uint64_t{1} << type.form.mantissa_bits)) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        switch (form_.exponent_bits) {
            case 11: return add_all<double>(bytes.data(), elements);
            case 8: return add_all<float>(bytes.data(), elements);
            default: return add_all<std::uint16_t>(bytes.data(), elements);
        }
    }

    TensorStatistics statistics() const override {
        TensorStatistics statistics = counts_;
        finite_.put_into(statistics);
        return statistics;
    }

private:
    template <class Number>
    void add_all(const std::uint8_t* bytes, std::uint64_t elements) noexcept {
        const std::size_t size = complex_ ? 2 * sizeof(Number) : sizeof(Number);
        for (std::uint64_t i = 0; i < elements; ++i, bytes += size) {
            const double number = read_part<Number>(form_, bytes);
            add_element(number, complex_ ? read_part<Number>(form_, bytes + sizeof(Number)) : number);
        }
    }

    /// `b`: the imaginary part of a complex number; otherwise the number again.
    void add_element(double a, double b) noexcept {
        const double first = std::fabs(a), second = std::fabs(b);
        if (!(first < largest_ && second < largest_) && !add_extreme(a, b)) {
            return;
        }
        counts_.zero += first == 0 && second == 0 ? 1U : 0U;
        counts_.subnormal += is_subnormal_magnitude(first) || is_subnormal_magnitude(second) ? 1U : 0U;
        finite_.add(a);
        if (complex_) {
            finite_.add(b);
        }
    }

    bool is_subnormal_magnitude(double magnitude) const noexcept {
        return magnitude > 0 && magnitude < smallest_normal_;
    }

    /// A part is NaN, Inf or at the limit. Returns whether both are finite.
    bool add_extreme(double a, double b) noexcept {
        if (std::isnan(a) || std::isnan(b)) {
            ++counts_.nan;
            return false;
        }
        if (std::isinf(a) || std::isinf(b)) {
            ++((std::isinf(a) ? a : b) > 0 ? counts_.pos_inf : counts_.neg_inf);
            return false;
        }
        ++counts_.saturated;
        return true;
    }

    FloatForm form_;
    bool complex_;
    double largest_, smallest_normal_;
    TensorStatistics counts_;  ///< without max, min and mean
    FiniteNumbers finite_;
};

}  // namespace

double CompensatedSum::mean(double count) const noexcept {
    const Pair total = sum_ + error_;
    return std::isfinite(total[0]) ? total[0] / count : total[1] / count / kScale;
}

void FiniteNumbers::put_into(TensorStatistics& statistics) const {
    if (count_ == 0) {
        return;
    }
    // Rounding can leave the range by one step. Adding 0 makes -0 positive.
    statistics.mean = std::clamp(sum_.mean(static_cast<double>(count_)), min_, max_) + 0.0;
    statistics.max = max_ + 0.0;
    statistics.min = min_ + 0.0;
}

std::unique_ptr<Accumulator> make_accumulator(const ElementType& type, unsigned bits_apart) {
    if (type.bits <= 8 || (type.encoding == Encoding::floating && type.bits == 16)) {
        return std::make_unique<CodeAccumulator>(type, bits_apart);
    }
    if (!is_integer(type)) {
        return std::make_unique<WideAccumulator>(type);
    }
    const bool is_signed = type.encoding == Encoding::signed_integer;
    switch (type.bits) {
        case 16: return make_integers<std::int16_t>(is_signed);
        case 32: return make_integers<std::int32_t>(is_signed);
        default: return make_integers<std::int64_t>(is_signed);
    }
}

}  // namespace opdebug::tensor_stage
