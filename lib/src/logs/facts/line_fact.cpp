#include "logs/facts/line_fact.hpp"

namespace opdebug::logs {

bool is_complete(const LineFact& fact) noexcept {
    return is_complete(fact.kind, fact.number_mask, fact.text_mask);
}

void copy_fact(const LineFact& line, std::string_view format_id, Fact& fact) {
    fact.kind = line.kind;
    fact.log = line.log;
    fact.format_id = format_id;
    for (std::size_t i = 0; i < kNumbers.size(); ++i) {
        fact.*kNumbers[i].member = line.number(i);
    }
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
        fact.*kTexts[i].member = line.text(i);
    }
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
        fact.*kFlags[i].member = line.has_flag(i);
    }
}

}  // namespace opdebug::logs
