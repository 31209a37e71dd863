// The loaded status catalogue: one register description per unit. File format: docs/guides/own-formats.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::status {

/// A diagnostic of a catalogue. The message may contain placeholders (explain.cpp).
struct RemarkText {
    Severity severity = Severity::info;
    std::string code;
    LocalizedText message;
};

/// Condition of a register's remark. A status of zero never gets one.
enum class When {
    nonzero,       ///< always
    named,         ///< at least one cause was found
    not_overflow,  ///< causes were found, but no overflow
    four_words,    ///< the status has four words
    causes,        ///< one of the causes in the remark was found
};

struct Remark {
    When when = When::nonzero;
    std::vector<Unit> units;          ///< units of the remark
    std::vector<std::string> causes;  ///< When::causes only: ids
    RemarkText text;
};

/// A contiguous group of bits with one number.
struct CodeField {
    std::uint64_t mask = 0;
    RemarkText unknown;  ///< the number has no entry
    RemarkText zero;     ///< the number is zero but the status is not
};

/// The description of one register, from one catalogue file. Sorted by lowest bit after loading.
struct Register {
    std::string name;
    std::vector<Unit> units;
    std::vector<CodeField> codes;
    std::vector<std::shared_ptr<const CauseDefinition>> entries;
    std::vector<Remark> remarks;
};

}  // namespace opdebug::status

namespace opdebug {
inline namespace v0 {

class StatusCatalogue {
public:
    /// The register description for the unit, or null.
    const status::Register* find(Unit unit) const noexcept { return registers_[static_cast<std::size_t>(unit)].get(); }
    /// Sets the description for all its units. Used only while a catalogue is built.
    void set(const std::shared_ptr<const status::Register>& description);

private:
    std::array<std::shared_ptr<const status::Register>, 7> registers_;
};

}  // namespace v0
}  // namespace opdebug
