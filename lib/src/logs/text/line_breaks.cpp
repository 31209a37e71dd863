#include "logs/text/line_breaks.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace opdebug::logs {
namespace {

/// From `begin` on, behind those that were found before it.
void add_rest(std::string_view piece, std::size_t begin, LineBreakPlaces& found) noexcept {
    for (std::size_t place = piece.find('\n', begin); place != std::string_view::npos;
         place = piece.find('\n', place + 1)) {
        found.places[found.count++] = static_cast<std::uint16_t>(place);
    }
    found.others = found.others || piece.find('\r', begin) != std::string_view::npos ||
                   piece.find('\f', begin) != std::string_view::npos;
}

#if defined(__x86_64__)

/// Which of 64 bytes are line feeds. `smallest`, of each place in a vector: the smallest byte so far, with the last
/// bits of "\f" changed, so that "\f" and "\r" are 0 and 1.
[[gnu::target("avx2,bmi"), gnu::always_inline]] inline std::uint64_t find_in_block(const char* block,
                                                                                   __m256i& smallest) noexcept {
    const __m256i line_feed = _mm256_set1_epi8('\n');
    const __m256i form_feed = _mm256_set1_epi8('\f');
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block) + 1);
    smallest = _mm256_min_epu8(smallest, _mm256_min_epu8(_mm256_xor_si256(low, form_feed),  //
                                                         _mm256_xor_si256(high, form_feed)));
    const auto of_low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, line_feed)));
    const auto of_high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, line_feed)));
    return std::uint64_t{of_high} << 32U | of_low;
}

/// Lines are longer than a block, mostly: its first break is written whether there is one or not, and stays when it is
/// counted. So the processor has no branch to predict.
[[gnu::target("avx2,bmi")]] void find_with_avx2(std::string_view piece, LineBreakPlaces& found) noexcept {
    constexpr std::size_t kBlock = 64;
    __m256i smallest = _mm256_set1_epi8('\x7F');
    std::size_t count = 0;
    std::size_t begin = 0;
    for (; begin + kBlock <= piece.size(); begin += kBlock) {
        std::uint64_t breaks = find_in_block(piece.data() + begin, smallest);
        found.places[count] = static_cast<std::uint16_t>(begin + _tzcnt_u64(breaks));
        count += breaks != 0 ? 1U : 0U;
        for (breaks = _blsr_u64(breaks); breaks != 0; breaks = _blsr_u64(breaks)) {
            found.places[count++] = static_cast<std::uint16_t>(begin + _tzcnt_u64(breaks));
        }
    }
    found.count = count;
    const __m256i one = _mm256_set1_epi8(1);
    found.others = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(smallest, one), smallest)) != 0;
    add_rest(piece, begin, found);
}

#endif

}  // namespace

void find_line_breaks_one_by_one(std::string_view piece, LineBreakPlaces& found) noexcept {
    found.count = 0;
    found.others = false;
    add_rest(piece, 0, found);
}

void find_line_breaks(std::string_view piece, LineBreakPlaces& found) noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")) {
        find_with_avx2(piece, found);
        return;
    }
#endif
    find_line_breaks_one_by_one(piece, found);
}

}  // namespace opdebug::logs
