// A log format's pattern as a list of instructions, for a matcher that is quicker than one for all regular expressions.
//
// Most patterns are literals with fields between them. On lines like that Boost.Regex goes from byte to byte, with a
// state to keep for each; here a field that ends at a literal ends where a search finds it. A log with
// 30 % launch lines takes a seventh of the instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

enum class Operation : std::uint8_t {
    literal,        ///< these bytes
    run,            ///< as many (lazy: as few) bytes of a set as let the rest match
    either,         ///< the next instruction first, then the one at `offset`; lazy: the other way round
    jump,           ///< to `offset`
    begin_capture,  ///< captured text begins here
    end_capture,
    field,  ///< a captured run that is settled, in one: instead of begin_capture, run and end_capture, which stay
            ///< behind it
    text_begin,
    text_end,
    word_boundary,
    ahead,       ///< what follows up to `matched` matches here; goes on at `offset`
    not_ahead,   ///< ... does not match here
    not_behind,  ///< the literal does not end here
    matched,
};

struct Instruction {
    Operation operation = Operation::matched;
    bool lazy = false;
    bool any_byte = false;  ///< run: of "."
    bool digits = false;    ///< run: of "\d"
    /// run: what follows cannot begin with a byte of the set, so a shorter run need not be tried.
    bool settled = false;
    std::ptrdiff_t offset = 0;  ///< to another instruction, from this one
    std::uint32_t index = 0;    ///< of the literal, the set or the captured name
    std::uint32_t capture = 0;  ///< field: of the captured name
    std::uint32_t minimum = 0, maximum = 0;
    std::optional<std::uint32_t> ends_at;  ///< run: the literal that must follow
    std::optional<char> first;             ///< either: the way that is tried first begins with this byte
    /// run: so many of the next instructions are literals that `ends_at` begins with; they have so many bytes.
    std::uint32_t found_literals = 0, found_bytes = 0;
};

using ByteSet = std::array<bool, 256>;

struct PatternProgram {
    std::vector<Instruction> instructions;
    std::vector<std::string> literals;
    std::vector<ByteSet> sets;
    std::vector<std::string> names;              ///< of groups, each once, in the order of the pattern
    std::vector<std::size_t> names_of_groups;    ///< from the left: indexes of names, which may repeat
    bool at_text_begin = false;                  ///< every match begins there: the first instruction asks for it
    bool asks_for_breaks = false;                ///< holds text_begin or text_end
    std::optional<std::uint32_t> first_literal;  ///< every match begins with it
};

/// Groups with a name that a program may have.
inline constexpr std::size_t kMostGroups = 24;

/// Nothing for a pattern that holds anything but: literals, ".", \d, \w, \b, ^, $, classes of ASCII letters, groups
/// (also with a name, of these at most kMostGroups), alternatives, (?= ), (?! ), (?<! ) of a literal, and repeats. All
/// of it means what it means in Boost.Regex (Perl syntax) on a text without line breaks; what is compiled here is
/// a regular expression there as well.
std::optional<PatternProgram> compile_pattern(std::string_view pattern);

}  // namespace opdebug::logs
