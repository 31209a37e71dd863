#include "logs/packing/fact_view.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "logs/facts/each_bit.hpp"

namespace opdebug::logs {
namespace {

/// Member by member: a line that is made elsewhere is copied at once before its parts are there, for which the
/// processor waits.
void view_place(const LogPlace& place, LineView& line) noexcept {
    line.file = place.file;
    line.line = place.line;
    line.text.whole = place.text;
    line.text.form = nullptr;
    line.text.difference = {};
    line.log = place.log;
}

LogPlace log_place(const FactView& view, const LineView& line) {
    return {line.file, line.line, whole_line(view, line), line.log};
}

}  // namespace

FactView view_of(const StoredFact& stored) noexcept {
    const Fact& fact = stored.fact;
    FactView view;
    view.tid = stored.tid;
    view.time_us = stored.time_us;
    view_place(stored.place, view.place);
    view.kind = fact.kind;
    view.log = fact.log;
    view.from_saved_map = stored.from_saved_map;
    view.format_id = fact.format_id;
    view.format_number = 0;
    view.text_numbers.fill(0);
    unsigned mask = 0;
    for (std::size_t i = 0; i < kNumbers.size(); ++i) {
        mask |= ((fact.*kNumbers[i].member).has_value() ? 1U : 0U) << i;
    }
    view.number_mask = mask;
    std::size_t count = 0;
    for (; mask != 0; mask &= mask - 1) {  // with for_each_bit() indexing took 2 % longer
        view.numbers[count++] = *(fact.*kNumbers[static_cast<std::size_t>(std::countr_zero(mask))].member);
    }
    count = 0;
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
        if (const std::string& text = fact.*kTexts[i].member; !text.empty()) {
            view.texts[count++] = text;
            mask |= 1U << i;
        }
    }
    view.text_mask = static_cast<std::uint8_t>(mask);
    mask = 0;
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
        mask |= (fact.*kFlags[i].member ? 1U : 0U) << i;
    }
    view.flags = static_cast<std::uint8_t>(mask);
    mask = 0;
    count = 0;
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
        if (const FurtherLine& line = stored.*kPlaces[i].member) {
            view_place(*line, view.further[count++]);
            mask |= 1U << i;
        }
    }
    view.further_mask = static_cast<std::uint8_t>(mask);
    return view;
}

void view_line(const LineFact& fact, std::string_view format_id, FactView& view) noexcept {
    view.kind = fact.kind;
    view.log = fact.log;
    view.from_saved_map = false;
    view.flags = fact.flags;
    view.further_mask = 0;
    view.text_mask = fact.text_mask;
    view.number_mask = fact.number_mask;
    view.format_id = format_id;
    view.format_number = 0;
    view.text_numbers.fill(0);
    std::size_t count = 0;
    for_each_bit(fact.number_mask, [&](std::size_t index) { view.numbers[count++] = fact.numbers[index]; });
    count = 0;
    for_each_bit(fact.text_mask, [&](std::size_t index) { view.texts[count++] = fact.texts[index]; });
}

StoredFact stored_fact(const FactView& view) {
    StoredFact stored;
    Fact& fact = stored.fact;
    stored.tid = view.tid;
    stored.time_us = view.time_us;
    stored.place = log_place(view, view.place);
    stored.from_saved_map = view.from_saved_map;
    fact.kind = view.kind;
    fact.log = view.log;
    fact.format_id = view.format_id;
    for (std::size_t i = 0; i < kNumbers.size(); ++i) {
        fact.*kNumbers[i].member = view.number(i);
    }
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
        fact.*kTexts[i].member = view.text(i);
    }
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
        fact.*kFlags[i].member = view.flag(i);
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
        if ((view.further_mask >> i & 1U) != 0) {
            stored.*kPlaces[i].member = log_place(view, view.further[count++]);
        }
    }
    return stored;
}

std::string whole_line(const FactView& view, const LineView& line) {
    // What is kept packed is of this program; saved maps are looked at when they are read.
    WrittenTimes times;
    return whole_line(line.text, view.known(), times).value_or(std::string());
}

bool says_the_same(const FactView& a, const FactView& b) noexcept {
    const auto same = [](const auto& values, const auto& others, unsigned mask) {
        return std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(FactView::count(mask)),
                          others.begin());
    };
    return a.kind == b.kind && a.log == b.log && a.flags == b.flags && a.number_mask == b.number_mask &&
           a.text_mask == b.text_mask && a.format_id == b.format_id && same(a.numbers, b.numbers, a.number_mask) &&
           same(a.texts, b.texts, a.text_mask);
}

}  // namespace opdebug::logs
