// A line as a form that facts fill in: what the next line of its kind most likely is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "logs/text/written_times.hpp"

namespace opdebug::logs {

/// What a fact says beside its lines, which mostly stands in them: numbers and texts that are there, one behind the
/// other, in the order of the bits that mark them.
struct KnownValues {
    std::uint64_t number_mask = 0;
    std::span<const std::uint64_t> numbers;
    std::uint64_t text_mask = 0;
    std::span<const std::string_view> texts;
    std::int64_t tid = 0;
    std::int64_t time_us = 0;

    std::optional<std::uint64_t> number(unsigned member) const noexcept;
    /// Empty where there is none.
    std::string_view text(unsigned member) const noexcept;
};

/// What stands at a place of a form.
enum class Filling : std::uint8_t {
    time = 0,     ///< as the log library writes it (WrittenTimes)
    thread = 1,   ///< decimal
    decimal = 2,  ///< a number member
    hexadecimal = 3,
    text = 4,  ///< a text member
};
inline constexpr std::uint64_t kFillings = 5;

/// A part of the form's line in whose place stands what the fact says. Where it says nothing, the part is left as it
/// is.
struct FormPart {
    std::uint32_t begin = 0, size = 0;  ///< of lines of at most 4 GiB
    Filling filling = {};
    std::uint8_t member = 0;  ///< below 64
    std::uint8_t place = 0;   ///< of the member among the values of the form's own fact

    std::size_t end() const noexcept { return std::size_t{begin} + size; }
};

/// The first line of its kind, with the parts of it that its fact tells as well. A form that a fact fills in differs
/// from the fact's line in little but what no fact tells. The line must outlive the form.
class LineForm {
public:
    /// `parts`: of the line, one behind the other. `own`: what the form's own fact says, where it is known: facts that
    /// have the same members find their values faster.
    LineForm(std::string_view line, std::vector<FormPart> parts, const KnownValues& own = {});
    /// The line of that fact, as far as the fact tells it.
    static LineForm of_line(std::string_view line, const KnownValues& known);

    std::string_view line() const noexcept { return line_; }
    const std::vector<FormPart>& parts() const noexcept { return parts_; }

    /// No fewer bytes than fill_in() writes, and some for each part: the same wherever it is asked for.
    std::uint64_t most_bytes(const KnownValues& known) const noexcept;
    /// No fewer than most_bytes(), and found faster.
    std::uint64_t enough_bytes(const KnownValues& known) const noexcept {
        std::size_t longest = 0;
        for (const std::string_view text : known.texts) {
            longest = std::max(longest, text.size());
        }
        return most_without_texts_ + text_parts_ * longest;
    }
    /// Writes the line of the form with what is known of it; returns the end. `text`: most_bytes() and kWrittenBehind
    /// more, which may be written as well.
    char* fill_in(const KnownValues& known, WrittenTimes& times, char* text) const noexcept;

    static constexpr std::size_t kWrittenBehind = 16;

private:
    /// Whether the values are where those of the form's own fact were. To count the members before each took a quarter
    /// of the instructions of filling in.
    bool places_hold_for(const KnownValues& known) const noexcept {
        return knows_places_ && known.number_mask == number_mask_ && known.text_mask == text_mask_;
    }
    void find_places() noexcept;

    std::string_view line_;
    std::vector<FormPart> parts_;
    std::uint64_t most_without_texts_ = 0;
    std::uint32_t text_parts_ = 0;
    std::uint32_t number_mask_ = 0;  ///< of the form's own fact
    std::uint8_t text_mask_ = 0;     ///< likewise
    bool knows_places_ = false;      ///< that fact has the members of all parts
};

}  // namespace opdebug::logs
