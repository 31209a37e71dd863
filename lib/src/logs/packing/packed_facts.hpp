// Facts in little memory, while they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/fetch.hpp"
#include "logs/facts/numbered_node.hpp"
#include "logs/packing/fact_view.hpp"
#include "logs/packing/growing_list.hpp"
#include "logs/packing/shared_texts.hpp"
#include "logs/packing/wording.hpp"

namespace opdebug::logs {

/// What a fact is about.
struct FactSubject {
    FactKind kind = {};
    std::optional<std::uint64_t> stream_id, task_id;
    bool names_numbered_node = false;
};

/// A list of facts, each one piece of bytes with what it has: a launch takes 0.1 KB with its two lines, which are kept
/// as what they have of the first lines of their kinds (LineForms), and with texts that others have as well
/// (SharedTexts). With whole lines it took 0.6 KB, as a StoredFact 1.5 KB. Texts of facts that were read stay where
/// they are as long as the list, or until the fact is replaced; those of the first one until there is a second. Where
/// facts belong and what they are about is kept beside each other: to sort and group them, which waited for memory at
/// each fact, these pieces are not read.
class PackedFacts {
public:
    PackedFacts() = default;
    /// Whose lines and texts are kept whole: facts that are opened at once are not worth comparing.
    static PackedFacts of_whole_texts() {
        PackedFacts facts;
        facts.keeps_whole_ = true;
        return facts;
    }
    /// A list without facts, with the forms and texts of this one: facts that were opened are packed as they were
    /// before.
    PackedFacts without_facts() const;
    /// Null: they share none.
    const SharedTexts* shared_texts() const noexcept { return wording_ != nullptr ? &wording_->texts() : nullptr; }

    std::size_t size() const noexcept { return entries_.size(); }
    FactView operator[](std::size_t place) const noexcept;
    /// The same into memory that is used again: a new view is cleared first.
    void read(std::size_t place, FactView& fact) const noexcept;
    /// The same as the fact itself says, mostly without reading it.
    FactSubject subject(std::size_t place) const noexcept {
        const Entry& entry = entries_[place];
        if (entry.has(kIdsInRecord)) {
            const FactNumbers fact = numbers(place);
            return {entry.kind, fact.stream_id(), fact.task_id(), entry.has(kNamesNumberedNode)};
        }
        return {entry.kind, entry.has(kHasStream) ? std::optional<std::uint64_t>(entry.stream_id) : std::nullopt,
                entry.has(kHasTask) ? std::optional<std::uint64_t>(entry.task_id) : std::nullopt,
                entry.has(kNamesNumberedNode)};
    }
    std::int64_t time_us(std::size_t place) const noexcept { return entries_[place].time_us; }
    FactNumbers numbers(std::size_t place) const noexcept;
    /// `fact`: with whole lines.
    void add(const FactView& fact);
    /// `fact`: with whole lines, none of whose texts is the list's.
    void replace(std::size_t place, const FactView& fact);
    /// Adds all of the other's.
    void append(const PackedFacts& further);

    /// Where a fact belongs: in time order, then in the order of the files, then as it was added. Only this is sorted.
    void sort_by_time();
    /// Those at places where `leaves` holds.
    void leave_out(const std::vector<bool>& leaves);

    /// Has the processor fetch a fact that is read soon, and before that where it is.
    [[gnu::always_inline]] void fetch_entry(std::size_t place) const noexcept {
        bytes::fetch<sizeof(Entry)>(&entries_[place]);
    }
    /// What tells whether others share a text of a fact that is added soon, and the text that it is compared with.
    [[gnu::always_inline]] void fetch_text(std::string_view text) const noexcept {
        if (wording_ != nullptr) {
            wording_->texts().fetch(text);
        }
    }
    [[gnu::always_inline]] void fetch_bytes_of_text(std::string_view text) const noexcept {
        if (wording_ != nullptr) {
            wording_->texts().fetch_bytes(text);
        }
    }
    [[gnu::always_inline]] void fetch(std::size_t place) const noexcept {
        constexpr std::size_t kMostOfFact = 2 * bytes::kCacheLine;  // most have 100 bytes
        bytes::fetch<kMostOfFact>(entries_[place].record);
    }

private:
    static constexpr std::uint8_t kHasStream = 1, kHasTask = 2, kNamesNumberedNode = 4;
    static constexpr std::uint8_t kIdsInRecord = 8;  ///< of stream and task: one of them has more than 32 bits
    /// Small, for memory that is used for the first time takes longer to get than to fill.
    struct Entry {
        std::int64_t time_us = 0;
        char* record = nullptr;                    ///< all else, in one of the pieces
        std::uint32_t stream_id = 0, task_id = 0;  ///< where there are
        std::uint32_t file = 0;
        FactKind kind = {};
        /// Of kHasStream and the like. Members of one bit each are read before they are written, for which the system
        /// gives a new page twice.
        std::uint8_t marks = 0;
        bool has(std::uint8_t mark) const noexcept { return (marks & mark) != 0; }
        /// How many ids stand here in place of the record.
        std::size_t ids_beside() const noexcept {
            return has(kIdsInRecord) ? 0 : (has(kHasStream) ? 1U : 0U) + (has(kHasTask) ? 1U : 0U);
        }
        bool is_before(const Entry& other) const noexcept;
    };
    static_assert(sizeof(Entry) == 32);
    /// Those; returns how many there are.
    static std::size_t read_ids(const Entry& entry, FactNumbers& fact) noexcept;
    static void fill_entry(const FactView& fact, char* record, Entry& entry) noexcept;
    void keep_texts(const FactView& fact, KeptWording& kept);
    void begin_wording();
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
    bool keeps_whole_ = false;
    /// Null: texts are kept whole, as of a first fact alone: a log may have 100,000 processes with a fact each.
    std::unique_ptr<Wording> wording_;
};

}  // namespace opdebug::logs
