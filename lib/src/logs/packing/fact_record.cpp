#include "logs/packing/fact_record.hpp"

#include <cstdint>
#include <cstring>
#include <optional>

#include "logs/packing/number_bytes.hpp"

namespace opdebug::logs {
namespace {

/// What stands before the bytes of a fact.
struct Head {
    std::int64_t tid = 0;
    std::uint32_t room = 0;  ///< for the fact with this: it may be replaced there
    std::uint32_t number_mask = 0;
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

constexpr std::size_t kFormBytes = sizeof(void*);  ///< where the form is

/// Writes behind the head of a fact.
class RecordWriter {
public:
    explicit RecordWriter(char* next) noexcept : next_(next) {}
    char* end() const noexcept { return next_; }

    void number(std::uint64_t value) noexcept { next_ = write_number(value, next_); }
    void text(std::string_view value) noexcept {
        number(value.size());
        bytes(value.data(), value.size());
    }
    /// `number`: of a shared one, one more; 0: it is none.
    void text(std::string_view value, std::uint32_t number_of_shared) noexcept {
        number(number_of_shared);
        if (number_of_shared == 0) {
            text(value);
        }
    }
    void line(const KeptLine& line) noexcept {
        bytes(&line.form, kFormBytes);
        text(line.text);
    }

private:
    void bytes(const void* from, std::size_t size) noexcept {
        std::memcpy(next_, from, size);
        next_ += size;
    }

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
    std::string_view text(const SharedTexts* shared, std::uint32_t& number_of_shared) noexcept {
        number_of_shared = static_cast<std::uint32_t>(number());
        return number_of_shared != 0 ? shared->text(number_of_shared - 1) : text();
    }
    void line(LineText& line) noexcept {
        std::memcpy(&line.form, next_, kFormBytes);
        next_ += kFormBytes;
        const std::string_view kept = text();
        line.whole = line.form == nullptr ? kept : std::string_view();
        line.difference = line.form == nullptr ? std::string_view() : kept;
    }

private:
    const char* next_;
};

/// Writes the fact but its head; returns the end.
char* write_behind_head(const FactView& fact, const KeptTexts& kept, char* behind_head) noexcept {
    RecordWriter out(behind_head);
    for (std::size_t i = FactView::count(fact.number_mask & kOfSubject); i < FactView::count(fact.number_mask); ++i) {
        out.number(fact.numbers[i]);
    }
    out.text(fact.format_id, kept.format_number);
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        out.text(fact.texts[i], kept.text_numbers[i]);
    }
    out.line(kept.lines[0]);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        const LineView& line = fact.further[i];
        out.number(line.file);
        out.number(line.line);
        out.line(kept.lines[1 + i]);
        if (line.log) {
            out.number(static_cast<std::uint64_t>(*line.log));
        }
    }
    return out.end();
}

/// All but the room. Each member by itself: a head that is put together first is copied at once before its parts are
/// there, for which the processor waits.
void write_head(const FactView& fact, char* record) noexcept {
    const auto put = [record](std::size_t place, auto value) { std::memcpy(record + place, &value, sizeof value); };
    unsigned further_logs = 0;
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        further_logs |= (fact.further[i].log ? 1U : 0U) << i;
    }
    put(offsetof(Head, tid), fact.tid);
    put(offsetof(Head, number_mask), fact.number_mask);
    put(offsetof(Head, text_mask), fact.text_mask);
    put(offsetof(Head, further_mask), fact.further_mask);
    put(offsetof(Head, flags), fact.flags);
    put(offsetof(Head, log), fact.log);
    put(offsetof(Head, further_logs), static_cast<std::uint8_t>(further_logs));
    put(offsetof(Head, from_saved_map), fact.from_saved_map);
}

}  // namespace

std::size_t most_of_record(const FactView& fact) noexcept {
    const std::size_t texts = FactView::count(fact.text_mask);
    const std::size_t lines = FactView::count(fact.further_mask);
    std::size_t bytes = sizeof(Head) + (1 + lines) * kFormBytes;
    bytes += kMostNumberBytes * (FactView::count(fact.number_mask) + 2 * texts + 3 + 4 * lines);
    bytes += fact.format_id.size() + fact.place.text.whole.size();
    for (std::size_t i = 0; i < texts; ++i) {
        bytes += fact.texts[i].size();
    }
    for (std::size_t i = 0; i < lines; ++i) {
        bytes += fact.further[i].text.whole.size();
    }
    return bytes;
}

std::size_t write_record(const FactView& fact, const KeptTexts& kept, char* record) noexcept {
    write_head(fact, record);
    return static_cast<std::size_t>(write_behind_head(fact, kept, record + sizeof(Head)) - record);
}

void read_record(const char* record, std::size_t numbers, const SharedTexts* shared, FactView& fact) noexcept {
    const Head head = head_at(record);
    fact.tid = head.tid;
    fact.log = head.log;
    fact.from_saved_map = head.from_saved_map;
    fact.flags = head.flags;
    fact.further_mask = head.further_mask;
    fact.text_mask = head.text_mask;
    fact.number_mask = head.number_mask;
    RecordReader in(record + sizeof(Head));
    for (std::size_t number = numbers; number < FactView::count(fact.number_mask); ++number) {
        fact.numbers[number] = in.number();
    }
    fact.format_id = in.text(shared, fact.format_number);
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        fact.texts[i] = in.text(shared, fact.text_numbers[i]);
    }
    in.line(fact.place.text);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        LineView& line = fact.further[i];
        line.file = static_cast<std::uint32_t>(in.number());
        line.line = in.number();
        in.line(line.text);
        line.log = (head.further_logs >> i & 1U) != 0 ? std::optional(static_cast<LogKind>(in.number())) : std::nullopt;
    }
}

std::size_t room_of_record(const char* record) noexcept {
    return head_at(record).room;
}

void set_room_of_record(char* record, std::size_t room) noexcept {
    const auto number = static_cast<std::uint32_t>(room);
    std::memcpy(record + offsetof(Head, room), &number, sizeof number);
}

}  // namespace opdebug::logs
