// A fact as it is read, wherever it is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "logs/facts/fact_members.hpp"
#include "logs/facts/line_fact.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/packing/count_of_bits.hpp"
#include "logs/packing/line_text.hpp"

namespace opdebug::logs {

/// As LogPlace.
struct LineView {
    std::uint32_t file = 0;
    std::uint64_t line = 0;
    LineText text;
    std::optional<LogKind> log;
};

/// The numbers of a fact. Only those are written that are there, so nothing is to be cleared.
struct FactNumbers {
    std::uint32_t number_mask;                           ///< bit n: the n-th of kNumbers
    std::array<std::uint64_t, kNumbers.size()> numbers;  ///< those that are there, one behind the other

    /// How many members a mask marks.
    static constexpr std::size_t count(unsigned mask) noexcept {
        static_assert(kNumbers.size() <= 32);
        return count_of_bits(mask);
    }

    /// The number at a place of kNumbers.
    std::optional<std::uint64_t> number(std::size_t index) const noexcept {
        const unsigned bit = 1U << index;
        return (number_mask & bit) != 0 ? std::optional(numbers[count(number_mask & (bit - 1))]) : std::nullopt;
    }
    template <auto member>
    std::optional<std::uint64_t> number() const noexcept {
        return number(number_index(member));
    }
    std::optional<std::uint64_t> stream_id() const noexcept { return number<&Fact::stream_id>(); }
    std::optional<std::uint64_t> task_id() const noexcept { return number<&Fact::task_id>(); }
    std::optional<std::uint64_t> device_id() const noexcept { return number<&Fact::device_id>(); }
    TaskIds task_ids() const noexcept {
        return {stream_id(), task_id(), device_id(), number<&Fact::task_type>(), number<&Fact::task_sn>()};
    }
};

/// All that a StoredFact says, without memory of its own: its texts are those of the fact. Of texts, too, only those
/// are written that are there.
struct FactView : FactNumbers {
    std::int64_t tid;
    std::int64_t time_us;
    LineView place;
    FactKind kind;
    LogKind log;
    bool from_saved_map;
    std::uint8_t flags;         ///< bit n: the n-th of kFlags
    std::uint8_t further_mask;  ///< likewise for kPlaces
    std::uint8_t text_mask;     ///< likewise for kTexts
    std::string_view format_id;
    std::array<std::string_view, kTexts.size()> texts;  ///< those that are there, one behind the other
    std::array<LineView, kPlaces.size()> further;       ///< likewise
    /// Of texts that others share (SharedTexts), one more than their numbers; else 0.
    std::uint32_t format_number;
    std::array<std::uint32_t, kTexts.size()> text_numbers;

    /// The text at a place of kTexts; empty where there is none.
    std::string_view text(std::size_t index) const noexcept {
        const unsigned bit = 1U << index;
        return (text_mask & bit) != 0 ? texts[count(text_mask & (bit - 1))] : std::string_view();
    }
    /// The flag at a place of kFlags.
    bool flag(std::size_t index) const noexcept { return (flags >> index & 1U) != 0; }

    /// As long as this view.
    KnownValues known() const noexcept {
        return {number_mask, std::span(numbers).first(count(number_mask)),
                text_mask,   std::span(texts).first(count(text_mask)),
                tid,         time_us};
    }
};

/// With whole lines.
FactView view_of(const StoredFact& stored) noexcept;
/// What one line states, as long as the line and the id of its format are there, into memory that is used again: a new
/// view is cleared first. Left as they are: thread, time and place.
void view_line(const LineFact& fact, std::string_view format_id, FactView& view) noexcept;
StoredFact stored_fact(const FactView& view);
/// The text of one of its lines.
std::string whole_line(const FactView& view, const LineView& line);

/// Whether the facts are equal in all members: read by the same format, with the same numbers and texts.
bool says_the_same(const FactView& a, const FactView& b) noexcept;

}  // namespace opdebug::logs
