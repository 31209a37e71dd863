// Texts that differ in nothing but their digits: "stream_id=3, task_id=17" and "stream_id=5, task_id=42" are the same
// once each digit is written as '9'. What reads both without telling one digit from another reads them in the same way,
// step by step, for they have their digits at the same places.
//
// Digits that belong to a word are not masked, for literals and patterns hold them: those behind a letter ("addr1=",
// "Conv2D", but the '2' of "addr12"), and the '0' of "0x".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "logs/patterns/pattern_program.hpp"

namespace opdebug::logs {

/// The fewest bytes that mask_digits() masks at a time.
inline constexpr std::size_t kLeastMasked = 16;

/// Writes the text with its digits masked to `masked`, which has room for it; a hash of that. The text must have
/// kLeastMasked bytes, and the byte in front of it and the one behind it must be readable. Only for the same processor
/// the hash is the same.
std::uint64_t mask_digits(std::string_view text, char* masked) noexcept;

/// Whether the literal may stand in one of two texts that are the same with masked digits, and not in the other.
bool tells_digits_apart(std::string_view literal) noexcept;

/// The part of such a literal that stands in the masked text where the literal stands in the text; may be empty.
std::string masked_part(std::string_view literal);

/// Whether the pattern may match one of two such texts otherwise than the other.
bool tells_digits_apart(const PatternProgram& program) noexcept;

}  // namespace opdebug::logs
