#include "logs/line_breaks.hpp"

#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace opdebug::logs {
namespace {

/// From `begin` on.
void add_places(std::string_view text, std::size_t begin, std::vector<std::size_t>& places) {
    for (std::size_t place = text.find('\n', begin); place != std::string_view::npos;
         place = text.find('\n', place + 1)) {
        places.push_back(place);
    }
}

bool has_other_breaks(std::string_view text) noexcept {
    return text.find('\r') != std::string_view::npos || text.find('\f') != std::string_view::npos;
}

#if defined(__x86_64__)

[[gnu::target("avx2")]] void find_with_avx2(std::string_view text, FoundBreaks& found) {
    constexpr std::size_t kVector = sizeof(__m256i);
    const __m256i line_feed = _mm256_set1_epi8('\n');
    const __m256i carriage_return = _mm256_set1_epi8('\r');
    const __m256i form_feed = _mm256_set1_epi8('\f');
    __m256i others = _mm256_setzero_si256();
    std::size_t begin = 0;
    for (; begin + kVector <= text.size(); begin += kVector) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + begin));
        others = _mm256_or_si256(
            others, _mm256_or_si256(_mm256_cmpeq_epi8(bytes, carriage_return), _mm256_cmpeq_epi8(bytes, form_feed)));
        auto breaks = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, line_feed)));
        for (; breaks != 0; breaks &= breaks - 1) {
            found.places.push_back(begin + static_cast<std::size_t>(std::countr_zero(breaks)));
        }
    }
    add_places(text, begin, found.places);
    found.others = _mm256_movemask_epi8(others) != 0 || has_other_breaks(text.substr(begin));
}

#endif

}  // namespace

void find_line_breaks_one_by_one(std::string_view text, FoundBreaks& found) {
    found.places.clear();
    add_places(text, 0, found.places);
    found.others = has_other_breaks(text);
}

void find_line_breaks(std::string_view text, FoundBreaks& found) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        found.places.clear();
        find_with_avx2(text, found);
        return;
    }
#endif
    find_line_breaks_one_by_one(text, found);
}

}  // namespace opdebug::logs
