#include "logs/packing/packed_facts.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "logs/packing/fact_record.hpp"

namespace opdebug::logs {
PackedFacts PackedFacts::without_facts() const {
    PackedFacts facts;
    facts.keeps_whole_ = keeps_whole_;
    facts.wording_ = wording_ != nullptr ? std::make_unique<Wording>(*wording_) : nullptr;
    return facts;
}

FactView PackedFacts::operator[](std::size_t place) const noexcept {
    FactView fact;
    read(place, fact);
    return fact;
}

std::size_t PackedFacts::read_ids(const Entry& entry, FactNumbers& fact) noexcept {
    std::size_t count = 0;
    if (entry.has(kIdsInRecord)) {
        return count;
    }
    if (entry.has(kHasStream)) {
        fact.numbers[count++] = entry.stream_id;
    }
    if (entry.has(kHasTask)) {
        fact.numbers[count++] = entry.task_id;
    }
    return count;
}

FactNumbers PackedFacts::numbers(std::size_t place) const noexcept {
    const Entry& entry = entries_[place];
    FactNumbers fact;
    read_numbers(entry.record, read_ids(entry, fact), fact);
    return fact;
}

void PackedFacts::read(std::size_t place, FactView& fact) const noexcept {
    const Entry& entry = entries_[place];
    fact.time_us = entry.time_us;
    fact.kind = entry.kind;
    read_record(entry.record, read_ids(entry, fact), wording_ != nullptr ? wording_->shared() : SharedByFacts(), fact);
    fact.place.file = entry.file;
    fact.place.log.reset();
}

/// Member by member: an entry that is made elsewhere is copied before its parts are there, for which the processor
/// waits.
void PackedFacts::fill_entry(const FactView& fact, char* record, Entry& entry) noexcept {
    const std::optional<std::uint64_t> stream_id = fact.stream_id();
    const std::optional<std::uint64_t> task_id = fact.task_id();
    const bool are_wide = ((stream_id.value_or(0) | task_id.value_or(0)) >> 32U) != 0;
    entry.time_us = fact.time_us;
    entry.stream_id = static_cast<std::uint32_t>(stream_id.value_or(0));
    entry.task_id = static_cast<std::uint32_t>(task_id.value_or(0));
    entry.record = record;
    entry.file = fact.place.file;
    entry.kind = fact.kind;
    const bool is_numbered = names_numbered_node(fact.kind, fact.text(text_index(&Fact::operator_name)));
    entry.marks = static_cast<std::uint8_t>((stream_id ? kHasStream : 0U) | (task_id ? kHasTask : 0U) |
                                            (is_numbered ? kNamesNumberedNode : 0U) | (are_wide ? kIdsInRecord : 0U));
}

/// The rest of a piece is lost when the next one begins. A process with one fact has a piece of its size, others have
/// pieces of up to a quarter of a megabyte. Where there are many facts, streams have pieces of their own, for facts are
/// saved stream by stream: where those of all streams lay behind each other, saving waited for each.
PackedFacts::Piece& PackedFacts::piece_with(std::size_t free_size, const FactView& fact) {
    constexpr std::size_t kSecond = std::size_t{4} << 10U;
    constexpr std::size_t kLargestOfAll = std::size_t{32} << 10U, kLargest = std::size_t{256} << 10U;
    if (pieces_.empty()) {
        pieces_.resize(1);
    } else if (pieces_.size() == 1 && pieces_.front().size >= kLargestOfAll) {
        pieces_.resize(kStreams);
    }
    Piece& piece = pieces_.size() == 1 ? pieces_.front() : pieces_[fact.stream_id().value_or(0) % kStreams];
    if (free_size > piece.left) {
        const std::size_t next = memory_.empty() ? 0 : std::clamp(2 * piece.size, kSecond, kLargest);
        const std::size_t size = std::max(next, free_size);
        memory_.push_back(std::make_unique_for_overwrite<char[]>(size));
        piece = {size, memory_.back().get(), size};  // last: where memory ended, nothing is free that is not there
    }
    return piece;
}

void PackedFacts::keep_texts(const FactView& fact, KeptWording& kept) {
    if (wording_ != nullptr) {
        wording_->keep(fact, kept);
        return;
    }
    kept.lines[0] = {0, fact.place.text.whole};
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        kept.lines[1 + i] = {0, fact.further[i].text.whole};
    }
}

/// The first fact is kept as the others are: so the list does not hang on which of them was added first.
void PackedFacts::begin_wording() {
    wording_ = std::make_unique<Wording>();
    const StoredFact first = stored_fact((*this)[0]);
    replace(0, view_of(first));
}

void PackedFacts::add(const FactView& fact) {
    if (wording_ == nullptr && !keeps_whole_ && size() == 1) {
        begin_wording();
    }
    KeptWording kept;
    keep_texts(fact, kept);
    // A device that is inferred later is written at the same place.
    const std::size_t spare = fact.device_id() ? 0 : 2;
    Piece& piece = piece_with(most_of_record(fact) + spare, fact);
    char* const record = piece.next;
    Entry& entry = entries_.add();
    fill_entry(fact, record, entry);
    const std::size_t size = write_record(fact, kept, entry.ids_beside(), record) + spare;
    set_room_of_record(record, size);
    piece.take(size);
}

void PackedFacts::replace(std::size_t place, const FactView& fact) {
    KeptWording kept;
    keep_texts(fact, kept);
    std::vector<char> written(most_of_record(fact));  // first: it may be larger than the room that there is
    char* record = entries_[place].record;
    Entry entry;
    fill_entry(fact, record, entry);
    const std::size_t size = write_record(fact, kept, entry.ids_beside(), written.data());
    std::size_t room = room_of_record(record);
    if (size > room) {
        // With more room than it needs now: in a run of equal lines, of which some number grows, few ask for more.
        room = size + size / 4;
        Piece& piece = piece_with(room, fact);
        record = piece.next;
        piece.take(room);
        entry.record = record;
    }
    entries_[place] = entry;
    std::memcpy(record, written.data(), size);
    set_room_of_record(record, room);
}

void PackedFacts::append(const PackedFacts& further) {
    for (std::size_t place = 0; place < further.size(); ++place) {
        const StoredFact whole = stored_fact(further[place]);  // its lines are compared to this list's
        add(view_of(whole));
    }
}

bool PackedFacts::Entry::is_before(const Entry& other) const noexcept {
    if (time_us != other.time_us || file != other.file) {
        return std::tie(time_us, file) < std::tie(other.time_us, other.file);
    }
    return line_of_record(record) < line_of_record(other.record);
}

/// A launch is kept when its submit line comes, a few lines behind its place: it is moved there, which is less work
/// than to sort all. Where more is out of place, as of logs that were read one after the other, all is sorted.
void PackedFacts::sort_by_time() {
    constexpr std::size_t kMovesEach = 4;
    const auto is_before = [](const Entry& a, const Entry& b) { return a.is_before(b); };
    std::size_t moves_left = kMovesEach * entries_.size();
    for (std::size_t next = 1; next < entries_.size(); ++next) {
        if (!entries_[next].is_before(entries_[next - 1])) {
            continue;
        }
        const Entry moved = entries_[next];
        std::size_t place = next;
        for (; place > 0 && moves_left > 0 && moved.is_before(entries_[place - 1]); --place, --moves_left) {
            entries_[place] = entries_[place - 1];
        }
        entries_[place] = moved;
        if (moves_left == 0) {
            std::stable_sort(entries_.begin(), entries_.end(), is_before);
            return;
        }
    }
}

void PackedFacts::leave_out(const std::vector<bool>& leaves) {
    std::size_t kept = 0;
    for (std::size_t place = 0; place < entries_.size(); ++place) {
        if (!leaves[place]) {
            entries_[kept++] = entries_[place];
        }
    }
    entries_.cut_to(kept);
}

}  // namespace opdebug::logs
