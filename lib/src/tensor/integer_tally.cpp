// Integers of 16 to 64 bits, summed exactly.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "tensor/integer_blocks.hpp"
#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

template <class Integer>
class IntegerTally final : public Tally {
    using Number = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;
    using Limits = std::numeric_limits<Integer>;

public:
    explicit IntegerTally(CountIntegers<Integer> count_integers) : count_integers_(count_integers) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        constexpr std::uint64_t kBlock = kIntegerBlockBytes / sizeof(Integer);
        const std::uint8_t* place = bytes.data();
        for (std::uint64_t left = elements; left > 0;) {
            const auto count = static_cast<std::size_t>(std::min(left, kBlock));
            const IntegerBlock<Integer> block = count_integers_(place, count);
            max_ = std::max(max_, block.max);
            min_ = std::min(min_, block.min);
            sum_ += block.sum;
            zero_ += block.zero;
            saturated_ += block.saturated;
            place += count * sizeof(Integer);
            left -= count;
        }
        count_ += elements;
    }

    TensorStatistics statistics() const override {
        TensorStatistics statistics;
        if (count_ > 0) {
            const auto count = static_cast<WideInteger>(count_);
            const WideInteger whole = sum_ / count;
            const WideInteger rest = sum_ % count;
            statistics.max = static_cast<Number>(max_);
            statistics.min = static_cast<Number>(min_);
            statistics.mean = static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(count_);
        }
        statistics.zero = zero_;
        statistics.saturated = saturated_;
        return statistics;
    }

private:
    CountIntegers<Integer> count_integers_;
    Integer max_ = Limits::min();
    Integer min_ = Limits::max();
    WideInteger sum_ = 0;
    std::uint64_t count_ = 0, zero_ = 0, saturated_ = 0;
};

template <class Integer>
std::unique_ptr<Tally> make(CountIntegers<Integer> count_integers) {
    return std::make_unique<IntegerTally<Integer>>(count_integers);
}

}  // namespace

std::unique_ptr<Tally> make_integer_tally(const ElementType& type) {
    const IntegerKernels& kernels = fastest_integer_kernels();
    const bool is_signed = type.encoding == Encoding::signed_integer;
    switch (type.bits) {
        case 16: return is_signed ? make(kernels.int16) : make(kernels.uint16);
        case 32: return is_signed ? make(kernels.int32) : make(kernels.uint32);
        default: return is_signed ? make(kernels.int64) : make(kernels.uint64);
    }
}

}  // namespace opdebug::tensor_stage
