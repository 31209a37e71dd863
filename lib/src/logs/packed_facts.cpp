#include "logs/packed_facts.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

namespace opdebug::logs {
namespace {

/// What stands before the bytes of a fact.
struct Head {
    std::int64_t tid = 0;
    std::uint32_t room = 0;  ///< for the fact with this: it may be replaced there
    std::uint16_t number_mask = 0;
    std::uint8_t text_mask = 0, further_mask = 0, flags = 0;
    LogKind log = {};
    std::uint8_t further_logs = 0;  ///< bit n: the n-th of `further` names its log
    bool from_saved_map = false;
};

Head head_at(const char* record) noexcept {
    Head head;
    std::memcpy(&head, record, sizeof head);
    return head;
}

/// The first numbers, of stream and task, are not among those behind the head.
constexpr unsigned kOfSubject = 3;
static_assert(number_index(&Fact::stream_id) == 0 && number_index(&Fact::task_id) == 1);

constexpr unsigned kBitsPerByte = 7;
constexpr std::size_t kMostOfNumber = 10;  ///< bytes

/// Writes behind the head of a fact.
class RecordWriter {
public:
    explicit RecordWriter(char* next) noexcept : next_(next) {}
    char* end() const noexcept { return next_; }

    void number(std::uint64_t value) noexcept {
        for (; value >= 0x80; value >>= kBitsPerByte) {
            *next_++ = static_cast<char>(static_cast<std::uint8_t>(value | 0x80U));
        }
        *next_++ = static_cast<char>(static_cast<std::uint8_t>(value));
    }
    void text(std::string_view value) noexcept {
        number(value.size());
        std::memcpy(next_, value.data(), value.size());
        next_ += value.size();
    }

private:
    char* next_;
};

class RecordReader {
public:
    explicit RecordReader(const char* next) noexcept : next_(next) {}

    std::uint64_t number() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += kBitsPerByte) {
            const auto byte = static_cast<std::uint8_t>(*next_++);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) {
                return value;
            }
        }
    }
    std::string_view text() noexcept {
        const auto size = static_cast<std::size_t>(number());
        const std::string_view value(next_, size);
        next_ += size;
        return value;
    }

private:
    const char* next_;
};

/// No fewer bytes than the fact takes.
std::size_t most_of(const FactView& fact) noexcept {
    const std::size_t texts = FactView::count(fact.text_mask);
    const std::size_t lines = FactView::count(fact.further_mask);
    std::size_t bytes = sizeof(Head) + kMostOfNumber * (FactView::count(fact.number_mask) + texts + 2 + 4 * lines);
    bytes += fact.format_id.size() + fact.place.text.size();
    for (std::size_t i = 0; i < texts; ++i) {
        bytes += fact.texts[i].size();
    }
    for (std::size_t i = 0; i < lines; ++i) {
        bytes += fact.further[i].text.size();
    }
    return bytes;
}

/// Writes the fact but its head, of which only what is asked for is filled; returns the end.
char* write_behind_head(const FactView& fact, char* record, Head& head) noexcept {
    RecordWriter out(record + sizeof(Head));
    for (std::size_t i = FactView::count(fact.number_mask & kOfSubject); i < FactView::count(fact.number_mask); ++i) {
        out.number(fact.numbers[i]);
    }
    out.text(fact.format_id);
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        out.text(fact.texts[i]);
    }
    out.text(fact.place.text);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        const LineView& line = fact.further[i];
        out.number(line.file);
        out.number(line.line);
        out.text(line.text);
        if (line.log) {
            head.further_logs |= static_cast<std::uint8_t>(1U << i);
            out.number(static_cast<std::uint64_t>(*line.log));
        }
    }
    return out.end();
}

/// Writes all but what the entry has; returns the size.
std::size_t write(const FactView& fact, char* record) noexcept {
    Head head;
    head.tid = fact.tid;
    head.number_mask = fact.number_mask;
    head.text_mask = fact.text_mask;
    head.further_mask = fact.further_mask;
    head.flags = fact.flags;
    head.log = fact.log;
    head.from_saved_map = fact.from_saved_map;
    const auto size = static_cast<std::size_t>(write_behind_head(fact, record, head) - record);
    std::memcpy(record, &head, sizeof head);
    return size;
}

void set_room(char* record, std::size_t room) noexcept {
    const auto number = static_cast<std::uint32_t>(room);
    std::memcpy(record + offsetof(Head, room), &number, sizeof number);
}

}  // namespace

FactView PackedFacts::operator[](std::size_t place) const noexcept {
    const Entry& entry = entries_[place];
    const Head head = head_at(entry.record);
    FactView fact;
    fact.tid = head.tid;
    fact.time_us = entry.time_us;
    fact.kind = entry.kind;
    fact.log = head.log;
    fact.from_saved_map = head.from_saved_map;
    fact.flags = head.flags;
    fact.further_mask = head.further_mask;
    fact.text_mask = head.text_mask;
    fact.number_mask = head.number_mask;
    std::size_t number = 0;
    if (entry.has_stream) {
        fact.numbers[number++] = entry.stream_id;
    }
    if (entry.has_task) {
        fact.numbers[number++] = entry.task_id;
    }
    RecordReader in(entry.record + sizeof(Head));
    for (; number < FactView::count(fact.number_mask); ++number) {
        fact.numbers[number] = in.number();
    }
    fact.format_id = in.text();
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        fact.texts[i] = in.text();
    }
    fact.place = {entry.file, entry.line, in.text(), std::nullopt};
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        LineView& line = fact.further[i];
        line.file = static_cast<std::uint32_t>(in.number());
        line.line = in.number();
        line.text = in.text();
        line.log = (head.further_logs >> i & 1U) != 0 ? std::optional(static_cast<LogKind>(in.number())) : std::nullopt;
    }
    return fact;
}

FactSubject PackedFacts::subject(std::size_t place) const noexcept {
    const Entry& entry = entries_[place];
    return {entry.kind, entry.has_stream ? std::optional(entry.stream_id) : std::nullopt,
            entry.has_task ? std::optional(entry.task_id) : std::nullopt, entry.names_numbered_node};
}

PackedFacts::Entry PackedFacts::entry_of(const FactView& fact, char* record) noexcept {
    const std::optional<std::uint64_t> stream_id = fact.stream_id();
    const std::optional<std::uint64_t> task_id = fact.task_id();
    return {fact.time_us,
            fact.place.line,
            stream_id.value_or(0),
            task_id.value_or(0),
            record,
            fact.place.file,
            fact.kind,
            stream_id.has_value(),
            task_id.has_value(),
            names_numbered_node(fact.kind, fact.text(text_index(&Fact::operator_name)))};
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
    Piece& piece = pieces_[fact.stream_id().value_or(0) % pieces_.size()];
    if (free_size > piece.left) {
        const std::size_t next = memory_.empty() ? 0 : std::clamp(2 * piece.size, kSecond, kLargest);
        const std::size_t size = std::max(next, free_size);
        memory_.push_back(std::make_unique_for_overwrite<char[]>(size));
        piece = {size, memory_.back().get(), size};  // last: where memory ended, nothing is free that is not there
    }
    return piece;
}

void PackedFacts::add(const FactView& fact) {
    // A device that is inferred later is written at the same place.
    const std::size_t spare = fact.device_id() ? 0 : 2;
    Piece& piece = piece_with(most_of(fact) + spare, fact);
    char* const record = piece.next;
    entries_.push_back(entry_of(fact, record));
    const std::size_t size = write(fact, record) + spare;
    set_room(record, size);
    piece.take(size);
}

void PackedFacts::replace(std::size_t place, const FactView& fact) {
    std::vector<char> written(most_of(fact));  // first: what is replaced may be what is read
    const std::size_t size = write(fact, written.data());
    char* record = entries_[place].record;
    std::size_t room = head_at(record).room;
    if (size > room) {
        // With more room than it needs now: in a run of equal lines, of which some number grows, few ask for more.
        room = size + size / 4;
        Piece& piece = piece_with(room, fact);
        record = piece.next;
        piece.take(room);
    }
    entries_[place] = entry_of(fact, record);
    std::memcpy(record, written.data(), size);
    set_room(record, room);
}

void PackedFacts::append(PackedFacts&& further) {
    memory_.insert(memory_.end(), std::make_move_iterator(further.memory_.begin()),
                   std::make_move_iterator(further.memory_.end()));
    entries_.append(further.entries_);
    further = {};
}

bool PackedFacts::Entry::is_before(const Entry& other) const noexcept {
    return std::tie(time_us, file, line) < std::tie(other.time_us, other.file, other.line);
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
