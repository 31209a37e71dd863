// Meaning of a status number, from a catalogue of documented bits and codes.
//
// Sources: the CANN overflow guides (AI Core bits, DHA and L2 codes), the STATUS register description of A2/A3/950
// chips, and newer guides, which only document "status greater than 0 means overflow". If they disagree, both meanings
// are listed.
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

/// The name in documents and JSON: "AI Core", "DHA Atomic Add", "L2 Atomic Add", "AIC", "AIV", "AICPU", "SDMA".
OPDEBUG_API std::string_view unit_name(Unit unit) noexcept;
/// The command-line spelling: "ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma".
OPDEBUG_API std::string_view unit_key(Unit unit) noexcept;
/// The unit with that command-line spelling.
OPDEBUG_API std::optional<Unit> unit_from_key(std::string_view key) noexcept;

/// Meaning of a bit: an overflow of this operator, a result that is too small for its type, or an operand that was
/// already NaN or infinite.
enum class CauseKind { overflow, underflow, nan_operand };

/// One entry of the status catalogue. Immutable and shared.
struct CauseDefinition {
    std::string id;           ///< stable, for example "ai_core.float_overflow"
    std::uint64_t mask = 0;   ///< bits to compare
    std::uint64_t value = 0;  ///< value of these bits (equal to `mask` for a flag)
    CauseKind kind = CauseKind::overflow;
    LocalizedText name;
    LocalizedText text;
    LocalizedText advice;
    LocalizedText brief;  ///< `text` in a few words; empty: none
    LocalizedText next;   ///< `advice` in one line; empty: none
    std::string source;   ///< document with the meaning
};

/// A cause in a status.
struct Cause {
    std::shared_ptr<const CauseDefinition> definition;  ///< never null
    std::uint64_t bits = 0;                             ///< the bits of the status
};

/// A documented group of bits that is read as a number, for example DHA bits 8..15.
struct StatusCode {
    unsigned low_bit = 0;
    unsigned high_bit = 0;
    std::uint64_t value = 0;
};

/// Meaning of a status. `words` and `undocumented_bits` have the same length: 1, or 4 for an accelerator record of
/// version 1. Only the first word is looked up, because the others are not documented.
struct StatusExplanation {
    Unit unit = Unit::ai_core;
    std::vector<std::uint64_t> words;
    bool overflow = false;          ///< any word is not 0: the rule of the official converter and of newer documents
    std::vector<Cause> causes;      ///< in order of their lowest bit
    std::vector<StatusCode> codes;  ///< groups of bits that are numbers
    std::vector<std::uint64_t> undocumented_bits;  ///< for each word: set bits without a documented meaning
    std::vector<Diagnostic> diagnostics;
};

/// A catalogue of status bits. Immutable; threads may share it.
class StatusCatalogue;

/// The built-in catalogue, always the same object. Thread-safe.
OPDEBUG_API std::shared_ptr<const StatusCatalogue> built_in_status_catalogue();

/// Parses a catalogue from JSON files (docs/status-catalogue.md). Errors: catalogue_invalid with file name and
/// location; nesting_too_deep; name_too_long. Thread-safe.
OPDEBUG_API Result<std::shared_ptr<const StatusCatalogue>> load_status_catalogue(const std::vector<NamedText>& files,
                                                                                 const Limits& limits = {});

/// Explains a status. `words` contains one value, or four for an accelerator record of version 1; otherwise the error
/// is invalid_argument. Unknown bits are returned in undocumented_bits, not as an error. Thread-safe.
OPDEBUG_API Result<StatusExplanation> decode_status(Unit unit, const std::vector<std::uint64_t>& words);
/// The same with a given catalogue.
OPDEBUG_API Result<StatusExplanation> decode_status(const StatusCatalogue& catalogue, Unit unit,
                                                    const std::vector<std::uint64_t>& words);

}  // namespace v0
}  // namespace opdebug
