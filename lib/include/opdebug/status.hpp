// What a bare status number means, from a catalogue of documented bits and codes.
//
// Sources: the CANN overflow guides (AI Core bits, DHA and L2 codes), the STATUS register description of A2/A3/950
// chips, and the newer guides that only say "status greater than 0 means overflow". Where they disagree, both are told.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/named_text.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// The hardware unit that a register record belongs to.
enum class Unit { ai_core, dha_atomic, l2_atomic, aic, aiv, aicpu, sdma };

/// The documents' name, as in JSON: "AI Core", "DHA Atomic Add", "L2 Atomic Add", "AIC", "AIV", "AICPU", "SDMA".
OPDEBUG_API std::string_view unit_name(Unit unit) noexcept;
/// The command-line spelling: "ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma".
OPDEBUG_API std::string_view unit_key(Unit unit) noexcept;
/// The unit with that command-line spelling.
OPDEBUG_API std::optional<Unit> unit_from_key(std::string_view key) noexcept;

/// Of texts for people.
enum class Language { english, chinese };

/// A text for people in both languages (UTF-8).
struct LocalizedText {
    std::string en;
    std::string zh;
    const std::string& in(Language language) const noexcept { return language == Language::chinese ? zh : en; }
};

/// Whether a documented bit reports an overflow of this operator or something beside it: a result too small for its
/// type, or an operand that was NaN or infinite already.
enum class CauseKind { overflow, underflow, nan_operand };

/// One entry of the status catalogue. Immutable and shared.
struct CauseDefinition {
    std::string id;           ///< stable, for example "ai_core.float_overflow"
    std::uint64_t mask = 0;   ///< the bits that are compared
    std::uint64_t value = 0;  ///< what they must equal (mask itself for a single flag)
    CauseKind kind = CauseKind::overflow;
    LocalizedText name;
    LocalizedText text;
    LocalizedText advice;
    LocalizedText brief;  ///< `text` in a few words; empty: none
    LocalizedText next;   ///< `advice` in one line; empty: none
    std::string source;   ///< the document the meaning comes from
};

/// A named meaning found in one status.
struct Cause {
    std::shared_ptr<const CauseDefinition> definition;  ///< never null
    std::uint64_t bits = 0;                             ///< the bits of the status that say so
};

/// A documented group of bits read as one number, for example DHA bits 8..15; shows the working.
struct StatusCode {
    unsigned low_bit = 0;
    unsigned high_bit = 0;
    std::uint64_t value = 0;
};

/// Everything known about one status. `words` and `undocumented_bits` have equal length: 1, or 4 for an accelerator
/// record of version 1, of which only the first word is looked up (no document describes the others).
struct StatusExplanation {
    Unit unit = Unit::ai_core;
    std::vector<std::uint64_t> words;
    bool overflow = false;      ///< any word is non-zero: the rule of the official converter and of the newer documents
    std::vector<Cause> causes;  ///< in order of their lowest bit
    std::vector<StatusCode> codes;                 ///< bit groups that were read as a number
    std::vector<std::uint64_t> undocumented_bits;  ///< per word: set bits that no document names
    std::vector<Diagnostic> diagnostics;
};

/// A set of status descriptions. Immutable after loading; safe to share between threads.
class StatusCatalogue;

/// The catalogue that the library carries. The same object for every call; thread-safe.
OPDEBUG_API std::shared_ptr<const StatusCatalogue> built_in_status_catalogue();

/// Reads a catalogue from the JSON text of one or more files (form: docs/status-catalogue.md). Errors:
/// catalogue_invalid with the file name and the place inside it; nesting_too_deep, name_too_long. Thread-safe.
OPDEBUG_API Result<std::shared_ptr<const StatusCatalogue>> load_status_catalogue(const std::vector<NamedText>& files,
                                                                                 const Limits& limits = {});

/// Explains one status. `words` holds one value, or four for an accelerator record of version 1; anything else is
/// invalid_argument. Unknown bits are never an error: they are returned in undocumented_bits. Thread-safe.
OPDEBUG_API Result<StatusExplanation> decode_status(Unit unit, const std::vector<std::uint64_t>& words);
/// The same by another catalogue than the built-in one.
OPDEBUG_API Result<StatusExplanation> decode_status(const StatusCatalogue& catalogue, Unit unit,
                                                    const std::vector<std::uint64_t>& words);

}  // namespace v0
}  // namespace opdebug
