// Facts → a block.
#include "logs/map_file/block.hpp"

#include <algorithm>
#include <array>

#include "logs/facts/each_bit.hpp"
#include "logs/map_file/text_lists.hpp"
#include "logs/packing/number_bytes.hpp"

namespace opdebug::logs::map_file {

/// The numbers of one fact, in memory that is large enough for all.
class BlockWriter::Row {
public:
    void number(std::uint64_t value) noexcept { next_ = write_number(value, next_); }
    void signed_number(std::int64_t value) noexcept { number(folded(value)); }
    std::string_view bytes() const noexcept { return {bytes_.data(), static_cast<std::size_t>(next_ - bytes_.data())}; }

private:
    static constexpr std::size_t kOfFact = 10, kOfPlace = 3;
    static constexpr std::size_t kNumbersOfRow =
        kOfFact + kOfPlace * (1 + kPlaces.size()) + kNumbers.size() + kTexts.size();

    std::array<char, kNumbersOfRow * kMostNumberBytes> bytes_;  // not cleared: what is read was written
    char* next_ = bytes_.data();
};

void BlockWriter::place(const LineView& place, Row& row) {
    row.signed_number(difference(place.file, before_.file));
    row.signed_number(difference(place.line, before_.line));
    if (place.text.form == nullptr) {
        row.number(2 * number_of(place.text.whole));
    } else {
        row.number(2 * place_of(*place.text.form) + 1);
        differences_.text(place.text.difference);
    }
    before_.file = place.file;
    before_.line = place.line;
}

std::uint64_t BlockWriter::number_of(std::string_view text, std::uint32_t number_of_shared) {
    if (number_of_shared != 0) {
        return 2 * std::uint64_t{number_of_shared} - 1;
    }
    const std::size_t texts = texts_.texts().size();
    const std::uint64_t place = texts_.place_of(text);
    texts_size_ += place == texts ? text.size() + 2 : 0;
    return 2 * place;
}

/// Of some ten that a block has.
std::uint64_t BlockWriter::place_of(const LineForm& form) {
    const auto known = std::find(forms_.begin(), forms_.end(), &form);
    const auto place = static_cast<std::uint64_t>(known - forms_.begin());
    if (known == forms_.end()) {
        constexpr std::size_t kOfPart = 3;
        forms_.push_back(&form);
        lines_of_forms_.push_back(number_of(form.line()));
        texts_size_ += kOfPart * form.parts().size();
        parts_ += form.parts().size();
    }
    return place;
}

std::uint64_t BlockWriter::place_of(const RowKind& kind) {
    const auto known = std::find(row_kinds_.begin(), row_kinds_.end(), kind);
    const auto place = static_cast<std::uint64_t>(known - row_kinds_.begin());
    if (known == row_kinds_.end()) {
        constexpr std::size_t kOfKind = 9;
        row_kinds_.push_back(kind);
        texts_size_ += kOfKind;
    }
    return place;
}

void BlockWriter::add(std::uint64_t number, const FactView& fact) {
    Row row;
    ++facts_;
    row.number(place_of({fact.kind, fact.log, fact.further_mask, fact.text_mask, fact.flags, fact.number_mask,
                         number_of(fact.format_id, fact.format_number)}));
    row.signed_number(difference(number, before_.number));
    row.signed_number(
        difference(static_cast<std::uint64_t>(fact.time_us), static_cast<std::uint64_t>(before_.time_us)));
    row.signed_number(difference(static_cast<std::uint64_t>(fact.tid), static_cast<std::uint64_t>(before_.tid)));
    before_.number = number;
    before_.time_us = fact.time_us;
    before_.tid = fact.tid;
    const KnownValues known = fact.known();
    FactMemory memory(fact.format_id, known);
    place(fact.place, row);
    memory.add(fact.place.text);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        place(fact.further[i], row);
        memory.add(fact.further[i].text);
    }
    std::size_t next = 0;
    for_each_bit(fact.number_mask, [&](std::size_t member) {
        std::uint64_t& before = before_.numbers[member];
        row.signed_number(difference(fact.numbers[next], before));
        before = fact.numbers[next++];
    });
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        row.number(number_of(fact.texts[i], fact.text_numbers[i]));
    }
    rows_.bytes(row.bytes());
    memory_ += memory.bytes();
}

void BlockWriter::write_to(ByteWriter& out) const {
    write_texts(texts_.texts(), out);
    write_forms(out);
    write_row_kinds(out);
    out.text(differences_.result());
    out.bytes(rows_.result());
}

/// The number of a filling: what it is, and five times its member.
void BlockWriter::write_forms(ByteWriter& out) const {
    out.number(forms_.size());
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        const std::vector<FormPart>& parts = forms_[i]->parts();
        out.number(lines_of_forms_[i]);
        out.number(parts.size());
        std::size_t place = 0;
        for (const FormPart& part : parts) {
            out.number(part.begin - place);
            out.number(part.size);
            out.number(static_cast<std::uint64_t>(part.filling) + kFillings * part.member);
            place = part.end();
        }
    }
}

/// Marks of members: bit n is that of the n-th name of the list.
void BlockWriter::write_row_kinds(ByteWriter& out) const {
    out.number(row_kinds_.size());
    for (const RowKind& kind : row_kinds_) {
        out.number(static_cast<std::uint64_t>(kind.kind));
        out.number(static_cast<std::uint64_t>(kind.log));
        out.number(kind.format);
        out.number(kind.further_mask);
        out.number(kind.number_mask);
        out.number(kind.text_mask);
        out.number(kind.flags);
    }
}

void BlockWriter::clear() {
    rows_.clear();
    texts_.clear();
    texts_size_ = 0;
    forms_.clear();
    lines_of_forms_.clear();
    parts_ = 0;
    row_kinds_.clear();
    differences_.clear();
    before_ = {};
    facts_ = 0;
    memory_ = 0;
}

}  // namespace opdebug::logs::map_file
