#include "logs/patterns/find_literal.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace opdebug::logs {
namespace {

// Vector extensions of GCC and clang.
constexpr std::size_t kVector = 16;
typedef unsigned char Bytes __attribute__((vector_size(kVector)));
using Halves = std::array<std::uint64_t, 2>;

Bytes load(const char* place) noexcept {
    Bytes bytes;
    std::memcpy(&bytes, place, kVector);
    return bytes;
}

/// The first of 16 places at which the literal stands; kVector when it stands at none. `marks`: bytes of ones at those
/// places that have its first, middle and last byte.
std::size_t first_of(const Halves& marks, const char* place, std::string_view literal) noexcept {
    for (std::size_t half = 0; half < marks.size(); ++half) {
        for (std::uint64_t left = marks[half]; left != 0;) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(left));
            const std::size_t index = half * sizeof left + bit / 8;
            if (std::memcmp(place + index, literal.data(), literal.size()) == 0) {
                return index;
            }
            left &= ~(std::uint64_t{0xFF} << bit);
        }
    }
    return kVector;
}

}  // namespace

std::size_t find_literal(std::string_view text, std::string_view literal) noexcept {
    if (std::endian::native != std::endian::little || literal.size() < 2) {
        return text.find(literal);
    }
    const Bytes first = Bytes{} + static_cast<unsigned char>(literal.front());
    const Bytes middle = Bytes{} + static_cast<unsigned char>(literal[literal.size() / 2]);
    const Bytes last = Bytes{} + static_cast<unsigned char>(literal.back());
    const std::size_t looked_at = kVector + literal.size() - 1;
    std::size_t begin = 0;
    for (; begin + looked_at <= text.size(); begin += kVector) {
        const char* const place = text.data() + begin;
        const auto all = (load(place) == first) & (load(place + literal.size() / 2) == middle) &
                         (load(place + literal.size() - 1) == last);
        Halves marks{};
        std::memcpy(marks.data(), &all, sizeof all);
        if ((marks[0] | marks[1]) != 0) {
            if (const std::size_t found = first_of(marks, place, literal); found != kVector) {
                return begin + found;
            }
        }
    }
    return text.find(literal, begin);
}

}  // namespace opdebug::logs
