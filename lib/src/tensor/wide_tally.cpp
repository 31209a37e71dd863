// float64 and complex numbers, element by element.
#include <cmath>
#include <cstring>

#include "tensor/ask_ahead.hpp"
#include "tensor/element_type.hpp"
#include "tensor/finite_numbers.hpp"
#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

/// A number, or one part of a complex number.
template <class Number>
double read_part(const FloatForm&, const std::uint8_t* place) noexcept {
    Number number = 0;
    std::memcpy(&number, place, sizeof number);
    return static_cast<double>(number);
}

template <>
double read_part<std::uint16_t>(const FloatForm& form, const std::uint8_t* place) noexcept {
    std::uint16_t bits = 0;
    std::memcpy(&bits, place, sizeof bits);
    return float_number(form, bits);
}

/// What magnitudes are compared with.
struct Limits {
    double largest;
    double smallest_normal;
};

unsigned is_subnormal(double magnitude, const Limits& limits) noexcept {
    return static_cast<unsigned>(magnitude < limits.smallest_normal) & static_cast<unsigned>(magnitude > 0);
}

/// What the elements showed so far. Without branches for all that may be different from element to element.
struct Found {
    TensorStatistics counts;  ///< no max, min or mean
    FiniteNumbers finite;

    void add(double number, const Limits& limits) noexcept {
        const double magnitude = std::fabs(number);
        if (!(magnitude < limits.largest) && !add_extreme(number, number)) {
            return;
        }
        counts.zero += static_cast<unsigned>(magnitude == 0);
        counts.subnormal += is_subnormal(magnitude, limits);
        finite.add(number);
    }

    void add(double real, double imaginary, const Limits& limits) noexcept {
        const double a = std::fabs(real);
        const double b = std::fabs(imaginary);
        if (!(a < limits.largest && b < limits.largest) && !add_extreme(real, imaginary)) {
            return;
        }
        counts.zero += static_cast<unsigned>(a == 0) & static_cast<unsigned>(b == 0);
        counts.subnormal += is_subnormal(a, limits) | is_subnormal(b, limits);
        finite.add(real);
        finite.add(imaginary);
    }

    /// A part is NaN, Inf or at the limit. Returns whether both are finite.
    bool add_extreme(double a, double b) noexcept {
        if (std::isnan(a) || std::isnan(b)) {
            ++counts.nan;
            return false;
        }
        if (std::isinf(a) || std::isinf(b)) {
            const double infinite = std::isinf(a) ? a : b;
            ++(infinite > 0 ? counts.pos_inf : counts.neg_inf);
            return false;
        }
        ++counts.saturated;
        return true;
    }
};

class WideTally final : public Tally {
public:
    explicit WideTally(const ElementType& type)
        : form_(type.form),
          complex_(type.encoding == Encoding::complex),
          limits_{largest_finite(type.form), float_number(type.form, std::uint64_t{1} << type.form.mantissa_bits)} {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        switch (form_.exponent_bits) {
            case 11: return add_all<double>(bytes.data(), elements);
            case 8: return add_all<float>(bytes.data(), elements);
            default: return add_all<std::uint16_t>(bytes.data(), elements);
        }
    }

    TensorStatistics statistics() const override {
        TensorStatistics statistics = found_.counts;
        found_.finite.put_into(statistics);
        return statistics;
    }

private:
    template <class Number>
    void add_all(const std::uint8_t* bytes, std::uint64_t elements) noexcept {
        const Limits limits = limits_;
        Found found = found_;  // a copy that stays in registers
        constexpr std::size_t kPart = sizeof(Number);
        const std::size_t size = complex_ ? 2 * kPart : kPart;
        for (const std::uint8_t* place = bytes; place < bytes + elements * size; place += size) {
            ask_ahead(place);
            const double number = read_part<Number>(form_, place);
            if (complex_) {
                found.add(number, read_part<Number>(form_, place + kPart), limits);
            } else {
                found.add(number, limits);
            }
        }
        found_ = found;
    }

    FloatForm form_;
    bool complex_;
    Limits limits_;
    Found found_;
};

}  // namespace

std::unique_ptr<Tally> make_wide_tally(const ElementType& type) {
    return std::make_unique<WideTally>(type);
}

}  // namespace opdebug::tensor_stage
