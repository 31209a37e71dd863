// Facts in little memory, while they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bytes/fetch.hpp"
#include "logs/facts/numbered_node.hpp"
#include "logs/packing/fact_view.hpp"
#include "logs/packing/growing_list.hpp"
#include "logs/packing/line_bases.hpp"

namespace opdebug::logs {

/// What a fact is about.
struct FactSubject {
    FactKind kind = {};
    std::optional<std::uint64_t> stream_id, task_id;
    bool names_numbered_node = false;
};

/// A list of facts, each one piece of bytes with what it has: a launch takes 0.2 KB with its two lines, which are kept
/// as what they have of the first lines of their kinds. With whole lines it took 0.6 KB, as a StoredFact 1.5 KB. Texts
/// of facts that were read stay where they are as long as the list, or until the fact is replaced. Where facts belong
/// and what they are about is kept beside each other: to sort and group them, which waited for memory at each fact,
/// these pieces are not read.
class PackedFacts {
public:
    PackedFacts() = default;
    /// Whose lines are compared to those: facts that were opened are packed as they were before.
    explicit PackedFacts(LineBases bases) : bases_(std::move(bases)) {}
    const LineBases& bases() const noexcept { return bases_; }

    std::size_t size() const noexcept { return entries_.size(); }
    FactView operator[](std::size_t place) const noexcept;
    /// The same as the fact itself says, without reading all of it.
    FactSubject subject(std::size_t place) const noexcept;
    std::int64_t time_us(std::size_t place) const noexcept { return entries_[place].time_us; }
    /// `fact`: with whole lines.
    void add(const FactView& fact);
    /// `fact`: with whole lines; its texts may be those of the one that it replaces.
    void replace(std::size_t place, const FactView& fact);
    /// Adds all of the other's.
    void append(const PackedFacts& further);

    /// Where a fact belongs: in time order, then in the order of the files, then as it was added. Only this is sorted.
    void sort_by_time();
    /// Those at places where `leaves` holds.
    void leave_out(const std::vector<bool>& leaves);

    /// Has the processor fetch a fact that is read soon, and before that where it is.
    [[gnu::always_inline]] void fetch_entry(std::size_t place) const noexcept { __builtin_prefetch(&entries_[place]); }
    [[gnu::always_inline]] void fetch(std::size_t place) const noexcept {
        constexpr std::size_t kLines = 4;  // most facts have 200 bytes
        bytes::fetch(entries_[place].record, kLines * bytes::kCacheLine);
    }

private:
    struct Entry {
        std::int64_t time_us = 0;
        std::uint64_t line = 0;
        std::uint64_t stream_id = 0, task_id = 0;  ///< where there are
        char* record = nullptr;                    ///< all else, in one of the pieces
        std::uint32_t file = 0;
        FactKind kind = {};
        bool has_stream = false, has_task = false, names_numbered_node = false;
        bool is_before(const Entry& other) const noexcept;
    };
    static Entry entry_of(const FactView& fact, char* record) noexcept;
    struct KeptLines;
    void keep_lines(const FactView& fact, KeptLines& kept);
    /// A piece of memory that is being filled.
    struct Piece {
        std::size_t size = 0;
        char* next = nullptr;  ///< what is free of it
        std::size_t left = 0;
        void take(std::size_t taken) noexcept {
            next += taken;
            left -= taken;
        }
    };
    Piece& piece_with(std::size_t free_size, const FactView& fact);

    static constexpr std::size_t kStreams = 8;

    std::vector<std::unique_ptr<char[]>> memory_;
    std::vector<Piece> pieces_;  ///< one, then of the streams whose ids divided by kStreams leave the same
    GrowingList<Entry> entries_;
    LineBases bases_;
};

}  // namespace opdebug::logs
