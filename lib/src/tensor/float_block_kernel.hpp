// Counting a block of floats: included by float_blocks_portable.cpp and float_blocks_avx2.cpp, each with other compiler
// options.
//
// Everything is in an unnamed namespace and nothing of the standard library is used: an inline function that was
// compiled here for a newer processor must not stand in for the one that the rest of the program uses.
//
// Vectors are GCC's and clang's vector extensions, for neither compiler turns the plain loops into good code. Elements
// are compared as integers: without the sign bit, the order of the bits is the order of the magnitudes.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "tensor/ask_ahead.hpp"
#include "tensor/float_blocks.hpp"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are read as they lie in the file");

// Definitions in a header: it is the body of the two files that include it.
// NOLINTBEGIN(misc-definitions-in-headers)
namespace opdebug::tensor_stage {
namespace {

#if defined(__AVX2__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif

template <class Number>
struct VectorOf {
    typedef Number Type __attribute__((vector_size(kVectorBytes)));
};
template <class Number>
using Vector = typename VectorOf<Number>::Type;
constexpr std::size_t kFloats = kVectorBytes / sizeof(float);    // in a vector
constexpr std::size_t kDoubles = kVectorBytes / sizeof(double);  // in a vector

/// 16 sums: element i of the block goes to sum i mod 16, whatever the size of the vectors.
struct Sums {
    Vector<double> vectors[kFloatGroup / kDoubles];
};

#if defined(__AVX2__)
void add(const Vector<float>& floats, Vector<double>* sums) noexcept {
    sums[0] += _mm256_cvtps_pd(_mm256_castps256_ps128(floats));
    sums[1] += _mm256_cvtps_pd(_mm256_extractf128_ps(floats, 1));
}
#else
typedef float HalfOfFloats __attribute__((vector_size(kVectorBytes / 2)));

void add(const Vector<float>& floats, Vector<double>* sums) noexcept {
    HalfOfFloats halves[2];
    __builtin_memcpy(halves, &floats, sizeof halves);
    sums[0] += __builtin_convertvector(halves[0], Vector<double>);
    sums[1] += __builtin_convertvector(halves[1], Vector<double>);
}
#endif

struct Float32 {
    using Bits = std::uint32_t;
    using SignedBits = std::int32_t;
    static constexpr Bits kInfinity = 0x7F800000, kSmallestNormal = 0x00800000;

    static void add_group(const std::uint8_t* bytes, Sums& sums) noexcept {
        for (std::size_t i = 0; i < kFloatGroup / kFloats; ++i) {
            Vector<float> floats;
            __builtin_memcpy(&floats, bytes + i * kVectorBytes, kVectorBytes);
            add(floats, sums.vectors + 2 * i);
        }
    }

    static constexpr std::size_t position(std::size_t vector, std::size_t lane) noexcept {
        return vector * kDoubles + lane;
    }
};

/// Types of 16 bits become floats two by two: a vector of 32-bit words holds elements with even places in the lower
/// halves and those with odd places in the upper ones.
struct Float16Bits {
    using Bits = std::uint16_t;
    using SignedBits = std::int16_t;

    static constexpr std::size_t position(std::size_t vector, std::size_t lane) noexcept {
        const std::size_t odd = vector % 4 / 2;
        const std::size_t in_words = vector % 2 * kDoubles + lane;
        return vector / 4 * 2 * kFloats + 2 * in_words + odd;
    }
};

struct BFloat16 : Float16Bits {
    static constexpr Bits kInfinity = 0x7F80, kSmallestNormal = 0x0080;

    static void add_group(const std::uint8_t* bytes, Sums& sums) noexcept {
        for (std::size_t i = 0; i < kFloatGroup / (2 * kFloats); ++i) {
            Vector<std::uint32_t> words;
            __builtin_memcpy(&words, bytes + i * kVectorBytes, kVectorBytes);
            const Vector<std::uint32_t> even = words << 16U;
            const Vector<std::uint32_t> odd = words & 0xFFFF0000U;
            Vector<float> floats;
            __builtin_memcpy(&floats, &even, sizeof floats);
            add(floats, sums.vectors + 4 * i);
            __builtin_memcpy(&floats, &odd, sizeof floats);
            add(floats, sums.vectors + 4 * i + 2);
        }
    }
};

/// A block's sum of float16 is exact in a double (4096 multiples of 2^-24 below 2^16), so their order does not matter.
struct Float16 : Float16Bits {
    static constexpr Bits kInfinity = 0x7C00, kSmallestNormal = 0x0400;

#if defined(__F16C__) && defined(__AVX2__)
    static void add_group(const std::uint8_t* bytes, Sums& sums) noexcept {
        add(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))), sums.vectors);
        add(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16))), sums.vectors + 2);
    }
#else
    static void add_group(const std::uint8_t* bytes, Sums& sums) noexcept {
        for (std::size_t i = 0; i < kFloatGroup / (2 * kFloats); ++i) {
            Vector<std::uint32_t> words;
            __builtin_memcpy(&words, bytes + i * kVectorBytes, kVectorBytes);
            add_words(words & 0xFFFFU, sums.vectors + 4 * i);
            add_words(words >> 16U, sums.vectors + 4 * i + 2);
        }
    }

    /// Exponent and mantissa moved to a float's places mean 2^-112 of the number; that holds for subnormals too.
    static void add_words(const Vector<std::uint32_t>& words, Vector<double>* sums) noexcept {
        const Vector<std::uint32_t> magnitudes = (words & 0x7FFFU) << 13U;
        Vector<float> floats;
        __builtin_memcpy(&floats, &magnitudes, sizeof floats);
        floats *= 0x1p112F;
        Vector<std::uint32_t> bits;
        __builtin_memcpy(&bits, &floats, sizeof bits);
        bits |= (words & 0x8000U) << 16U;
        __builtin_memcpy(&floats, &bits, sizeof floats);
        add(floats, sums);
    }
#endif
};

/// Counters and extremes, lane by lane.
template <class Form>
struct Lanes {
    using Bits = typename Form::Bits;
    using SignedBits = typename Form::SignedBits;
    using Unsigned = Vector<Bits>;
    using Signed = Vector<SignedBits>;
    static constexpr std::size_t kCount = kVectorBytes / sizeof(Bits);
    static constexpr auto kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    static constexpr auto kMagnitude = static_cast<SignedBits>(kSign - 1);
    static constexpr auto kLargest = static_cast<SignedBits>(Form::kInfinity - 1);
    static constexpr auto kInfinity = static_cast<SignedBits>(Form::kInfinity);
    static constexpr auto kNegativeInfinity = static_cast<SignedBits>(Form::kInfinity | kSign);
    static constexpr auto kNegativeZero = static_cast<SignedBits>(kSign);
    static constexpr auto kSmallestNormal = static_cast<SignedBits>(Form::kSmallestNormal);

    Signed finite, pos_inf, neg_inf, saturated, below_normal, zero;  // finite to saturated: with kSpecials only
    // As signed integers the largest is the largest positive element, if any; as unsigned ones it is the lowest
    // negative element, if any. The smallest serves where all have one sign.
    Signed highest;
    Unsigned highest_unsigned;
    Unsigned lowest_unsigned;
};

template <class Form>
void clear(Lanes<Form>& lanes) noexcept {
    using Bits = typename Form::Bits;
    const typename Lanes<Form>::Signed none = {};
    lanes.finite = lanes.pos_inf = lanes.neg_inf = lanes.saturated = lanes.below_normal = lanes.zero = none;
    lanes.highest = none + Lanes<Form>::kNegativeZero;
    lanes.highest_unsigned = typename Lanes<Form>::Unsigned{};
    lanes.lowest_unsigned = typename Lanes<Form>::Unsigned{} + static_cast<Bits>(~Bits{0});
}

/// Counts one vector of elements; inlined by order, for GCC would keep the lanes in memory. `kSpecials`: Inf and NaN
/// are counted and replaced by 0, for the sum, in `elements`; otherwise they are taken for numbers.
template <bool kSpecials, class Form>
__attribute__((always_inline)) inline void count(typename Lanes<Form>::Signed& elements, Lanes<Form>& lanes) noexcept {
    using L = Lanes<Form>;
    using Signed = typename L::Signed;
    using Unsigned = typename L::Unsigned;
    const Signed magnitudes = elements & L::kMagnitude;
    // A comparison that holds is -1.
    lanes.below_normal -= static_cast<Signed>(magnitudes < L::kSmallestNormal);
    lanes.zero -= static_cast<Signed>(magnitudes == 0);
    Signed for_highest = elements;
    auto for_highest_unsigned = reinterpret_cast<Unsigned>(elements);
    Unsigned for_lowest_unsigned = for_highest_unsigned;
    if constexpr (kSpecials) {
        const auto finite = static_cast<Signed>(magnitudes < L::kInfinity);
        lanes.finite -= finite;
        lanes.pos_inf -= static_cast<Signed>(elements == L::kInfinity);
        lanes.neg_inf -= static_cast<Signed>(elements == L::kNegativeInfinity);
        lanes.saturated -= static_cast<Signed>(magnitudes == L::kLargest);
        for_highest = (elements & finite) | (~finite & L::kNegativeZero);
        for_highest_unsigned &= reinterpret_cast<Unsigned>(finite);
        for_lowest_unsigned |= ~reinterpret_cast<Unsigned>(finite);
        elements &= finite;
    }
    lanes.highest = for_highest > lanes.highest ? for_highest : lanes.highest;
    lanes.highest_unsigned =
        for_highest_unsigned > lanes.highest_unsigned ? for_highest_unsigned : lanes.highest_unsigned;
    lanes.lowest_unsigned = for_lowest_unsigned < lanes.lowest_unsigned ? for_lowest_unsigned : lanes.lowest_unsigned;
}

/// Adds the lanes up.
template <bool kSpecials, class Form>
__attribute__((always_inline)) inline void finish(const Lanes<Form>& lanes, const Sums& sums, std::size_t elements,
                                                  FloatBlock& block) noexcept {
    using L = Lanes<Form>;
    block.finite = block.pos_inf = block.neg_inf = block.saturated = block.subnormal = block.zero = 0;
    auto highest = lanes.highest[0];
    auto highest_unsigned = lanes.highest_unsigned[0];
    auto lowest_unsigned = lanes.lowest_unsigned[0];
    for (std::size_t i = 0; i < L::kCount; ++i) {
        block.finite += static_cast<std::uint32_t>(lanes.finite[i]);
        block.pos_inf += static_cast<std::uint32_t>(lanes.pos_inf[i]);
        block.neg_inf += static_cast<std::uint32_t>(lanes.neg_inf[i]);
        block.saturated += static_cast<std::uint32_t>(lanes.saturated[i]);
        block.subnormal += static_cast<std::uint32_t>(lanes.below_normal[i] - lanes.zero[i]);
        block.zero += static_cast<std::uint32_t>(lanes.zero[i]);
        highest = lanes.highest[i] > highest ? lanes.highest[i] : highest;
        highest_unsigned = lanes.highest_unsigned[i] > highest_unsigned ? lanes.highest_unsigned[i] : highest_unsigned;
        lowest_unsigned = lanes.lowest_unsigned[i] < lowest_unsigned ? lanes.lowest_unsigned[i] : lowest_unsigned;
    }
    block.finite = kSpecials ? block.finite : static_cast<std::uint32_t>(elements);
    block.nan = static_cast<std::uint32_t>(elements) - block.finite - block.pos_inf - block.neg_inf;
    block.max_bits = highest >= 0 ? static_cast<std::uint32_t>(highest) : lowest_unsigned;
    block.min_bits = highest_unsigned >= L::kSign ? highest_unsigned : lowest_unsigned;
    double in_order[kFloatGroup];
    for (std::size_t v = 0; v < kFloatGroup / kDoubles; ++v) {
        for (std::size_t lane = 0; lane < kDoubles; ++lane) {
            in_order[Form::position(v, lane)] = sums.vectors[v][lane];
        }
    }
    block.sum = 0;
    for (const double sum : in_order) {
        block.sum += sum;
    }
}

template <bool kSpecials, class Form>
void count_block(const std::uint8_t* bytes, std::size_t elements, FloatBlock& block) noexcept {
    constexpr std::size_t kGroupBytes = kFloatGroup * sizeof(typename Form::Bits);
    constexpr std::size_t kVectors = kGroupBytes / kVectorBytes;
    Lanes<Form> lanes;
    clear(lanes);
    Sums sums;
    for (Vector<double>& sum : sums.vectors) {
        sum = Vector<double>{};
    }
    for (std::size_t i = 0; i < elements; i += kFloatGroup, bytes += kGroupBytes) {
        ask_ahead(bytes);
        typename Lanes<Form>::Signed group[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) {
            typename Lanes<Form>::Signed vector;
            __builtin_memcpy(&vector, bytes + v * kVectorBytes, kVectorBytes);
            count<kSpecials>(vector, lanes);
            group[v] = vector;
        }
        Form::add_group(kSpecials ? reinterpret_cast<const std::uint8_t*>(group) : bytes, sums);
    }
    finish<kSpecials>(lanes, sums, elements, block);
}

/// Most blocks hold nothing special: that is assumed first, and seen in the extremes when it was wrong.
template <class Form>
void count_floats(const std::uint8_t* bytes, std::size_t elements, bool specials_expected, FloatBlock& block) noexcept {
    if (!specials_expected) {
        count_block<false, Form>(bytes, elements, block);
        constexpr auto kLargest = static_cast<std::uint32_t>(Form::kInfinity - 1);
        constexpr auto kLowest = kLargest | Lanes<Form>::kSign;
        const bool special_above = block.max_bits >= kLargest && block.max_bits < Lanes<Form>::kSign;
        if (!special_above && block.min_bits < kLowest) {
            return;
        }
    }
    count_block<true, Form>(bytes, elements, block);
}

constexpr FloatKernels kKernels{count_floats<Float16>, count_floats<BFloat16>, count_floats<Float32>};

}  // namespace
}  // namespace opdebug::tensor_stage
// NOLINTEND(misc-definitions-in-headers)
