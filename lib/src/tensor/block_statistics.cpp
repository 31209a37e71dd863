// Statistics of integers of 16 to 64 bits, float16, bfloat16 and float32, in blocks: plain loops that compilers turn
// into vectors. They are compiled twice, for every x86-64 processor and for those with AVX2, and give the same bits.
//
// Compilers need three things for that: a constant number of elements in a block, counters as wide as the elements, and
// sums of floats in lanes. Elements are compared as integers: the key of a float orders as the number does.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "bytes/little_endian.hpp"
#include "tensor/statistics.hpp"

namespace opdebug::tensor_stage {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are read as they are in the file");

constexpr std::size_t kBlock = kElementsPerBlock;
/// Element i of a block is added to sum i mod 16; the sums are added in order.
constexpr std::size_t kLanes = 16;

template <class Element>
[[gnu::always_inline]] inline Element element(const std::uint8_t* bytes, std::size_t index) noexcept {
    Element value;
    std::memcpy(&value, bytes + index * sizeof value, sizeof value);
    return value;
}

// ---- integers -------------------------------------------------------------------------------------------------------

/// Contains the sum of 2^63 numbers of 64 bits. GCC's and clang's; both have it on every 64-bit machine.
__extension__ using WideInteger = __int128;

template <class Integer>
struct IntegerBlock {
    Integer max, min;
    WideInteger sum;
    std::uint32_t zero, saturated;
};

template <class Integer>
[[gnu::always_inline]] inline bool is_limit(Integer number) noexcept {
    using Limits = std::numeric_limits<Integer>;
    return number == Limits::max() || (std::is_signed_v<Integer> && number == Limits::min());
}

/// Numbers of 64 bits are summed in halves. `kWhole`: the block has kBlock elements.
template <class Integer, bool kWhole>
[[gnu::always_inline]] inline IntegerBlock<Integer> count_integers(const std::uint8_t* bytes,
                                                                   std::size_t elements) noexcept {
    using Counter = std::make_unsigned_t<Integer>;
    using Signed = std::conditional_t<sizeof(Integer) == 2, std::int32_t, std::int64_t>;
    using Sum = std::conditional_t<std::is_signed_v<Integer>, Signed, std::make_unsigned_t<Signed>>;
    const std::size_t count = kWhole ? kBlock : elements;
    Integer max = std::numeric_limits<Integer>::min();
    Integer min = std::numeric_limits<Integer>::max();
    Sum high = 0;
    std::uint64_t low = 0;
    Counter zero = 0, saturated = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = element<Integer>(bytes, i);
        max = number > max ? number : max;
        min = number < min ? number : min;
        zero = static_cast<Counter>(zero + (number == 0 ? 1U : 0U));
        if constexpr (sizeof(Integer) == 8) {
            high += number >> 32U;
            low += static_cast<std::uint64_t>(number) & 0xFFFFFFFFU;
        } else {
            high += number;
        }
    }
    if (is_limit(max) || is_limit(min)) {  // rare
        for (std::size_t i = 0; i < count; ++i) {
            saturated = static_cast<Counter>(saturated + (is_limit(element<Integer>(bytes, i)) ? 1U : 0U));
        }
    }
    const WideInteger unit = sizeof(Integer) == 8 ? WideInteger{1} << 32U : WideInteger{1};
    return {max, min, high * unit + low, static_cast<std::uint32_t>(zero), static_cast<std::uint32_t>(saturated)};
}

// ---- floats ---------------------------------------------------------------------------------------------------------

struct FloatBlock {
    std::uint32_t nan = 0, pos_inf = 0, neg_inf = 0, saturated = 0, subnormal = 0, zero = 0, finite = 0;
    double max = 0, min = 0, sum = 0;  ///< of the finite elements
};

template <class To, class From>
[[gnu::always_inline]] inline To bits_as(From from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

struct Float32 {
    using Bits = std::uint32_t;
    using Key = std::int32_t;
    static constexpr Key kInfinity = 0x7F800000, kSmallestNormal = 0x00800000;
    [[gnu::always_inline]] static double number(Bits bits) noexcept { return bits_as<float>(bits); }
};

struct BFloat16 {
    using Bits = std::uint16_t;
    using Key = std::int16_t;
    static constexpr Key kInfinity = 0x7F80, kSmallestNormal = 0x0080;
    [[gnu::always_inline]] static double number(Bits bits) noexcept {
        return bits_as<float>(static_cast<std::uint32_t>(bits) << 16U);
    }
};

struct Float16 {
    using Bits = std::uint16_t;
    using Key = std::int16_t;
    static constexpr Key kInfinity = 0x7C00, kSmallestNormal = 0x0400;
    /// Exponent and mantissa are moved to a float's positions. Subnormal numbers get a leading 1, which is subtracted.
    [[gnu::always_inline]] static double number(Bits bits) noexcept {
        const std::uint32_t magnitude = (bits & 0x7FFFU) << 13U;
        const auto small = bits_as<std::uint32_t>(bits_as<float>(magnitude + (113U << 23U)) - 0x1p-14F);
        const std::uint32_t is_small = static_cast<std::int32_t>(magnitude) < (0x0400 << 13) ? ~0U : 0U;
        const std::uint32_t unsigned_bits = (small & is_small) | ((magnitude + (112U << 23U)) & ~is_small);
        return bits_as<float>(unsigned_bits | (bits & 0x8000U) << 16U);
    }
};

/// `kSpecials`: Inf and NaN are left out of max, min and sum, and counted with the elements at the limit. Otherwise
/// they are treated as numbers, which the extremes show.
template <class Form, bool kSpecials, bool kWhole>
[[gnu::always_inline]] inline void count_floats(const std::uint8_t* bytes, std::size_t elements, FloatBlock& block,
                                                typename Form::Key& max, typename Form::Key& min) noexcept {
    using Bits = typename Form::Bits;
    using Key = typename Form::Key;
    constexpr Key kNone = std::numeric_limits<Key>::min();
    constexpr Key kMagnitude = std::numeric_limits<Key>::max();
    const std::size_t count = kWhole ? kBlock : elements;
    Bits finite[kSpecials ? kBlock : 1];  // 0 instead of Inf and NaN
    Bits below_normal = 0, zero = 0, finite_count = 0, pos_inf = 0, neg_inf = 0, saturated = 0;
    max = kNone;
    min = kMagnitude;
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = element<Key>(bytes, i);
        const auto magnitude = static_cast<Key>(bits & kMagnitude);
        const auto sign = static_cast<Key>(bits >> (8 * sizeof bits - 1));
        const auto key = static_cast<Key>(bits ^ (sign & kMagnitude));
        const auto is_finite = static_cast<Key>(!kSpecials || magnitude < Form::kInfinity ? -1 : 0);
        const auto for_max = static_cast<Key>((key & is_finite) | (kNone & ~is_finite));
        const auto for_min = static_cast<Key>((key & is_finite) | (kMagnitude & ~is_finite));
        max = for_max > max ? for_max : max;
        min = for_min < min ? for_min : min;
        below_normal = static_cast<Bits>(below_normal + (magnitude < Form::kSmallestNormal ? 1U : 0U));
        zero = static_cast<Bits>(zero + (magnitude == 0 ? 1U : 0U));
    }
    if constexpr (kSpecials) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto bits = element<Key>(bytes, i);
            const auto magnitude = static_cast<Key>(bits & kMagnitude);
            finite_count = static_cast<Bits>(finite_count + (magnitude < Form::kInfinity ? 1U : 0U));
            pos_inf = static_cast<Bits>(pos_inf + (bits == Form::kInfinity ? 1U : 0U));
            neg_inf = static_cast<Bits>(neg_inf + (bits == static_cast<Key>(Form::kInfinity | kNone) ? 1U : 0U));
            saturated = static_cast<Bits>(saturated + (magnitude == Form::kInfinity - 1 ? 1U : 0U));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const auto bits = element<Key>(bytes, i);
            const auto magnitude = static_cast<Key>(bits & kMagnitude);
            finite[i] = static_cast<Bits>(bits & static_cast<Key>(magnitude < Form::kInfinity ? -1 : 0));
        }
    }
    const std::uint8_t* const summed = kSpecials ? reinterpret_cast<const std::uint8_t*>(finite) : bytes;
    double sums[kLanes] = {};
    for (std::size_t i = 0; i < count; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            sums[lane] += Form::number(element<Bits>(summed, i + lane));
        }
    }
    block = {};
    block.finite = kSpecials ? finite_count : static_cast<std::uint32_t>(count);
    block.pos_inf = pos_inf;
    block.neg_inf = neg_inf;
    block.nan = static_cast<std::uint32_t>(count) - block.finite - pos_inf - neg_inf;
    block.saturated = saturated;
    block.subnormal = static_cast<std::uint32_t>(below_normal) - zero;
    block.zero = zero;
    for (const double sum : sums) {
        block.sum += sum;
    }
}

template <class Key>
[[gnu::always_inline]] inline Key bits_of_key(Key key) noexcept {
    return static_cast<Key>(key ^ (static_cast<Key>(key >> (8 * sizeof key - 1)) & std::numeric_limits<Key>::max()));
}

/// Assumes that the block contains no Inf and NaN, which is true for most; the extremes show if the assumption was
/// wrong.
template <class Form, bool kWhole>
[[gnu::always_inline]] inline FloatBlock float_block(const std::uint8_t* bytes, std::size_t elements) noexcept {
    FloatBlock block;
    typename Form::Key max = 0, min = 0;
    count_floats<Form, false, kWhole>(bytes, elements, block, max, min);
    if (max >= Form::kInfinity - 1 || min <= -Form::kInfinity) {
        count_floats<Form, true, kWhole>(bytes, elements, block, max, min);
    }
    block.max = Form::number(static_cast<typename Form::Bits>(bits_of_key(max)));
    block.min = Form::number(static_cast<typename Form::Bits>(bits_of_key(min)));
    return block;
}

// ---- the two compilations -------------------------------------------------------------------------------------------

/// Functions that count blocks: `whole` has kBlock elements; for floats `part` has a multiple of kLanes.
template <class Block>
struct Kernel {
    Block (*whole)(const std::uint8_t* bytes, std::size_t elements) noexcept;
    Block (*part)(const std::uint8_t* bytes, std::size_t elements) noexcept;
};

template <class Integer, bool kWhole>
IntegerBlock<Integer> integers(const std::uint8_t* bytes, std::size_t elements) noexcept {
    return count_integers<Integer, kWhole>(bytes, elements);
}

template <class Form, bool kWhole>
FloatBlock floats(const std::uint8_t* bytes, std::size_t elements) noexcept {
    return float_block<Form, kWhole>(bytes, elements);
}

#if defined(__x86_64__)

template <class Integer>
[[gnu::target("avx2")]] IntegerBlock<Integer> integers_avx2(const std::uint8_t* bytes, std::size_t elements) noexcept {
    return count_integers<Integer, true>(bytes, elements);
}

template <class Form>
[[gnu::target("avx2")]] FloatBlock floats_avx2(const std::uint8_t* bytes, std::size_t elements) noexcept {
    return float_block<Form, true>(bytes, elements);
}

/// Called once: cpuid exits to the hypervisor in a virtual machine.
bool has_avx2() noexcept {
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

template <class Integer>
Kernel<IntegerBlock<Integer>> integer_kernel() noexcept {
    return {has_avx2() ? integers_avx2<Integer> : integers<Integer, true>, integers<Integer, false>};
}

template <class Form>
Kernel<FloatBlock> float_kernel() noexcept {
    return {has_avx2() ? floats_avx2<Form> : floats<Form, true>, floats<Form, false>};
}

#else

template <class Integer>
Kernel<IntegerBlock<Integer>> integer_kernel() noexcept {
    return {integers<Integer, true>, integers<Integer, false>};
}

template <class Form>
Kernel<FloatBlock> float_kernel() noexcept {
    return {floats<Form, true>, floats<Form, false>};
}

#endif

// ---- accumulators ---------------------------------------------------------------------------------------------------

template <class Integer>
class IntegerAccumulator final : public Accumulator {
    using Number = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;

public:
    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        for (std::uint64_t done = 0; done < elements; done += kBlock) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(elements - done, kBlock));
            const auto block =
                (count == kBlock ? kernel_.whole : kernel_.part)(bytes.data() + done * sizeof(Integer), count);
            max_ = std::max(max_, block.max);
            min_ = std::min(min_, block.min);
            sum_ += block.sum;
            zero_ += block.zero;
            saturated_ += block.saturated;
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
    Kernel<IntegerBlock<Integer>> kernel_ = integer_kernel<Integer>();
    Integer max_ = std::numeric_limits<Integer>::min();
    Integer min_ = std::numeric_limits<Integer>::max();
    WideInteger sum_ = 0;
    std::uint64_t count_ = 0, zero_ = 0, saturated_ = 0;
};

class FloatAccumulator final : public Accumulator {
public:
    FloatAccumulator(const ElementType& type, Kernel<FloatBlock> kernel)
        : form_(type.form), size_(type.bits / 8), kernel_(kernel) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        const std::uint8_t* position = bytes.data();
        for (; elements >= kBlock; elements -= kBlock, position += kBlock * size_) {
            add_block(kernel_.whole(position, kBlock));
        }
        const auto in_lanes = static_cast<std::size_t>(elements - elements % kLanes);
        if (in_lanes != 0) {
            add_block(kernel_.part(position, in_lanes));
        }
        const Bytes rest(position + in_lanes * size_, static_cast<std::size_t>(elements % kLanes) * size_);
        for (std::size_t offset = 0; offset < rest.size(); offset += size_) {
            add_element(size_ == 4 ? bytes::read_u32(rest, offset).value_or(0)
                                   : bytes::read_little_endian<std::uint16_t>(rest, offset).value_or(0));
        }
    }

    TensorStatistics statistics() const override {
        TensorStatistics statistics = counts_;
        finite_.put_into(statistics);
        return statistics;
    }

private:
    void add_block(const FloatBlock& block) noexcept {
        counts_.nan += block.nan;
        counts_.pos_inf += block.pos_inf;
        counts_.neg_inf += block.neg_inf;
        counts_.saturated += block.saturated;
        counts_.subnormal += block.subnormal;
        counts_.zero += block.zero;
        if (block.finite > 0) {
            finite_.add(block.max, block.min, block.sum, block.finite);
        }
    }

    /// One of the last few elements of a tensor, which fill no lanes.
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
    std::size_t size_;
    Kernel<FloatBlock> kernel_;
    TensorStatistics counts_;
    FiniteNumbers finite_;
};

template <class Signed>
std::unique_ptr<Accumulator> make_integers(bool is_signed) {
    if (is_signed) {
        return std::make_unique<IntegerAccumulator<Signed>>();
    }
    return std::make_unique<IntegerAccumulator<std::make_unsigned_t<Signed>>>();
}

}  // namespace

std::unique_ptr<Accumulator> make_block_accumulator(const ElementType& type) {
    if (type.encoding == Encoding::floating) {
        return std::make_unique<FloatAccumulator>(type, type.bits == 32                ? float_kernel<Float32>()
                                                        : type.form.exponent_bits == 5 ? float_kernel<Float16>()
                                                                                       : float_kernel<BFloat16>());
    }
    const bool is_signed = type.encoding == Encoding::signed_integer;
    switch (type.bits) {
        case 16: return make_integers<std::int16_t>(is_signed);
        case 32: return make_integers<std::int32_t>(is_signed);
        default: return make_integers<std::int64_t>(is_signed);
    }
}

}  // namespace opdebug::tensor_stage
