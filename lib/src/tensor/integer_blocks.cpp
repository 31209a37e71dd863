#include "tensor/integer_blocks.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

#include "tensor/ask_ahead.hpp"

namespace opdebug::tensor_stage {
namespace {

template <class Integer>
Integer element(const std::uint8_t* bytes, std::size_t index) noexcept {
    Integer number;
    std::memcpy(&number, bytes + index * sizeof number, sizeof number);
    return number;
}

template <class Integer>
bool at_limit(Integer number) noexcept {
    using Limits = std::numeric_limits<Integer>;
    return number == Limits::max() || (std::is_signed_v<Integer> && number == Limits::min());
}

/// Counters are as wide as the elements: so they fill vectors of the same size.
template <class Integer>
[[gnu::always_inline]] inline std::uint32_t count_at_limits(const std::uint8_t* bytes, std::size_t elements) noexcept {
    std::make_unsigned_t<Integer> count = 0;
    for (std::size_t i = 0; i < elements; ++i) {
        count = static_cast<decltype(count)>(count + (at_limit(element<Integer>(bytes, i)) ? 1U : 0U));
    }
    return static_cast<std::uint32_t>(count);
}

/// Loops that both compilers turn into vectors, of the processor that the function is for into which they are inlined.
/// For that, the sum of 64 bits is held in two halves; values at the limits, which are rare, are counted where the
/// extremes show that there are some.
template <class Integer>
[[gnu::always_inline]] inline IntegerBlock<Integer> count_block(const std::uint8_t* bytes,
                                                                std::size_t elements) noexcept {
    using Sum = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;
    ask_ahead(bytes, elements * sizeof(Integer));
    Integer max = std::numeric_limits<Integer>::min();
    Integer min = std::numeric_limits<Integer>::max();
    Sum high = 0;
    std::uint64_t low = 0;
    std::make_unsigned_t<Integer> zero = 0;
    for (std::size_t i = 0; i < elements; ++i) {
        const auto number = element<Integer>(bytes, i);
        max = number > max ? number : max;
        min = number < min ? number : min;
        zero = static_cast<decltype(zero)>(zero + (number == 0 ? 1U : 0U));
        if constexpr (sizeof(Integer) == 8) {
            high += number >> 32U;
            low += static_cast<std::uint64_t>(number) & 0xFFFFFFFFU;
        } else {
            high += number;
        }
    }
    const WideInteger unit = sizeof(Integer) == 8 ? WideInteger{1} << 32U : WideInteger{1};
    const bool limits_reached = at_limit(max) || at_limit(min);
    return {max, min, high * unit + low, static_cast<std::uint32_t>(zero),
            limits_reached ? count_at_limits<Integer>(bytes, elements) : 0};
}

template <class Integer>
IntegerBlock<Integer> count_portably(const std::uint8_t* bytes, std::size_t elements) noexcept {
    return count_block<Integer>(bytes, elements);
}

constexpr IntegerKernels kPortable{
    count_portably<std::int16_t>,  count_portably<std::int32_t>,  count_portably<std::int64_t>,
    count_portably<std::uint16_t>, count_portably<std::uint32_t>, count_portably<std::uint64_t>,
};

#if defined(__x86_64__)

template <class Integer>
[[gnu::target("avx2")]] IntegerBlock<Integer> count_with_avx2(const std::uint8_t* bytes,
                                                              std::size_t elements) noexcept {
    return count_block<Integer>(bytes, elements);
}

constexpr IntegerKernels kWithAvx2{
    count_with_avx2<std::int16_t>,  count_with_avx2<std::int32_t>,  count_with_avx2<std::int64_t>,
    count_with_avx2<std::uint16_t>, count_with_avx2<std::uint32_t>, count_with_avx2<std::uint64_t>,
};

#endif

}  // namespace

const IntegerKernels& portable_integer_kernels() noexcept {
    return kPortable;
}

const IntegerKernels& fastest_integer_kernels() noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return kWithAvx2;
    }
#endif
    return kPortable;
}

}  // namespace opdebug::tensor_stage
