// The loaded status catalogue: one register description per unit. The form of the files: docs/status-catalogue.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::status {

/// A diagnostic as it stands in a catalogue; the message may hold placeholders (explain.cpp).
struct RemarkText {
    Severity severity = Severity::info;
    std::string code;
    LocalizedText message;
};

/// When a remark of a register is given. A status of zero never gets one.
enum class When {
    nonzero,       ///< always
    named,         ///< at least one cause was found
    not_overflow,  ///< causes were found and none of them is an overflow
    four_words,    ///< the status has four words
    causes,        ///< one of the causes listed with the remark was found
};

struct Remark {
    When when = When::nonzero;
    std::vector<Unit> units;          ///< the units it is meant for
    std::vector<std::string> causes;  ///< When::causes only: ids
    RemarkText text;
};

/// A contiguous group of bits that is read as one number.
struct CodeField {
    std::uint64_t mask = 0;
    RemarkText unknown;  ///< the number has no entry
    RemarkText zero;     ///< the number is zero although the status is not
};

/// The description of one register, as one catalogue file gives it. Ordered by lowest bit after loading.
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
    /// The register description for the unit; null when there is none.
    const status::Register* find(Unit unit) const noexcept { return registers_[static_cast<std::size_t>(unit)].get(); }
    /// Makes the description the one of all its units. Only used while a catalogue is being built.
    void set(const std::shared_ptr<const status::Register>& description);

private:
    std::array<std::shared_ptr<const status::Register>, 7> registers_;
};

}  // namespace v0
}  // namespace opdebug
