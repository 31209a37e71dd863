#include "logs/formats/format_pattern.hpp"

namespace opdebug::logs {

const std::optional<PatternProgram>& FormatPattern::program() {
    std::call_once(has_program_, [this] {
        if (!program_) {
            program_ = compile_pattern(pattern_);
        }
        if (program_ && program_->names != captures_) {
            program_.reset();  // the captures are found by their place in that list
        }
    });
    return program_;
}

const boost::regex& FormatPattern::expression() {
    std::call_once(has_expression_, [this] { expression_.assign(pattern_, boost::regex::perl); });
    return expression_;
}

}  // namespace opdebug::logs
