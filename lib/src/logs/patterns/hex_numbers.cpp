#include "logs/patterns/hex_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "logs/patterns/hex_digit_runs.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

// Two of them stand nowhere else in a text whose digits are masked: only the first digit behind a letter is left.
constexpr char kHexMask = '8';

/// Whether a number may begin behind it.
bool is_before_number(char c) noexcept {
    return c == '_' || c == 'x';
}

/// Whether a number may end in front of it. Not in front of a space: a built-in literal begins with "add ".
bool is_behind_number(char c) noexcept {
    return c == ',' || c == '_';
}

/// Whether the set holds some of these digits, but not all.
bool tells_apart(const ByteSet& set) noexcept {
    for (std::size_t byte = 0; byte < set.size(); ++byte) {
        if (is_hex_digit(static_cast<char>(byte)) && set[byte] != set['0']) {
            return true;
        }
    }
    return false;
}

/// Whether an instruction leads to another one than that behind it.
bool has_offset(Operation operation) noexcept {
    return operation == Operation::either || operation == Operation::jump || operation == Operation::ahead ||
           operation == Operation::not_ahead;
}

/// Where a match may go on other than behind the instruction before.
std::vector<bool> targets_of(const std::vector<Instruction>& code) {
    std::vector<bool> targets(code.size() + 1);
    for (std::size_t index = 0; index < code.size(); ++index) {
        if (has_offset(code[index].operation)) {
            targets[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index) + code[index].offset)] = true;
        }
    }
    return targets;
}

/// Whether the run at `index` may look at a digit of a number: it begins behind one, or goes on into it. What is just
/// behind a literal that has no byte of a number is in front of one only where the literal's last byte may be.
bool may_enter_number(const PatternProgram& program, const std::vector<bool>& targets, std::size_t index) noexcept {
    const std::vector<Instruction>& code = program.instructions;
    const ByteSet& set = program.sets[code[index].index];
    if (set['_'] || set['x']) {
        return true;
    }
    while (index > 0 && !targets[index] && code[index - 1].operation == Operation::begin_capture) {
        --index;
    }
    return index == 0 || targets[index] || code[index - 1].operation != Operation::literal ||
           is_before_number(program.literals[code[index - 1].index].back());
}

}  // namespace

/// By the digits of 64 bytes at a time, as bits: to look at the bytes around each eighth one took nearly twice as long.
std::optional<std::size_t> mask_hex_numbers(std::string_view text, char* masked) noexcept {
    std::optional<std::size_t> first;
    HexDigitRuns runs;
    for (std::size_t place = 0; place < text.size(); place += HexDigitRuns::kBlock) {
        const std::uint64_t digits = hex_digits_of_block(text.substr(place, HexDigitRuns::kBlock));
        for (std::uint64_t ends = runs.last_digits(digits); ends != 0; ends &= ends - 1) {
            const auto last = static_cast<unsigned>(std::countr_zero(ends));
            const std::size_t begin = runs.begin_of(place, digits, last);
            const std::size_t end = place + last + 1;
            if (begin > 0 && is_before_number(text[begin - 1]) && (end == text.size() || is_behind_number(text[end]))) {
                std::fill(masked + begin, masked + end, kHexMask);
                first = first.value_or(begin);
            }
        }
        runs.pass(place, digits);
    }
    return first;
}

bool tells_hex_numbers_apart(std::string_view literal) noexcept {
    for (std::size_t begin = 0; begin < literal.size();) {
        const std::size_t size = front_while(literal.substr(begin), is_hex_digit).size();
        const std::size_t end = begin + size;
        const bool may_begin = begin == 0 || is_before_number(literal[begin - 1]);
        const bool may_end = end == literal.size() || is_behind_number(literal[end]);
        if (size != 0 && may_begin && may_end) {
            return true;
        }
        begin = end + 1;
    }
    return false;
}

bool tells_hex_numbers_apart(const PatternProgram& program) {
    if (std::any_of(program.literals.begin(), program.literals.end(),
                    [](const std::string& literal) { return tells_hex_numbers_apart(std::string_view(literal)); })) {
        return true;
    }
    const std::vector<bool> targets = targets_of(program.instructions);
    for (std::size_t index = 0; index < program.instructions.size(); ++index) {
        const Instruction& instruction = program.instructions[index];
        const bool is_field = instruction.operation == Operation::field;
        const bool is_run = is_field || instruction.operation == Operation::run;
        if (is_run && !instruction.any_byte && tells_apart(program.sets[instruction.index]) &&
            may_enter_number(program, targets, index)) {
            return true;
        }
        index += is_field ? 2U : 0U;  // what the field stands for
    }
    return false;
}

}  // namespace opdebug::logs
