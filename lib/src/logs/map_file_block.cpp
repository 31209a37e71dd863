#include "logs/map_file_block.hpp"

#include <array>
#include <bit>
#include <limits>

namespace opdebug::logs::map_file {
namespace {

bool has(std::uint64_t mask, std::size_t bit) {
    return (mask >> bit & 1U) != 0;
}

}  // namespace

/// The numbers of one fact, in memory that is large enough for all: to ask for each byte whether there is room took
/// a tenth of the instructions of making blocks.
class BlockWriter::Row {
public:
    void number(std::uint64_t value) noexcept {
        constexpr unsigned kBitsPerByte = 7;
        for (; value >= 0x80; value >>= kBitsPerByte) {
            *next_++ = static_cast<char>(static_cast<std::uint8_t>(value | 0x80U));
        }
        *next_++ = static_cast<char>(static_cast<std::uint8_t>(value));
    }
    void signed_number(std::int64_t value) noexcept { number(folded(value)); }
    std::string_view bytes() const noexcept { return {bytes_.data(), static_cast<std::size_t>(next_ - bytes_.data())}; }

private:
    static constexpr std::size_t kMostOfNumber = 10;  ///< bytes
    static constexpr std::size_t kOfFact = 10, kOfPlace = 3;
    static constexpr std::size_t kNumbersOfRow =
        kOfFact + kOfPlace * (1 + kPlaces.size()) + kNumbers.size() + kTexts.size();

    std::array<char, kNumbersOfRow * kMostOfNumber> bytes_;  // not cleared: what is read was written
    char* next_ = bytes_.data();
};

void BlockWriter::place(const LineView& place, Row& row) {
    row.signed_number(difference(place.file, before_.file));
    row.signed_number(difference(place.line, before_.line));
    row.number(texts_.index_of(place.text));
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
    place(fact.place, row);
    row.number(fact.further_mask);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        place(fact.further[i], row);
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
}

void BlockWriter::write_to(ByteWriter& out) const {
    texts_.write_to(out);
    out.bytes(rows_.result());
}

void BlockWriter::clear() {
    rows_.clear();
    texts_.clear();
    before_ = {};
    facts_ = 0;
}

namespace {

/// Reads the rows of a block.
class BlockReader {
public:
    BlockReader(Bytes block, const Names& names, std::size_t files) : in_(block), names_(names), files_(files) {
        const std::uint64_t count = in_.count();
        texts_.reserve(static_cast<std::size_t>(count));
        for (std::uint64_t i = 0; i < count && in_.ok(); ++i) {
            texts_.push_back(in_.text());
        }
        before_.numbers.resize(names.numbers.size());
    }

    bool ok() const noexcept { return in_.ok(); }
    bool at_end() const noexcept { return in_.at_end(); }

    /// The next fact without texts of lines: those are made only for facts that are kept. Empty: of a kind that this
    /// version does not know.
    std::optional<NumberedFact> next() {
        NumberedFact fact;
        fact.number = before_.number = sum(before_.number, in_.signed_number());
        const std::uint64_t kind = in_.number();
        const std::uint64_t log = in_.number();
        format_ = text();
        before_.time_us = add(before_.time_us, in_.signed_number());
        before_.tid = add(before_.tid, in_.signed_number());
        fact.stored.time_us = before_.time_us;
        fact.stored.tid = before_.tid;
        place(fact.stored.place, line_);
        further_places(fact.stored);
        members(fact.stored.fact);
        if (kind >= names_.kinds.size() || log >= names_.logs.size()) {
            in_.fail();
        }
        if (!in_.ok() || !names_.kinds[kind] || !names_.logs[log]) {
            return std::nullopt;
        }
        fact.stored.fact.kind = *names_.kinds[kind];
        fact.stored.fact.log = *names_.logs[log];
        return fact;
    }

    /// Bytes of the texts of the fact that came last.
    std::uint64_t text_bytes() const noexcept {
        std::uint64_t bytes = format_.size() + line_.size();
        for (const auto& [member, value] : place_texts_) {
            bytes += value.size();
        }
        for (const auto& [member, value] : member_texts_) {
            bytes += value.size();
        }
        return bytes;
    }

    /// Gives the fact that came last its texts.
    void complete(StoredFact& stored) const {
        stored.from_saved_map = true;
        stored.fact.format_id = format_;
        stored.place.text = line_;
        for (const auto& [member, value] : place_texts_) {
            (stored.*member)->text = value;
        }
        for (const auto& [member, value] : member_texts_) {
            stored.fact.*member = value;
        }
    }

private:
    static std::int64_t add(std::int64_t value, std::int64_t difference) {
        return static_cast<std::int64_t>(sum(static_cast<std::uint64_t>(value), difference));
    }

    std::string_view text() {
        const std::uint64_t index = in_.number();
        if (index >= texts_.size()) {
            in_.fail();
            return {};
        }
        return texts_[static_cast<std::size_t>(index)];
    }

    void place(LogPlace& place, std::string_view& line) {
        before_.file = sum(before_.file, in_.signed_number());
        before_.line = sum(before_.line, in_.signed_number());
        line = text();
        if (before_.file >= files_) {
            in_.fail();
        }
        place.file = static_cast<std::uint32_t>(before_.file);
        place.line = before_.line;
    }

    void further_places(StoredFact& stored) {
        const std::uint64_t places = mask(names_.places.size());
        place_texts_.clear();
        for (std::size_t i = 0; i < names_.places.size(); ++i) {
            if (has(places, i)) {
                LogPlace further;
                std::string_view line;
                place(further, line);
                if (names_.places[i] != nullptr) {
                    stored.*names_.places[i] = further;
                    place_texts_.emplace_back(names_.places[i], line);
                }
            }
        }
    }

    /// Marks for more members than there are names are a fault.
    std::uint64_t mask(std::size_t members) {
        const std::uint64_t mask = in_.number();
        if (members < 64 && (mask >> members) != 0) {
            in_.fail();
        }
        return in_.ok() ? mask : 0;
    }

    void members(Fact& fact) {
        const std::uint64_t numbers = mask(names_.numbers.size());
        for (std::size_t i = 0; i < names_.numbers.size(); ++i) {
            if (has(numbers, i)) {
                before_.numbers[i] = sum(before_.numbers[i], in_.signed_number());
                if (names_.numbers[i] != nullptr) {
                    fact.*names_.numbers[i] = before_.numbers[i];
                }
            }
        }
        const std::uint64_t texts = mask(names_.texts.size());
        member_texts_.clear();
        for (std::size_t i = 0; i < names_.texts.size(); ++i) {
            if (has(texts, i)) {
                const std::string_view value = text();
                if (names_.texts[i] != nullptr) {
                    member_texts_.emplace_back(names_.texts[i], value);
                }
                if (names_.texts[i] == &Fact::operator_name && begins_with_number(value)) {
                    fact.operator_name = value;  // whether the fact is wanted hangs on it
                }
            }
        }
        const std::uint64_t flags = mask(names_.flags.size());
        for (std::size_t i = 0; i < names_.flags.size(); ++i) {
            if (names_.flags[i] != nullptr) {
                fact.*names_.flags[i] = has(flags, i);
            }
        }
    }

    struct Before {
        std::uint64_t number = 0, file = 0, line = 0;
        std::int64_t tid = 0, time_us = 0;
        std::vector<std::uint64_t> numbers;
    };

    ByteReader in_;
    const Names& names_;
    std::size_t files_;
    std::vector<std::string_view> texts_;
    Before before_;
    std::string_view format_, line_;
    std::vector<std::pair<std::string Fact::*, std::string_view>> member_texts_;
    std::vector<std::pair<FurtherLine StoredFact::*, std::string_view>> place_texts_;
};

}  // namespace

bool read_block(Bytes block, const Names& names, std::uint64_t facts, std::size_t files,
                const std::function<bool(const Fact&)>& wanted, std::vector<NumberedFact>& found, MemoryLeft& memory) {
    constexpr std::uint64_t kFactBytes = 2 * sizeof(NumberedFact);  // lists of them grow to twice their size
    BlockReader reader(block, names, files);
    for (std::uint64_t i = 0; i < facts && reader.ok(); ++i) {
        std::optional<NumberedFact> fact = reader.next();
        if (fact && wanted(fact->stored.fact)) {
            if (!memory.take(kFactBytes + reader.text_bytes())) {
                return false;
            }
            reader.complete(fact->stored);
            found.push_back(std::move(*fact));
        }
    }
    return reader.at_end();
}

}  // namespace opdebug::logs::map_file
