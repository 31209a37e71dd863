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
    std::int64_t time_us = 0;
    std::int64_t tid = 0;
    std::uint64_t line = 0;
    std::uint32_t file = 0;
    std::uint32_t room = 0;  ///< for the fact with this: it may be replaced there
    std::uint16_t number_mask = 0;
    std::uint8_t text_mask = 0, further_mask = 0, flags = 0;
    FactKind kind = {};
    LogKind log = {};
    std::uint8_t further_logs = 0;  ///< bit n: the n-th of `further` names its log
    bool from_saved_map = false;
};

Head head_at(const char* record) noexcept {
    Head head;
    std::memcpy(&head, record, sizeof head);
    return head;
}

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
    for (std::size_t i = 0; i < FactView::count(fact.number_mask); ++i) {
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

/// Writes the fact; returns its size.
std::size_t write(const FactView& fact, char* record) noexcept {
    Head head;
    head.time_us = fact.time_us;
    head.tid = fact.tid;
    head.line = fact.place.line;
    head.file = fact.place.file;
    head.number_mask = fact.number_mask;
    head.text_mask = fact.text_mask;
    head.further_mask = fact.further_mask;
    head.flags = fact.flags;
    head.kind = fact.kind;
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

struct Rank {
    std::int64_t time_us = 0;
    std::uint32_t file = 0;
    std::uint32_t place = 0;
    std::uint64_t line = 0;
    bool operator<(const Rank& other) const noexcept {
        return std::tie(time_us, file, line, place) < std::tie(other.time_us, other.file, other.line, other.place);
    }
};

}  // namespace

FactView PackedFacts::operator[](std::size_t place) const noexcept {
    const char* const record = records_[place];
    const Head head = head_at(record);
    FactView fact;
    fact.tid = head.tid;
    fact.time_us = head.time_us;
    fact.kind = head.kind;
    fact.log = head.log;
    fact.from_saved_map = head.from_saved_map;
    fact.flags = head.flags;
    fact.further_mask = head.further_mask;
    fact.text_mask = head.text_mask;
    fact.number_mask = head.number_mask;
    RecordReader in(record + sizeof(Head));
    for (std::size_t i = 0; i < FactView::count(fact.number_mask); ++i) {
        fact.numbers[i] = in.number();
    }
    fact.format_id = in.text();
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        fact.texts[i] = in.text();
    }
    fact.place = {head.file, head.line, in.text(), std::nullopt};
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
    static_assert(number_index(&Fact::stream_id) == 0 && number_index(&Fact::task_id) == 1);
    const Head head = head_at(records_[place]);
    RecordReader in(records_[place] + sizeof(Head));
    FactSubject subject{head.kind, std::nullopt, std::nullopt};
    if ((head.number_mask & 1U) != 0) {
        subject.stream_id = in.number();
    }
    if ((head.number_mask & 2U) != 0) {
        subject.task_id = in.number();
    }
    return subject;
}

std::int64_t PackedFacts::time_us(std::size_t place) const noexcept {
    return head_at(records_[place]).time_us;
}

/// The rest of a piece is lost when the next one begins. A process with one fact has a piece of its size, others have
/// pieces of up to a quarter of a megabyte.
char* PackedFacts::memory_for(std::size_t size) {
    constexpr std::size_t kLargest = std::size_t{256} << 10U, kSecond = std::size_t{4} << 10U;
    if (size > left_) {
        const std::size_t next = piece_size_ == 0 ? 0 : std::clamp(2 * piece_size_, kSecond, kLargest);
        pieces_.push_back(std::make_unique_for_overwrite<char[]>(std::max(next, size)));
        piece_size_ = left_ = std::max(next, size);
        next_ = pieces_.back().get();
    }
    return next_;
}

void PackedFacts::add(const FactView& fact) {
    // A device that is inferred later is written at the same place.
    const std::size_t spare = fact.device_id() ? 0 : 2;
    char* const record = memory_for(most_of(fact) + spare);
    records_.push_back(record);
    const std::size_t size = write(fact, record) + spare;
    set_room(record, size);
    next_ += size;
    left_ -= size;
}

void PackedFacts::replace(std::size_t place, const FactView& fact) {
    std::vector<char> written(most_of(fact));  // first: what is replaced may be what is read
    const std::size_t size = write(fact, written.data());
    std::size_t room = head_at(records_[place]).room;
    if (size > room) {
        // With more room than it needs now: in a run of equal lines, of which some number grows, few ask for more.
        room = size + size / 4;
        records_[place] = memory_for(room);
        next_ += room;
        left_ -= room;
    }
    std::memcpy(records_[place], written.data(), size);
    set_room(records_[place], room);
}

void PackedFacts::append(PackedFacts&& further) {
    records_.reserve(records_.size() + further.records_.size());
    pieces_.insert(pieces_.end(), std::make_move_iterator(further.pieces_.begin()),
                   std::make_move_iterator(further.pieces_.end()));
    records_.insert(records_.end(), further.records_.begin(), further.records_.end());
    further = {};
}

void PackedFacts::sort_by_time() {
    std::vector<Rank> ranks;
    ranks.reserve(records_.size());
    for (const char* const record : records_) {
        const Head head = head_at(record);
        ranks.push_back({head.time_us, head.file, static_cast<std::uint32_t>(ranks.size()), head.line});
    }
    if (std::is_sorted(ranks.begin(), ranks.end())) {
        return;
    }
    std::sort(ranks.begin(), ranks.end());
    std::vector<char*> sorted;
    sorted.reserve(records_.size());
    for (const Rank& rank : ranks) {
        sorted.push_back(records_[rank.place]);
    }
    records_ = std::move(sorted);
}

void PackedFacts::leave_out(const std::vector<bool>& leaves) {
    std::size_t kept = 0;
    for (std::size_t place = 0; place < records_.size(); ++place) {
        if (!leaves[place]) {
            records_[kept++] = records_[place];
        }
    }
    records_.resize(kept);
}

}  // namespace opdebug::logs
