// Takes a pattern's text apart: what stands for one byte, and how often it occurs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "logs/patterns/pattern_program.hpp"

namespace opdebug::logs {

inline constexpr std::uint32_t kUnbounded = std::numeric_limits<std::uint32_t>::max();

/// How often what stands before may occur.
struct Repeat {
    std::uint32_t minimum = 1, maximum = 1;
    bool lazy = false;
    bool once() const noexcept { return minimum == 1 && maximum == 1; }
};

/// What is left of a pattern. What cannot be taken fails the pattern, and a pattern that failed has ended.
class PatternText {
public:
    explicit PatternText(std::string_view pattern) noexcept : rest_(pattern) {}

    /// Not an error: the pattern is left to Boost.Regex.
    void fail() noexcept;
    bool failed() const noexcept { return failed_; }

    bool ends() const noexcept { return rest_.empty(); }
    bool at(char byte) const noexcept { return !rest_.empty() && rest_.front() == byte; }
    /// Whether these bytes came next; if so, they are taken.
    bool take(std::string_view expected) noexcept;
    /// Letters, digits and "_"; may be empty.
    std::string_view take_word() noexcept;

    /// A byte that stands for itself, without "\" or a repeat: nearly all of a pattern are such, and what else may
    /// come need not be tried for each. Nothing where something else comes.
    std::optional<char> take_plain_byte() noexcept;
    /// A byte that stands for itself, by itself or behind "\". Not to be called at the end.
    char take_single_byte() noexcept;
    /// "\d" or "\w": its bytes are added to the set.
    bool take_named_set(ByteSet& set) noexcept;
    /// "[...]"
    ByteSet take_class() noexcept;
    /// "?", "*", "+", "{2,3}", also with "?" behind; else once.
    Repeat take_repeat() noexcept;

private:
    char take_byte() noexcept;
    void take_range(ByteSet& set) noexcept;
    char take_class_byte() noexcept;
    std::optional<std::uint32_t> take_count() noexcept;

    std::string_view rest_;
    bool failed_ = false;
};

}  // namespace opdebug::logs
