// Runs the instructions of a pattern on a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "logs/patterns/pattern_program.hpp"

namespace opdebug::logs {

enum class PatternOutcome {
    matched,
    not_matched,
    unknown,  ///< it takes too many steps: Boost.Regex is to be asked
};

/// What the groups of each name captured, by the index of the name: of several groups of one name the first that took
/// part; empty where none did. What is no name of the pattern is not set: to clear all took a sixth of reading a line.
class CapturedTexts {
public:
    std::string_view operator[](std::size_t name) const noexcept { return {texts_[name].begin, texts_[name].size}; }
    void set(std::size_t name, std::string_view text) noexcept { texts_[name] = {text.data(), text.size()}; }

private:
    struct Text {
        const char* begin;
        std::size_t size;
    };
    std::array<Text, kMostGroups> texts_;
};

/// Whether the text holds a byte before and behind which "^" and "$" match as well.
bool holds_line_break(std::string_view text) noexcept;

/// The first match in the text, as Boost.Regex finds it; `texts` are set for a match. The text must hold no line break
/// where the pattern asks for the begin or the end of one. What it costs grows with the length of the text at most: a
/// text that takes more is `unknown`. Thread-safe.
PatternOutcome search_pattern(const PatternProgram& program, std::string_view text, CapturedTexts& texts);

}  // namespace opdebug::logs
