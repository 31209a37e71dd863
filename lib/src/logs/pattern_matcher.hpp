// Runs the instructions of a pattern on a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "logs/pattern_program.hpp"

namespace opdebug::logs {

enum class PatternOutcome {
    matched,
    not_matched,
    unknown,  ///< too many steps, or a text in which "^" or "$" may stand for more places: Boost.Regex is to be asked
};

/// What the groups captured, by their numbers; null where a group took no part.
using CapturedGroups = std::array<std::string_view, kMostGroups>;

/// The first match in the text, as Boost.Regex finds it. What it costs grows with the length of the text at most: a
/// text that takes more is `unknown`. Thread-safe.
PatternOutcome search_pattern(const PatternProgram& program, std::string_view text, CapturedGroups& groups);

}  // namespace opdebug::logs
