#include "logs/patterns/hex_digit_runs.hpp"

#include <algorithm>
#include <array>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace opdebug::logs {
namespace {

std::uint64_t digits_of_whole_block(const char* block) noexcept {
    std::uint64_t digits = 0;
#if defined(__SSE2__)
    const auto at_most = [](__m128i bytes, char most) {
        return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(most)), bytes);
    };
    for (std::size_t place = 0; place < HexDigitRuns::kBlock; place += sizeof(__m128i)) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + place));
        const __m128i is_digit = at_most(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), 9);
        const __m128i is_letter = at_most(_mm_sub_epi8(bytes, _mm_set1_epi8('a')), 'f' - 'a');
        const auto of_bytes = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter)));
        digits |= std::uint64_t{of_bytes} << place;
    }
#else
    for (std::size_t place = 0; place < HexDigitRuns::kBlock; ++place) {
        digits |= std::uint64_t{is_hex_digit(block[place])} << place;
    }
#endif
    return digits;
}

}  // namespace

std::uint64_t hex_digits_of_block(std::string_view block) noexcept {
    if (block.size() == HexDigitRuns::kBlock) {
        return digits_of_whole_block(block.data());
    }
    std::array<char, HexDigitRuns::kBlock> filled{};
    std::copy(block.begin(), block.end(), filled.begin());
    return digits_of_whole_block(filled.data());
}

}  // namespace opdebug::logs
