#include "logs/patterns/masked_digits.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "bytes/hash_factors.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

// A digit, so that no other byte of a text can be taken for a masked one.
constexpr char kDigitMask = '9';

// Vector extensions of GCC and clang.
typedef unsigned char Bytes16 __attribute__((vector_size(16)));
typedef std::uint32_t Words16 __attribute__((vector_size(16)));
typedef unsigned char Bytes32 __attribute__((vector_size(32)));
typedef std::uint32_t Words32 __attribute__((vector_size(32)));

/// Masks the bytes at `place` and adds them to the hash. By place, for a function that passes vectors is another one
/// where the processor is not asked for AVX2.
template <class Bytes, class Words>
[[gnu::always_inline]] inline void mask_block(const char* place, char* masked, Words& hash) noexcept {
    Bytes bytes;
    Bytes before;
    Bytes behind;
    std::memcpy(&bytes, place, sizeof bytes);
    std::memcpy(&before, place - 1, sizeof before);
    std::memcpy(&behind, place + 1, sizeof behind);
    const auto digit = bytes - static_cast<unsigned char>('0') <= static_cast<unsigned char>(9);
    const auto of_word = (before | static_cast<unsigned char>(0x20)) - static_cast<unsigned char>('a') <=
                         static_cast<unsigned char>('z' - 'a');
    const auto of_prefix = (bytes == static_cast<unsigned char>('0')) & (behind == static_cast<unsigned char>('x'));
    const auto is_masked = reinterpret_cast<Bytes>(digit & ~(of_word | of_prefix));
    bytes ^= (bytes ^ static_cast<unsigned char>(kDigitMask)) & is_masked;
    std::memcpy(masked, &bytes, sizeof bytes);
    hash = ((hash << 5) + hash) ^ reinterpret_cast<Words>(bytes);
}

/// The last block may overlap the one before it. `hash` is as large as a block.
template <class Bytes, class Words>
[[gnu::always_inline]] inline void mask_blocks(std::string_view text, char* masked, char* hash) noexcept {
    Words mixed{};
    const std::size_t last = text.size() - sizeof(Bytes);
    for (std::size_t place = 0;; place = std::min(place + sizeof(Bytes), last)) {
        mask_block<Bytes>(text.data() + place, masked + place, mixed);
        if (place == last) {
            break;
        }
    }
    std::memcpy(hash, &mixed, sizeof mixed);
}

using Hash = std::array<std::uint64_t, 4>;

#if defined(__x86_64__)
/// Half of the instructions: lines have 115 bytes behind their time, on average.
[[gnu::target("avx2")]] void mask_with_avx2(std::string_view text, char* masked, Hash& hash) noexcept {
    mask_blocks<Bytes32, Words32>(text, masked, reinterpret_cast<char*>(hash.data()));
}
#endif

void mask(std::string_view text, char* masked, Hash& hash) noexcept {
#if defined(__x86_64__)
    if (text.size() >= sizeof(Bytes32) && __builtin_cpu_supports("avx2")) {
        mask_with_avx2(text, masked, hash);
        return;
    }
#endif
    mask_blocks<Bytes16, Words16>(text, masked, reinterpret_cast<char*>(hash.data()));
}

constexpr bool is_name_letter(char c) noexcept {
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

/// Whether the text at hand tells that the digit is not masked. What stands around the text is not known.
bool is_left(std::string_view text, std::size_t place) noexcept {
    const bool of_word = place > 0 && is_name_letter(text[place - 1]);
    const bool of_prefix = text[place] == '0' && place + 1 < text.size() && text[place + 1] == 'x';
    return of_word || of_prefix;
}

bool tells_digits_apart(const ByteSet& set) noexcept {
    const auto* const first = set.begin() + '0';
    return std::any_of(first, first + 10, [&set](bool holds) { return holds != set['0']; });
}

}  // namespace

std::uint64_t mask_digits(std::string_view text, char* masked) noexcept {
    Hash hash{};
    mask(text, masked, hash);
    constexpr auto& kFactors = bytes::kHashFactors;
    const std::uint64_t mixed =
        (hash[0] ^ text.size()) * kFactors[0] + hash[1] * kFactors[1] + hash[2] * kFactors[2] + hash[3] * kFactors[3];
    return mixed ^ mixed >> 32U;
}

bool tells_digits_apart(std::string_view literal) noexcept {
    for (std::size_t place = 0; place < literal.size(); ++place) {
        if (is_digit(literal[place]) && !is_left(literal, place)) {
            return true;
        }
    }
    return false;
}

/// Without the digits at both ends: what stands around the literal decides whether they are masked.
std::string masked_part(std::string_view literal) {
    literal.remove_prefix(front_while(literal, is_digit).size());
    while (!literal.empty() && is_digit(literal.back())) {
        literal.remove_suffix(1);
    }
    std::string masked(literal);
    for (std::size_t place = 0; place < literal.size(); ++place) {
        masked[place] = is_digit(literal[place]) && !is_left(literal, place) ? kDigitMask : literal[place];
    }
    return masked;
}

bool tells_digits_apart(const PatternProgram& program) noexcept {
    const auto of_literal = [](const std::string& literal) { return tells_digits_apart(std::string_view(literal)); };
    const auto of_set = [](const ByteSet& set) { return tells_digits_apart(set); };
    return std::any_of(program.literals.begin(), program.literals.end(), of_literal) ||
           std::any_of(program.sets.begin(), program.sets.end(), of_set);
}

}  // namespace opdebug::logs
