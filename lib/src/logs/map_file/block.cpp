// Facts → a block.
#include "logs/map_file/block.hpp"

#include <array>
#include <bit>

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
    row.number(texts_.index_of(place.text.base));
    differences_.text(place.text.difference);
    before_.file = place.file;
    before_.line = place.line;
}

/// Of members: marks of what is there (bit n: the n-th name of the list), then the values in the order of the bits.
void BlockWriter::add(std::uint64_t number, const FactView& fact) {
    Row row;
    ++facts_;
    row.signed_number(difference(number, before_.number));
    row.number(static_cast<std::uint64_t>(fact.kind));
    row.number(static_cast<std::uint64_t>(fact.log));
    row.number(texts_.index_of(fact.format_id));
    row.signed_number(
        difference(static_cast<std::uint64_t>(fact.time_us), static_cast<std::uint64_t>(before_.time_us)));
    row.signed_number(difference(static_cast<std::uint64_t>(fact.tid), static_cast<std::uint64_t>(before_.tid)));
    before_.number = number;
    before_.time_us = fact.time_us;
    before_.tid = fact.tid;
    FactMemory memory(fact.format_id, fact.names());
    place(fact.place, row);
    memory.add(fact.place.text);
    row.number(fact.further_mask);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        place(fact.further[i], row);
        memory.add(fact.further[i].text);
    }
    row.number(fact.number_mask);
    std::size_t next = 0;
    for (unsigned left = fact.number_mask; left != 0; left &= left - 1) {
        std::uint64_t& before = before_.numbers[static_cast<std::size_t>(std::countr_zero(left))];
        row.signed_number(difference(fact.numbers[next], before));
        before = fact.numbers[next++];
    }
    row.number(fact.text_mask);
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        row.number(texts_.index_of(fact.texts[i]));
    }
    row.number(fact.flags);
    rows_.bytes(row.bytes());
    memory_ += memory.bytes();
}

void BlockWriter::write_to(ByteWriter& out) const {
    texts_.write_to(out);
    out.text(differences_.result());
    out.bytes(rows_.result());
}

void BlockWriter::clear() {
    rows_.clear();
    texts_.clear();
    differences_.clear();
    before_ = {};
    facts_ = 0;
    memory_ = 0;
}

}  // namespace opdebug::logs::map_file
