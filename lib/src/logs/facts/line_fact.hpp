// What one line states, as views into the line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "logs/facts/fact_members.hpp"

namespace opdebug::logs {

/// As a Fact, for the way from the thread that reads a line to the one that keeps what it states: half of its size,
/// and no memory of its own. Of numbers and texts only those are written that are there, so nothing is to be cleared:
/// to clear and copy facts that another core had in its cache was a twentieth of indexing. Its texts are those of the
/// line.
struct LineFact {
    FactKind kind;
    LogKind log;
    std::uint8_t flags;         ///< bit n: the n-th of kFlags
    std::uint8_t text_mask;     ///< likewise for kTexts
    std::uint32_t number_mask;  ///< likewise for kNumbers
    std::array<std::uint64_t, kNumbers.size()> numbers;
    std::array<std::string_view, kTexts.size()> texts;

    /// Nothing but this is said.
    void begin(FactKind states, LogKind of_log) noexcept {
        kind = states;
        log = of_log;
        flags = text_mask = 0;
        number_mask = 0;
    }
    bool has_number(std::size_t index) const noexcept { return (number_mask >> index & 1U) != 0; }
    std::optional<std::uint64_t> number(std::size_t index) const noexcept {
        return has_number(index) ? std::optional(numbers[index]) : std::nullopt;
    }
    void set_number(std::size_t index, std::uint64_t value) noexcept {
        numbers[index] = value;
        number_mask |= 1U << index;
    }
    void drop_number(std::size_t index) noexcept { number_mask &= ~(1U << index); }
    /// Empty where there is none.
    std::string_view text(std::size_t index) const noexcept {
        return (text_mask >> index & 1U) != 0 ? texts[index] : std::string_view();
    }
    /// An empty one is none.
    void set_text(std::size_t index, std::string_view value) noexcept {
        texts[index] = value;
        text_mask = with_bit(text_mask, index, !value.empty());
    }
    bool has_flag(std::size_t index) const noexcept { return (flags >> index & 1U) != 0; }
    void set_flag(std::size_t index, bool value) noexcept { flags = with_bit(flags, index, value); }

private:
    static std::uint8_t with_bit(std::uint8_t mask, std::size_t index, bool is_set) noexcept {
        return static_cast<std::uint8_t>((mask & ~(1U << index)) | (is_set ? 1U << index : 0U));
    }
};

/// Whether it has what its statement needs.
bool is_complete(const LineFact& fact) noexcept;

/// The whole fact, with texts of its own. `fact`: its memory is used again.
void copy_fact(const LineFact& line, std::string_view format_id, Fact& fact);
inline Fact whole_fact(const LineFact& line, std::string_view format_id) {
    Fact fact;
    copy_fact(line, format_id, fact);
    return fact;
}

}  // namespace opdebug::logs
