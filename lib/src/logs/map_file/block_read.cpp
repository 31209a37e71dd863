// A block → facts.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/map_file/block.hpp"
#include "logs/packing/line_difference.hpp"

namespace opdebug::logs::map_file {
namespace {

bool has(std::uint64_t mask, std::size_t bit) {
    return (mask >> bit & 1U) != 0;
}

/// Reads the rows of a block.
class BlockReader {
public:
    BlockReader(Bytes block, const Names& names, std::size_t files) : in_(block), names_(names), files_(files) {
        const std::uint64_t count = in_.count();
        texts_.reserve(static_cast<std::size_t>(count));
        for (std::uint64_t i = 0; i < count && in_.ok(); ++i) {
            texts_.push_back(in_.text());
        }
        differences_ = ByteReader(Bytes(in_.text()));
        before_.numbers.resize(names.numbers.size());
    }

    bool ok() const noexcept { return in_.ok() && differences_.ok(); }
    bool at_end() const noexcept { return in_.at_end() && differences_.at_end(); }

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
        if (!ok() || !names_.kinds[kind] || !names_.logs[log]) {
            return std::nullopt;
        }
        fact.stored.fact.kind = *names_.kinds[kind];
        fact.stored.fact.log = *names_.logs[log];
        return fact;
    }

    /// Of the fact that came last.
    std::uint64_t memory() const noexcept {
        FactMemory memory(format_, all_names_);
        memory.add(line_);
        for (const auto& [member, line] : place_texts_) {
            memory.add(line);
        }
        return memory.bytes();
    }

    /// Gives the fact that came last its texts.
    void complete(StoredFact& stored) {
        stored.from_saved_map = true;
        stored.fact.format_id = format_;
        stored.place.text = whole(line_);
        for (const auto& [member, line] : place_texts_) {
            (stored.*member)->text = whole(line);
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

    std::string whole(const LineText& line) {
        std::optional<std::string> text = whole_text(line, all_names_);
        if (!text) {
            differences_.fail();
        }
        return text ? *std::move(text) : std::string();
    }

    void place(LogPlace& place, LineText& line) {
        before_.file = sum(before_.file, in_.signed_number());
        before_.line = sum(before_.line, in_.signed_number());
        line.base = text();
        line.difference = differences_.text();
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
                LineText line;
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
        all_names_.clear();
        for (std::size_t i = 0; i < names_.texts.size(); ++i) {
            if (has(texts, i)) {
                const std::string_view value = text();
                all_names_.push_back(value);
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
    ByteReader differences_{Bytes()};  ///< of lines to their bases
    const Names& names_;
    std::size_t files_;
    std::vector<std::string_view> texts_;
    Before before_;
    std::string_view format_;
    LineText line_;
    std::vector<std::string_view> all_names_;  ///< values of text members, with those that this version does not know
    std::vector<std::pair<std::string Fact::*, std::string_view>> member_texts_;
    std::vector<std::pair<FurtherLine StoredFact::*, LineText>> place_texts_;
};

}  // namespace

bool read_block(Bytes block, const Names& names, std::uint64_t facts, std::size_t files,
                const std::function<bool(const Fact&)>& wanted, std::vector<NumberedFact>& found, MemoryLeft& memory) {
    BlockReader reader(block, names, files);
    for (std::uint64_t i = 0; i < facts && reader.ok(); ++i) {
        std::optional<NumberedFact> fact = reader.next();
        if (fact && wanted(fact->stored.fact)) {
            if (!memory.take(reader.memory())) {
                return false;
            }
            reader.complete(fact->stored);
            found.push_back(std::move(*fact));
        }
    }
    return reader.at_end();
}

}  // namespace opdebug::logs::map_file
