// Lines that are kept as what they have of the first ones of their kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logs/packing/line_form.hpp"

namespace opdebug::logs {

/// Which line of a fact it is: of the lines that the facts of one format have in one role most differ in a few words.
struct LineKind {
    std::uint32_t format = 0;  ///< a number for its id
    std::size_t role = 0;
    bool operator==(const LineKind&) const = default;
};

/// Forms of each kind, made of lines that were first to be as they are. Forms stay where they are as long as this or a
/// copy.
class LineForms {
public:
    /// Those of one kind. One format may read lines of several functions.
    class OfKind {
    public:
        /// From 1, in the order in which the forms of all kinds were added.
        const std::vector<std::uint32_t>& numbers() const noexcept { return numbers_; }

    private:
        friend class LineForms;
        LineKind kind_;
        std::vector<std::uint32_t> numbers_;
    };

    const LineForm& form(std::uint32_t number) const noexcept { return forms_[number - 1]->form; }

    /// Null where there are too many kinds; as long as nothing is added.
    OfKind* of_kind(const LineKind& kind);
    /// Whether the kind may have one more.
    bool has_room(const OfKind& of_kind) const noexcept;
    /// Adds the form of this line, which says so much of its fact, and gives its number. There must be room.
    std::uint32_t add(OfKind& of_kind, std::string_view line, const KnownValues& known);

private:
    struct Kept {
        std::string line;
        LineForm form;  ///< of `line`
        Kept(std::string_view first, const KnownValues& known) : line(first), form(LineForm::of_line(line, known)) {}
    };
    static constexpr std::size_t kMost = 64;  ///< a kind is looked for among them; logs have some ten
    static constexpr std::size_t kMostOfKind = 3;

    std::vector<OfKind> kinds_;  ///< those that are asked for often come first
    std::vector<std::shared_ptr<const Kept>> forms_;
};

}  // namespace opdebug::logs
