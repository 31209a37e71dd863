// One block of a saved map: facts as rows of tables, with the texts that they use.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/bytes.hpp>

#include "logs/map_file/layout.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/packing/fact_view.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "logs/packing/text_table.hpp"

namespace opdebug::logs::map_file {

/// Differences wrap around, so that every pair of numbers has one.
inline std::int64_t difference(std::uint64_t value, std::uint64_t base) noexcept {
    return static_cast<std::int64_t>(value - base);
}
inline std::uint64_t sum(std::uint64_t base, std::int64_t difference) noexcept {
    return base + static_cast<std::uint64_t>(difference);
}

/// A fact with its place in the process's list.
struct NumberedFact {
    std::uint64_t number = 0;
    StoredFact stored;
};
static_assert(FactMemory::kOfFact >= 2 * sizeof(NumberedFact));
static_assert(ListMemory::kOfForm >= 2 * sizeof(LineForm) && ListMemory::kOfPart >= 2 * sizeof(FormPart));

/// The names that the file gives to kinds and members, each translated to what this version knows; what it does not
/// know is null: its values are read and dropped.
struct Names {
    std::vector<std::optional<FactKind>> kinds;
    std::vector<std::optional<LogKind>> logs;
    std::vector<std::optional<std::uint64_t> Fact::*> numbers;
    std::vector<std::string Fact::*> texts;
    std::vector<bool Fact::*> flags;
    std::vector<FurtherLine StoredFact::*> places;
};

/// The names of this version, as a section, and what a section says.
std::string names_section();
std::optional<Names> read_names(Bytes section);

/// Collects facts until the block is large enough. Their texts and the forms of their lines are not copied, but
/// differences of lines: they must outlive it.
class BlockWriter {
public:
    void add(std::uint64_t number, const FactView& fact);
    std::uint64_t facts() const noexcept { return facts_; }
    /// What reading them takes (FactMemory, ListMemory).
    std::uint64_t memory() const noexcept {
        return memory_ + ListMemory::kOfText * texts_.texts().size() + ListMemory::kOfForm * forms_.size() +
               ListMemory::kOfPart * parts_ + ListMemory::kOfRowKind * row_kinds_.size();
    }
    std::size_t size() const noexcept { return rows_.size() + texts_size_ + differences_.size(); }
    void write_to(ByteWriter& out) const;
    /// For the next block, in the same memory.
    void clear();

private:
    class Row;
    /// What many rows have alike: told once in a block, as it is a third of their bytes.
    struct RowKind {
        FactKind kind = {};
        LogKind log = {};
        std::uint8_t further_mask = 0, text_mask = 0, flags = 0;
        std::uint32_t number_mask = 0;
        std::uint64_t format = 0;  ///< number of a text
        bool operator==(const RowKind&) const = default;
    };
    std::uint64_t place_of(const RowKind& kind);
    void write_row_kinds(ByteWriter& out) const;
    void place(const LineView& place, Row& row);
    /// Even: twice the place among the texts of the block; odd: one more than twice its number among those that the
    /// facts of the process share. `number_of_shared`: one more than that, 0 where it is none.
    std::uint64_t number_of(std::string_view text, std::uint32_t number_of_shared = 0);
    std::uint64_t place_of(const LineForm& form);
    void write_forms(ByteWriter& out) const;

    /// What the row before said; the next one tells only the difference.
    struct Before {
        std::uint64_t number = 0, file = 0, line = 0;
        std::int64_t tid = 0, time_us = 0;
        std::array<std::uint64_t, kNumbers.size()> numbers{};
    };

    ByteWriter rows_;
    Before before_;
    std::uint64_t facts_ = 0;
    std::uint64_t memory_ = 0;
    TextTable texts_{4096};       ///< most blocks have fewer than half as many
    std::size_t texts_size_ = 0;  ///< about how many bytes they and the forms take in the block
    std::vector<const LineForm*> forms_;
    std::vector<std::uint64_t> lines_of_forms_;  ///< texts
    std::uint64_t parts_ = 0;                    ///< of all forms
    std::vector<RowKind> row_kinds_;
    ByteWriter differences_;  ///< of lines to forms
};

/// What a block needs of the other parts of its file.
struct BlockFrame {
    const Names& names;
    std::size_t files = 0;  ///< how many there are
    /// Gives the texts that the facts of the process share, which are read when the first of them is needed: who looks
    /// for one task reads blocks of all processes, most of which do not have it.
    std::function<std::span<const std::string_view>()> shared_texts;
};

/// The facts of an unpacked block for which `wanted` holds. False when the block is malformed or names a file that is
/// not there.
bool read_block(Bytes block, const BlockFrame& frame, std::uint64_t facts,
                const std::function<bool(const Fact&)>& wanted, std::vector<NumberedFact>& found, MemoryLeft& memory);

}  // namespace opdebug::logs::map_file
