#include "logs/packing/wording.hpp"

#include <algorithm>
#include <optional>

#include "logs/facts/each_bit.hpp"
#include "logs/packing/number_bytes.hpp"

namespace opdebug::logs {

/// A line that is less than three quarters like the form is one of another function, or of another version: the next
/// forms are made of such. With one form for each kind an eighth of the lines of a job were kept whole. Which form a
/// line has hangs on the forms alone, not on what came between: facts that were opened are packed as they were before.
void Wording::keep_line(const LineKind& kind, std::string_view line, const KnownValues& known, std::span<char> room,
                        KeptLine& kept) {
    kept = {0, line};
    LineForms::OfKind* const forms = kind.format == 0 ? nullptr : forms_.of_kind(kind);  // 0: too many texts
    if (forms == nullptr) {
        return;
    }
    const auto keep_as = [&](std::uint32_t number, std::size_t most) {
        // With what is asked for before it is known how long the last numbers are.
        const std::size_t needed = std::min(most + 2 * kMostNumberBytes, room.size());
        const std::optional<std::string_view> difference =
            write_line(forms_.form(number), known, filling_, line, room.first(needed));
        const bool is_short = difference && difference->size() <= most;
        kept = is_short ? KeptLine{number, *difference} : KeptLine{0, line};
        return is_short;
    };
    const auto keep_as_any = [&](std::size_t most) {
        return std::any_of(forms->numbers().begin(), forms->numbers().end(),
                           [&](std::uint32_t number) { return keep_as(number, most); });
    };
    if (keep_as_any(line.size() / 4)) {
        return;
    }
    if (forms_.has_room(*forms)) {
        keep_as(forms_.add(*forms, line, known), line.size() / 4);
    } else {
        keep_as_any(line.size() / 2);
    }
}

void Wording::keep_lines(const FactView& fact, KeptWording& kept) {
    const KnownValues known = fact.known();
    keep_line({kept.format_number, 0}, fact.place.text.whole, known, kept.room[0], kept.lines[0]);
    std::size_t place = 0;
    for_each_bit(fact.further_mask, [&](std::size_t member) {
        keep_line({kept.format_number, 1 + member}, fact.further[place].text.whole, known, kept.room[1 + place],
                  kept.lines[1 + place]);
        ++place;
    });
}

void Wording::share_texts(const FactView& fact, KeptWording& kept) {
    const auto number_of = [this](std::string_view text) {
        const std::optional<std::uint32_t> number = texts_.number_of(text);
        return number ? *number + 1 : 0;
    };
    kept.format_number = number_of(fact.format_id);
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        kept.text_numbers[i] = number_of(fact.texts[i]);
    }
}

void Wording::keep(const FactView& fact, KeptWording& kept) {
    share_texts(fact, kept);
    keep_lines(fact, kept);
}

}  // namespace opdebug::logs
