#include "logs/formats/format_pattern.hpp"

#include "logs/patterns/hex_numbers.hpp"
#include "logs/patterns/masked_digits.hpp"

namespace opdebug::logs {

const FormatPattern::Program& FormatPattern::program() {
    std::call_once(has_program_, [this] {
        std::optional<PatternProgram>& plain = program_.plain;
        if (!plain) {
            plain = compile_pattern(pattern_);
        }
        if (plain && plain->names != captures_) {
            plain.reset();  // the captures are found by their place in that list
        }
        program_.tells_digits_apart = !plain || tells_digits_apart(*plain);
        program_.tells_hex_numbers_apart = !plain || tells_hex_numbers_apart(*plain);
    });
    return program_;
}

const boost::regex& FormatPattern::expression() {
    std::call_once(has_expression_, [this] { expression_.assign(pattern_, boost::regex::perl); });
    return expression_;
}

}  // namespace opdebug::logs
