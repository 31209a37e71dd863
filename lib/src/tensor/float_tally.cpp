// float16, bfloat16 and float32, block by block.
#include <algorithm>
#include <cmath>

#include "bytes/little_endian.hpp"
#include "tensor/element_type.hpp"
#include "tensor/finite_numbers.hpp"
#include "tensor/float_blocks.hpp"
#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

CountFloats kernel_of(const ElementType& type) noexcept {
    const FloatKernels& kernels = fastest_float_kernels();
    if (type.bits == 32) {
        return kernels.float32;
    }
    return type.form.exponent_bits == 5 ? kernels.float16 : kernels.bfloat16;
}

class FloatTally final : public Tally {
public:
    explicit FloatTally(const ElementType& type)
        : form_(type.form), element_size_(type.bits / 8), count_floats_(kernel_of(type)) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        const std::uint8_t* place = bytes.data();
        while (elements > 0) {
            const auto block = static_cast<std::size_t>(std::min(elements, kElementsPerBlock));
            add_block(place, block);
            place += block * element_size_;
            elements -= block;
        }
    }

    TensorStatistics statistics() const override {
        TensorStatistics statistics = counts_;
        finite_.put_into(statistics);
        return statistics;
    }

private:
    void add_block(const std::uint8_t* bytes, std::size_t elements) noexcept {
        const std::size_t grouped = elements - elements % kFloatGroup;
        add_groups(bytes, grouped);
        const Bytes rest(bytes + grouped * element_size_, (elements - grouped) * element_size_);
        for (std::size_t place = 0; place < rest.size(); place += element_size_) {
            add_element(element_size_ == 4 ? bytes::read_u32(rest, place).value_or(0)
                                           : bytes::read_little_endian<std::uint16_t>(rest, place).value_or(0));
        }
    }

    void add_groups(const std::uint8_t* bytes, std::size_t elements) noexcept {
        if (elements == 0) {
            return;
        }
        FloatBlock block;
        count_floats_(bytes, elements, specials_expected_, block);
        counts_.nan += block.nan;
        counts_.pos_inf += block.pos_inf;
        counts_.neg_inf += block.neg_inf;
        counts_.saturated += block.saturated;
        counts_.subnormal += block.subnormal;
        counts_.zero += block.zero;
        specials_expected_ = block.finite < elements || block.saturated > 0;
        if (block.finite > 0) {
            finite_.add(float_number(form_, block.max_bits), float_number(form_, block.min_bits), block.sum,
                        block.finite);
        }
    }

    /// One of the last few elements of a tensor, which fill no group.
    void add_element(std::uint32_t bits) noexcept {
        const double number = float_number(form_, bits);
        if (!std::isfinite(number)) {
            ++(std::isnan(number) ? counts_.nan : number > 0 ? counts_.pos_inf : counts_.neg_inf);
            return;
        }
        counts_.zero += number == 0 ? 1U : 0U;
        counts_.subnormal += is_subnormal(form_, bits) ? 1U : 0U;
        counts_.saturated += std::fabs(number) == largest_finite(form_) ? 1U : 0U;
        finite_.add(number);
    }

    FloatForm form_;
    std::size_t element_size_;
    CountFloats count_floats_;
    TensorStatistics counts_;
    FiniteNumbers finite_;
    bool specials_expected_ = false;  ///< the last block had some: they come together
};

}  // namespace

std::unique_ptr<Tally> make_float_tally(const ElementType& type) {
    return std::make_unique<FloatTally>(type);
}

}  // namespace opdebug::tensor_stage
