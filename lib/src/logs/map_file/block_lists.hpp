// What stands in a block before its rows: texts, forms of lines, and what many rows have alike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "logs/map_file/block.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/packing/line_form.hpp"
#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs::map_file {

/// What the rows of one kind have alike. Masks: bit n is that of the n-th name of the file's list.
struct RowKind {
    std::optional<FactKind> kind;  ///< nothing: this version does not know it
    std::optional<LogKind> log;
    std::uint64_t format = 0;  ///< a text
    std::uint64_t further_mask = 0, number_mask = 0, text_mask = 0, flags = 0;
};

class BlockLists {
public:
    /// Reads them where `in` is, which fails where they are malformed or take more memory than is left. The bytes and
    /// the frame must outlive this.
    BlockLists(ByteReader& in, const BlockFrame& frame, MemoryLeft& memory);

    /// Of the block, or one that the facts of the process share; nothing when it is not there.
    std::optional<std::string_view> text(std::uint64_t number);
    const LineForm* form(std::uint64_t place) const noexcept {
        return place < forms_.size() ? &forms_[static_cast<std::size_t>(place)] : nullptr;
    }
    const RowKind* row_kind(std::uint64_t place) const noexcept {
        return place < row_kinds_.size() ? &row_kinds_[static_cast<std::size_t>(place)] : nullptr;
    }

private:
    void read_forms(ByteReader& in, MemoryLeft& memory);
    void read_row_kinds(ByteReader& in, MemoryLeft& memory);

    const BlockFrame& frame_;
    std::vector<std::string_view> texts_;
    std::optional<std::span<const std::string_view>> shared_texts_;  ///< nothing: not asked for yet
    std::vector<LineForm> forms_;
    std::vector<RowKind> row_kinds_;
};

}  // namespace opdebug::logs::map_file
