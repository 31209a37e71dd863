// A fact as bytes in memory: all of it but what is kept beside them (PackedFacts).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "logs/packing/fact_view.hpp"
#include "logs/packing/line_forms.hpp"
#include "logs/packing/shared_texts.hpp"

namespace opdebug::logs {

/// A line as it is kept: its difference to the form, or the whole of it where there is none.
struct KeptLine {
    std::uint32_t form_number = 0;  ///< of LineForms; 0: none
    std::string_view text;
};

/// How the texts of a fact are kept.
struct KeptTexts {
    std::array<KeptLine, 1 + kPlaces.size()> lines;  ///< the fact's own, then the further ones
    /// Of texts that others share, one more than their numbers; else 0.
    std::uint32_t format_number = 0;
    std::array<std::uint32_t, kTexts.size()> text_numbers{};
};

/// No fewer bytes than the record of the fact takes, whose lines are whole.
std::size_t most_of_record(const FactView& fact) noexcept;

/// Writes all but the time, the kind, the file and the first `beside` numbers, which are ids of stream and task;
/// returns the size. Of texts that others share only the numbers are written.
std::size_t write_record(const FactView& fact, const KeptTexts& kept, std::size_t beside, char* record) noexcept;

/// What records name by its number. Null where lines and texts are whole.
struct SharedByFacts {
    const SharedTexts* texts = nullptr;
    const LineForms* forms = nullptr;
};

/// Reads what was written. The first `beside` numbers must be there already.
void read_record(const char* record, std::size_t beside, const SharedByFacts& shared, FactView& fact) noexcept;

/// The numbers alone, in the same way.
void read_numbers(const char* record, std::size_t beside, FactNumbers& fact) noexcept;
/// The number of the fact's own line.
std::uint64_t line_of_record(const char* record) noexcept;

/// How many bytes there are for the record: it may be replaced there.
std::size_t room_of_record(const char* record) noexcept;
void set_room_of_record(char* record, std::size_t room) noexcept;

}  // namespace opdebug::logs
