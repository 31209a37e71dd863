// What the facts of a process have alike: forms of their lines, and texts.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "logs/facts/fact_members.hpp"
#include "logs/packing/fact_record.hpp"
#include "logs/packing/fact_view.hpp"
#include "logs/packing/line_forms.hpp"
#include "logs/packing/line_text.hpp"
#include "logs/packing/shared_texts.hpp"

namespace opdebug::logs {

/// How the texts of a fact are kept, with memory for what its lines have of their forms.
struct KeptWording : KeptTexts {
    std::array<std::array<char, 512>, 1 + kPlaces.size()> room;  // NOLINT(*-member-init): what is read was written
};

/// Grows with the facts that are kept by it. What it gave stays as long as this or a copy.
class Wording {
public:
    /// `fact`: with whole lines.
    void keep(const FactView& fact, KeptWording& kept);
    const SharedTexts& texts() const noexcept { return texts_; }
    SharedByFacts shared() const noexcept { return {&texts_, &forms_}; }

private:
    void keep_line(const LineKind& kind, std::string_view line, const KnownValues& known, std::span<char> room,
                   KeptLine& kept);
    void keep_lines(const FactView& fact, KeptWording& kept);
    void share_texts(const FactView& fact, KeptWording& kept);

    LineForms forms_;
    FillingMemory filling_;
    SharedTexts texts_;
};

}  // namespace opdebug::logs
