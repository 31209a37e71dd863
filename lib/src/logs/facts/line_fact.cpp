#include "logs/facts/line_fact.hpp"

#include "logs/facts/each_bit.hpp"

namespace opdebug::logs {

bool is_complete(const LineFact& fact) noexcept {
    return is_complete(fact.kind, fact.number_mask, fact.text_mask);
}

void copy_fact(const LineFact& line, std::string_view format_id, Fact& fact) {
    clear(fact);
    fact.kind = line.kind;
    fact.log = line.log;
    fact.format_id = format_id;
    for_each_bit(line.number_mask, [&](std::size_t index) { fact.*kNumbers[index].member = line.numbers[index]; });
    for_each_bit(line.text_mask, [&](std::size_t index) { fact.*kTexts[index].member = line.texts[index]; });
    for_each_bit(line.flags, [&](std::size_t index) { fact.*kFlags[index].member = true; });
}

}  // namespace opdebug::logs
