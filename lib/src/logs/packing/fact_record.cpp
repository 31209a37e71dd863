#include "logs/packing/fact_record.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "logs/packing/number_bytes.hpp"
#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs {
namespace {

/// What stands before the numbers and texts of a fact. In few bytes, for facts are many: with a head of 24 bytes and
/// addresses of forms, indexing took 3 % longer.
struct Head {
    std::uint32_t room = 0;  ///< for the fact with this: it may be replaced there
    std::uint32_t marks = 0;
};

/// Some of the bits of Head::marks.
struct Marks {
    unsigned begin, bits;

    constexpr unsigned end() const noexcept { return begin + bits; }
    std::uint32_t put(std::uint32_t value) const noexcept { return value << begin; }
    std::uint32_t get(std::uint32_t marks) const noexcept { return marks >> begin & ((1U << bits) - 1); }
};
constexpr Marks kNumberMask{0, kNumbers.size()};
constexpr Marks kFlagMask{kNumberMask.end(), kFlags.size()};
constexpr Marks kFurtherMask{kFlagMask.end(), kPlaces.size()};
constexpr Marks kFurtherLogs{kFurtherMask.end(), kPlaces.size()};  ///< bit n: the n-th of `further` names its log
constexpr Marks kLog{kFurtherLogs.end(), 2};
constexpr Marks kFromSavedMap{kLog.end(), 1};
static_assert(kFromSavedMap.end() <= 32 && static_cast<unsigned>(LogKind::device_log) < 4,
              "more members need more bits in the head");

static_assert(number_index(&Fact::stream_id) == 0 && number_index(&Fact::task_id) == 1,
              "what may be kept beside comes first");

/// Writes behind the head of a fact.
class RecordWriter {
public:
    explicit RecordWriter(char* next) noexcept : next_(next) {}
    char* end() const noexcept { return next_; }

    void number(std::uint64_t value) noexcept { next_ = write_number(value, next_); }
    void byte(std::uint8_t value) noexcept { *next_++ = static_cast<char>(value); }
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
        number(line.form_number);
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
    std::uint8_t byte() noexcept { return static_cast<std::uint8_t>(*next_++); }
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
    void line(const LineForms* forms, LineText& line) noexcept {
        const auto form = static_cast<std::uint32_t>(number());
        line.form = form != 0 ? &forms->form(form) : nullptr;
        const std::string_view kept = text();
        line.whole = line.form == nullptr ? kept : std::string_view();
        line.difference = line.form == nullptr ? std::string_view() : kept;
    }

private:
    const char* next_;
};

/// Writes the fact but its head; returns the end.
char* write_behind_head(const FactView& fact, const KeptTexts& kept, std::size_t beside, char* behind_head) noexcept {
    RecordWriter out(behind_head);
    out.byte(fact.text_mask);
    out.number(folded(fact.tid));
    out.number(fact.place.line);
    for (std::size_t i = beside; i < FactView::count(fact.number_mask); ++i) {
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

std::uint32_t marks_of(const FactView& fact) noexcept {
    std::uint32_t further_logs = 0;
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        further_logs |= (fact.further[i].log ? 1U : 0U) << i;
    }
    return kNumberMask.put(fact.number_mask) | kFlagMask.put(fact.flags) | kFurtherMask.put(fact.further_mask) |
           kFurtherLogs.put(further_logs) | kLog.put(static_cast<std::uint32_t>(fact.log)) |
           kFromSavedMap.put(fact.from_saved_map ? 1U : 0U);
}

std::uint32_t marks_of(const char* record) noexcept {
    std::uint32_t marks = 0;
    std::memcpy(&marks, record + offsetof(Head, marks), sizeof marks);
    return marks;
}

}  // namespace

std::size_t most_of_record(const FactView& fact) noexcept {
    const std::size_t texts = FactView::count(fact.text_mask);
    const std::size_t lines = FactView::count(fact.further_mask);
    std::size_t bytes = sizeof(Head);
    bytes += kMostNumberBytes * (FactView::count(fact.number_mask) + 2 * texts + 7 + 5 * lines);
    bytes += fact.format_id.size() + fact.place.text.whole.size();
    for (std::size_t i = 0; i < texts; ++i) {
        bytes += fact.texts[i].size();
    }
    for (std::size_t i = 0; i < lines; ++i) {
        bytes += fact.further[i].text.whole.size();
    }
    return bytes;
}

std::size_t write_record(const FactView& fact, const KeptTexts& kept, std::size_t beside, char* record) noexcept {
    const std::uint32_t marks = marks_of(fact);
    std::memcpy(record + offsetof(Head, marks), &marks, sizeof marks);
    return static_cast<std::size_t>(write_behind_head(fact, kept, beside, record + sizeof(Head)) - record);
}

std::uint64_t line_of_record(const char* record) noexcept {
    RecordReader in(record + sizeof(Head));
    in.byte();    // which texts there are
    in.number();  // the thread
    return in.number();
}

void read_numbers(const char* record, std::size_t beside, FactNumbers& fact) noexcept {
    fact.number_mask = kNumberMask.get(marks_of(record));
    RecordReader in(record + sizeof(Head));
    in.byte();    // which texts there are
    in.number();  // the thread
    in.number();  // the line
    for (std::size_t number = beside; number < FactNumbers::count(fact.number_mask); ++number) {
        fact.numbers[number] = in.number();
    }
}

void read_record(const char* record, std::size_t beside, const SharedByFacts& shared, FactView& fact) noexcept {
    const std::uint32_t marks = marks_of(record);
    fact.log = static_cast<LogKind>(kLog.get(marks));
    fact.from_saved_map = kFromSavedMap.get(marks) != 0;
    fact.flags = static_cast<std::uint8_t>(kFlagMask.get(marks));
    fact.further_mask = static_cast<std::uint8_t>(kFurtherMask.get(marks));
    fact.number_mask = kNumberMask.get(marks);
    RecordReader in(record + sizeof(Head));
    fact.text_mask = in.byte();
    fact.tid = unfolded(in.number());
    fact.place.line = in.number();
    for (std::size_t number = beside; number < FactView::count(fact.number_mask); ++number) {
        fact.numbers[number] = in.number();
    }
    fact.format_id = in.text(shared.texts, fact.format_number);
    for (std::size_t i = 0; i < FactView::count(fact.text_mask); ++i) {
        fact.texts[i] = in.text(shared.texts, fact.text_numbers[i]);
    }
    in.line(shared.forms, fact.place.text);
    for (std::size_t i = 0; i < FactView::count(fact.further_mask); ++i) {
        LineView& line = fact.further[i];
        line.file = static_cast<std::uint32_t>(in.number());
        line.line = in.number();
        in.line(shared.forms, line.text);
        line.log =
            (kFurtherLogs.get(marks) >> i & 1U) != 0 ? std::optional(static_cast<LogKind>(in.number())) : std::nullopt;
    }
}

std::size_t room_of_record(const char* record) noexcept {
    std::uint32_t room = 0;
    std::memcpy(&room, record + offsetof(Head, room), sizeof room);
    return room;
}

void set_room_of_record(char* record, std::size_t room) noexcept {
    const auto number = static_cast<std::uint32_t>(room);
    std::memcpy(record + offsetof(Head, room), &number, sizeof number);
}

}  // namespace opdebug::logs
