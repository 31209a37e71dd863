// float64 and complex numbers, element by element.
#include <cmath>
#include <cstring>

#include "tensor/finite_numbers.hpp"
#include "tensor/number.hpp"
#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

/// One number, or one part of a complex number.
struct Part {
    double number = 0;
    bool subnormal = false;
};

template <class Number, class Bits>
Part from_machine_number(const FloatForm& form, const std::uint8_t* place) noexcept {
    Number number = 0;
    Bits bits = 0;
    std::memcpy(&number, place, sizeof number);
    std::memcpy(&bits, place, sizeof bits);
    return {number, is_subnormal(form, bits)};
}

Part read_part(const FloatForm& form, const std::uint8_t* place) noexcept {
    switch (form.exponent_bits) {
        case 11: return from_machine_number<double, std::uint64_t>(form, place);
        case 8: return from_machine_number<float, std::uint32_t>(form, place);
        default: {
            std::uint16_t bits = 0;
            std::memcpy(&bits, place, sizeof bits);
            return {float_number(form, bits), is_subnormal(form, bits)};
        }
    }
}

class WideTally final : public Tally {
public:
    explicit WideTally(const ElementType& type)
        : form_(type.form), complex_(type.encoding == Encoding::complex), largest_(largest_finite(type.form)) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        const std::size_t part_size = (form_.exponent_bits + form_.mantissa_bits + 1) / 8;
        const std::uint8_t* place = bytes.data();
        for (std::uint64_t i = 0; i < elements; ++i) {
            const Part real = read_part(form_, place);
            place += part_size;
            if (!complex_) {
                add_element(real, real, 1);
                continue;
            }
            add_element(real, read_part(form_, place), 2);
            place += part_size;
        }
    }

    TensorStatistics statistics() const override {
        TensorStatistics statistics = counts_;
        finite_.put_into(statistics);
        return statistics;
    }

private:
    void add_element(const Part& a, const Part& b, unsigned parts) noexcept {
        if (std::isnan(a.number) || std::isnan(b.number)) {
            ++counts_.nan;
            return;
        }
        if (std::isinf(a.number) || std::isinf(b.number)) {
            const double infinite = std::isinf(a.number) ? a.number : b.number;
            ++(infinite > 0 ? counts_.pos_inf : counts_.neg_inf);
            return;
        }
        counts_.zero += a.number == 0 && b.number == 0 ? 1U : 0U;
        counts_.subnormal += a.subnormal || b.subnormal ? 1U : 0U;
        counts_.saturated += std::fabs(a.number) == largest_ || std::fabs(b.number) == largest_ ? 1U : 0U;
        finite_.add(a.number);
        if (parts == 2) {
            finite_.add(b.number);
        }
    }

    FloatForm form_;
    bool complex_;
    double largest_;
    TensorStatistics counts_;
    FiniteNumbers finite_;
};

}  // namespace

std::unique_ptr<Tally> make_wide_tally(const ElementType& type) {
    return std::make_unique<WideTally>(type);
}

}  // namespace opdebug::tensor_stage
