// Integers of 16 to 64 bits, summed exactly.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

/// Holds the sum of 2^63 numbers of 64 bits. GCC's and clang's; both know it on every 64-bit machine.
__extension__ using WideInteger = __int128;

template <class Integer>
class IntegerTally final : public Tally {
    using Number = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;
    using Limits = std::numeric_limits<Integer>;

public:
    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        const std::uint8_t* place = bytes.data();
        for (std::uint64_t i = 0; i < elements; ++i, place += sizeof(Integer)) {
            Integer number;
            std::memcpy(&number, place, sizeof number);
            max_ = std::max(max_, number);
            min_ = std::min(min_, number);
            sum_ += number;
            zero_ += number == 0 ? 1U : 0U;
            saturated_ += number == Limits::max() || (std::is_signed_v<Integer> && number == Limits::min()) ? 1U : 0U;
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
    Integer max_ = Limits::min();
    Integer min_ = Limits::max();
    WideInteger sum_ = 0;
    std::uint64_t count_ = 0, zero_ = 0, saturated_ = 0;
};

template <class Signed, class Unsigned>
std::unique_ptr<Tally> make(bool is_signed) {
    if (is_signed) {
        return std::make_unique<IntegerTally<Signed>>();
    }
    return std::make_unique<IntegerTally<Unsigned>>();
}

}  // namespace

std::unique_ptr<Tally> make_integer_tally(const ElementType& type) {
    const bool is_signed = type.encoding == Encoding::signed_integer;
    switch (type.bits) {
        case 16: return make<std::int16_t, std::uint16_t>(is_signed);
        case 32: return make<std::int32_t, std::uint32_t>(is_signed);
        default: return make<std::int64_t, std::uint64_t>(is_signed);
    }
}

}  // namespace opdebug::tensor_stage
