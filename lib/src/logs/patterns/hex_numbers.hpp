// Texts that differ in nothing but their digits and long hexadecimal numbers: the addresses of a kernel's code
// ("addr1=0x12c0c00002d2") and the hash in its name ("te_1d024be15b7_ReduceSum_1"). They are other ones on most lines
// of launches, so by their digits alone (masked_digits.hpp) hardly two of these are the same.
//
// A hexadecimal number is masked that has eight digits at least, all its letters small, stands behind '_' or 'x', and
// is followed by '_', ',' or the end of the text. What a pattern or a literal finds is the same whatever the number is
// if no literal may have a byte in common with it, and no run that takes some of its digits may begin in it or go on
// into it: tells_hex_numbers_apart().
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "logs/patterns/pattern_program.hpp"

namespace opdebug::logs {

/// Masks the hexadecimal numbers of `text`, whose digits are masked (mask_digits()), in `masked`, which holds the same
/// bytes. Where the first of them begins; nothing where there is none. Two texts that are the same then have them at
/// the same places.
std::optional<std::size_t> mask_hex_numbers(std::string_view text, char* masked) noexcept;

/// Whether the literal may have a byte in common with such a number.
bool tells_hex_numbers_apart(std::string_view literal) noexcept;

/// Whether the pattern may match one of two texts that are the same with masked numbers otherwise than the other. True
/// for some that do not.
bool tells_hex_numbers_apart(const PatternProgram& program);

}  // namespace opdebug::logs
