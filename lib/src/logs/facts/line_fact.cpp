#include "logs/facts/line_fact.hpp"

#include <bit>

namespace opdebug::logs {
namespace {

/// Calls use(index) for each bit of the mask: a branch for each member that may be there is often taken wrongly.
template <class Use>
void for_each_bit(std::uint32_t mask, const Use& use) {
    for (; mask != 0; mask &= mask - 1) {
        use(static_cast<std::size_t>(std::countr_zero(mask)));
    }
}

}  // namespace

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
