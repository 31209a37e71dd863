// Statistics of types of up to 8 bits, of float64 and of complex numbers; the choice of the accumulator.
#include "tensor/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <variant>

namespace opdebug::tensor_stage {
namespace {

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

bool is_subnormal_code(const ElementType& type, std::uint8_t code) noexcept {
    if (type.encoding == Encoding::hifloat8) {
        return (code & 0x78U) == 0 && (code & 0x07U) != 0;  // dot 0000
    }
    return type.encoding == Encoding::floating && is_subnormal(type.form, code);
}

/// Types of up to 8 bits: the number of occurrences of each code is enough. If bytes contain whole codes, bytes are
/// counted.
class CodeAccumulator final : public Accumulator {
public:
    CodeAccumulator(const ElementType& type, unsigned bits_apart) : type_(type), bits_apart_(bits_apart) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        const std::uint64_t in_bytes = 8 % bits_apart_ == 0 ? elements - elements % (8 / bits_apart_) : 0;
        count_bytes(bytes.slice(0, static_cast<std::size_t>(in_bytes * bits_apart_ / 8)));
        for (std::uint64_t i = in_bytes; i < elements; ++i) {
            ++others_[packed_code(bytes, i, bits_apart_)];
        }
    }

    TensorStatistics statistics() const override {
        const Ends ends = find_ends();
        const CodeCounts counts = count_codes();
        TensorStatistics statistics;
        FiniteNumbers finite;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const std::uint64_t count = counts[i];
            if (count == 0) {
                continue;
            }
            const auto code = static_cast<std::uint8_t>(i);
            const double number = narrow_number(type_, code);
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
    using CodeCounts = std::array<std::uint64_t, 256>;
    /// Neighbours are counted apart: an equal byte would wait until its counter is written.
    static constexpr std::size_t kWays = 4;

    void count_bytes(Bytes bytes) noexcept {
        std::size_t i = 0;
        for (; i + kWays <= bytes.size(); i += kWays) {
            for (std::size_t way = 0; way < kWays; ++way) {
                ++bytes_[way][bytes[i + way]];
            }
        }
        for (; i < bytes.size(); ++i) {
            ++bytes_[0][bytes[i]];
        }
    }

    /// The codes in the counted bytes, and the others.
    CodeCounts count_codes() const noexcept {
        CodeCounts counts = others_;
        const unsigned mask = (1U << type_.bits) - 1;
        for (unsigned byte = 0; byte < 256 && 8 % bits_apart_ == 0; ++byte) {
            for (unsigned shift = 0; shift < 8; shift += bits_apart_) {
                for (const CodeCounts& way : bytes_) {
                    counts[byte >> shift & mask] += way[byte];
                }
            }
        }
        return counts;
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
        for (unsigned code = 0; code < 1U << type_.bits; ++code) {
            const double number = narrow_number(type_, static_cast<std::uint8_t>(code));
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
    std::array<CodeCounts, kWays> bytes_{};
    CodeCounts others_{};  ///< of codes that share a byte with other bits, or continue in the next one
};

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

/// float64 and complex numbers, element by element.
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
    if (type.bits <= 8) {
        return std::make_unique<CodeAccumulator>(type, bits_apart);
    }
    if (is_integer(type) || (type.encoding == Encoding::floating && type.bits <= 32)) {
        return make_block_accumulator(type);
    }
    return std::make_unique<WideAccumulator>(type);
}

}  // namespace opdebug::tensor_stage
