// Hexadecimal digits with small letters that follow one another, block by block as bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opdebug::logs {

constexpr bool is_hex_digit(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

class HexDigitRuns {
public:
    static constexpr std::size_t kBlock = 64;
    static constexpr std::size_t kFewestDigits = 8;

    /// The last digits of runs of kFewestDigits at least, by the block's digits; its last byte is one where the run may
    /// go on behind it.
    std::uint64_t last_digits(std::uint64_t digits) noexcept {
        const std::uint64_t two = digits & (digits << 1U | of_last_ >> 63U);
        const std::uint64_t four = two & (two << 2U | two_of_last_ >> 62U);
        const std::uint64_t eight = four & (four << 4U | four_of_last_ >> 60U);
        of_last_ = digits;
        two_of_last_ = two;
        four_of_last_ = four;
        return eight & ~(digits >> 1U);
    }
    /// Where the run begins that goes up to the byte `last` of the block at `place`.
    std::size_t begin_of(std::size_t place, std::uint64_t digits, unsigned last) const noexcept {
        const std::uint64_t others = ~digits << (kBlock - 1 - last);
        return others == 0 ? begin_ : place + last + 1 - static_cast<std::size_t>(std::countl_zero(others));
    }
    void pass(std::size_t place, std::uint64_t digits) noexcept { begin_ = begin_of(place, digits, kBlock - 1); }

private:
    std::size_t begin_ = 0;  ///< of the run that goes up to the end of the last block; behind it, where there is none
    std::uint64_t of_last_ = 0, two_of_last_ = 0, four_of_last_ = 0;  ///< the last of one, two and four digits
};

/// Which bytes are hexadecimal digits, of at most a block: the lowest bit is the first byte.
std::uint64_t hex_digits_of_block(std::string_view block) noexcept;

}  // namespace opdebug::logs
