// A block → facts.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/map_file/block.hpp"
#include "logs/map_file/text_lists.hpp"
#include "logs/packing/line_text.hpp"

namespace opdebug::logs::map_file {
namespace {

bool has(std::uint64_t mask, std::size_t bit) {
    return (mask >> bit & 1U) != 0;
}

/// Reads the rows of a block.
class BlockReader {
public:
    BlockReader(Bytes block, const BlockFrame& frame, MemoryLeft& memory)
        : in_(block), frame_(frame), names_(frame.names), memory_(memory), texts_(read_texts(in_, memory)) {
        read_forms();
        read_row_kinds();
        differences_ = ByteReader(Bytes(in_.text()));
        before_.numbers.resize(names_.numbers.size());
    }

    bool ok() const noexcept { return in_.ok() && differences_.ok(); }
    bool at_end() const noexcept { return in_.at_end() && differences_.at_end(); }

    /// What hangs on whether the next fact is wanted: its lines and texts are made only for facts that are kept. Null:
    /// of a kind that this version does not know. In the memory of the one before.
    const Fact* next() {
        clear(fact_);
        const std::uint64_t kind = in_.number();
        if (kind >= row_kinds_.size()) {
            in_.fail();
            return nullptr;
        }
        row_ = &row_kinds_[static_cast<std::size_t>(kind)];
        before_.number = sum(before_.number, in_.signed_number());
        before_.time_us = add(before_.time_us, in_.signed_number());
        before_.tid = add(before_.tid, in_.signed_number());
        line_ = line();
        further_lines();
        members();
        if (!ok() || !row_->kind || !row_->log) {
            return nullptr;
        }
        fact_.kind = *row_->kind;
        fact_.log = *row_->log;
        return &fact_;
    }

    /// Of the fact that came last, which is wanted.
    void take_texts() {
        all_texts_.clear();
        for (const std::uint64_t number : text_numbers_) {
            all_texts_.push_back(text(number));
        }
        format_ = text(row_->format);
    }
    std::uint64_t memory() const noexcept {
        const KnownValues known = this->known();
        FactMemory memory(format_, known);
        memory.add(line_.text);
        for (const auto& [member, line] : further_lines_) {
            memory.add(line.text);
        }
        return memory.bytes();
    }

    /// All of the fact that came last.
    NumberedFact whole_fact() {
        NumberedFact fact{before_.number, {}};
        StoredFact& stored = fact.stored;
        stored.fact = fact_;
        stored.fact.format_id = format_;
        std::size_t next = 0;
        for (std::size_t i = 0; i < names_.texts.size(); ++i) {
            if (has(row_->text_mask, i)) {
                const std::string_view value = all_texts_[next++];
                if (names_.texts[i] != nullptr) {
                    stored.fact.*names_.texts[i] = value;
                }
            }
        }
        stored.tid = before_.tid;
        stored.time_us = before_.time_us;
        stored.from_saved_map = true;
        stored.place = whole(line_);
        for (const auto& [member, line] : further_lines_) {
            stored.*member = whole(line);
        }
        return fact;
    }

private:
    struct RowKind {
        std::optional<FactKind> kind;
        std::optional<LogKind> log;
        std::uint64_t format = 0;  ///< a text
        std::uint64_t further_mask = 0, number_mask = 0, text_mask = 0, flags = 0;
    };
    struct Line {
        std::uint32_t file = 0;
        std::uint64_t number = 0;
        LineText text;
    };

    static std::int64_t add(std::int64_t value, std::int64_t difference) {
        return static_cast<std::int64_t>(sum(static_cast<std::uint64_t>(value), difference));
    }

    std::string_view text() { return text(in_.number()); }
    std::string_view text(std::uint64_t number) {
        if (number % 2 == 1 && !shared_texts_) {
            shared_texts_ = frame_.shared_texts();
        }
        const std::span<const std::string_view> texts =
            number % 2 == 0 ? std::span(std::as_const(texts_)) : *shared_texts_;
        if (number / 2 >= texts.size()) {
            in_.fail();
            return {};
        }
        return texts[static_cast<std::size_t>(number / 2)];
    }

    /// For one more of a list.
    bool has_memory(std::uint64_t bytes) {
        if (in_.ok() && !memory_.take(bytes)) {
            in_.fail();
        }
        return in_.ok();
    }

    void read_forms() {
        for (std::uint64_t left = in_.count(); left > 0 && has_memory(ListMemory::kOfForm); --left) {
            const std::string_view line = text();
            std::vector<FormPart> parts;
            std::uint64_t place = 0;
            for (std::uint64_t parts_left = in_.count(); parts_left > 0 && has_memory(ListMemory::kOfPart);
                 --parts_left) {
                parts.push_back(part(line, place));
                place = parts.back().end();
            }
            forms_.emplace_back(line, std::move(parts));
        }
    }

    /// `place`: in the line, from where on it is no part of one before.
    FormPart part(std::string_view line, std::uint64_t place) {
        const std::uint64_t before = in_.number();
        const std::uint64_t size = in_.number();
        const std::uint64_t filling = in_.number();
        const std::uint64_t member = filling / kFillings;
        const auto kind = static_cast<Filling>(filling % kFillings);
        const std::size_t members = kind == Filling::text                                      ? names_.texts.size()
                                    : kind == Filling::decimal || kind == Filling::hexadecimal ? names_.numbers.size()
                                                                                               : 1;
        const std::uint64_t left = line.size() - place;
        if (before > left || size > left - before || member >= members) {
            in_.fail();
            return {};
        }
        return {static_cast<std::uint32_t>(place + before), static_cast<std::uint32_t>(size), kind,
                static_cast<std::uint8_t>(member)};
    }

    void read_row_kinds() {
        for (std::uint64_t left = in_.count(); left > 0 && has_memory(ListMemory::kOfRowKind); --left) {
            RowKind row;
            const std::uint64_t kind = in_.number();
            const std::uint64_t log = in_.number();
            row.format = in_.number();
            row.further_mask = mask(names_.places.size());
            row.number_mask = mask(names_.numbers.size());
            row.text_mask = mask(names_.texts.size());
            row.flags = mask(names_.flags.size());
            if (kind >= names_.kinds.size() || log >= names_.logs.size()) {
                in_.fail();
                return;
            }
            row.kind = names_.kinds[static_cast<std::size_t>(kind)];
            row.log = names_.logs[static_cast<std::size_t>(log)];
            row_kinds_.push_back(row);
        }
    }

    KnownValues known() const noexcept {
        return {row_->number_mask, all_numbers_, row_->text_mask, all_texts_, before_.tid, before_.time_us};
    }

    LogPlace whole(const Line& line) {
        std::optional<std::string> text = whole_line(line.text, known(), times_);
        if (!text) {
            differences_.fail();
        }
        return {line.file, line.number, text ? *std::move(text) : std::string()};
    }

    Line line() {
        before_.file = sum(before_.file, in_.signed_number());
        before_.line = sum(before_.line, in_.signed_number());
        const std::uint64_t number = in_.number();
        LineText text;
        if (number % 2 == 0) {
            text.whole = this->text(number / 2);
        } else if (number / 2 < forms_.size()) {
            text.form = &forms_[static_cast<std::size_t>(number / 2)];
            text.difference = differences_.text();
        } else {
            in_.fail();
        }
        if (before_.file >= frame_.files) {
            in_.fail();
        }
        return {static_cast<std::uint32_t>(before_.file), before_.line, text};
    }

    void further_lines() {
        further_lines_.clear();
        for (std::size_t i = 0; i < names_.places.size(); ++i) {
            if (has(row_->further_mask, i)) {
                const Line further = line();
                if (names_.places[i] != nullptr) {
                    further_lines_.emplace_back(names_.places[i], further);
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

    void members() {
        all_numbers_.clear();
        for (std::size_t i = 0; i < names_.numbers.size(); ++i) {
            if (has(row_->number_mask, i)) {
                before_.numbers[i] = sum(before_.numbers[i], in_.signed_number());
                all_numbers_.push_back(before_.numbers[i]);
                if (names_.numbers[i] != nullptr) {
                    fact_.*names_.numbers[i] = before_.numbers[i];
                }
            }
        }
        text_numbers_.clear();
        for (std::size_t i = 0; i < names_.texts.size(); ++i) {
            if (has(row_->text_mask, i)) {
                text_numbers_.push_back(in_.number());
                if (names_.texts[i] == &Fact::operator_name && row_->kind == FactKind::operator_of_task) {
                    take_name_of_node(text(text_numbers_.back()));
                }
            }
        }
        for (std::size_t i = 0; i < names_.flags.size(); ++i) {
            if (names_.flags[i] != nullptr) {
                fact_.*names_.flags[i] = has(row_->flags, i);
            }
        }
    }

    /// Whether the fact is wanted hangs on it where it is a number.
    void take_name_of_node(std::string_view name) {
        if (begins_with_number(name)) {
            fact_.operator_name = name;
        }
    }

    struct Before {
        std::uint64_t number = 0, file = 0, line = 0;
        std::int64_t tid = 0, time_us = 0;
        std::vector<std::uint64_t> numbers;
    };

    ByteReader in_;
    ByteReader differences_{Bytes()};  ///< of lines to their forms
    const BlockFrame& frame_;
    const Names& names_;
    MemoryLeft& memory_;
    std::vector<std::string_view> texts_;
    std::optional<std::span<const std::string_view>> shared_texts_;  ///< nothing: not asked for yet
    std::vector<LineForm> forms_;
    WrittenTimes times_;
    std::vector<RowKind> row_kinds_;
    Before before_;
    const RowKind* row_ = nullptr;  ///< of the fact that came last, as all below
    Fact fact_;
    Line line_;
    std::vector<std::uint64_t> text_numbers_;
    // What fills in the forms of its lines: values of all members, with those that this version does not know.
    std::vector<std::uint64_t> all_numbers_;
    std::vector<std::string_view> all_texts_;
    std::string_view format_;
    std::vector<std::pair<FurtherLine StoredFact::*, Line>> further_lines_;
};

}  // namespace

bool read_block(Bytes block, const BlockFrame& frame, std::uint64_t facts,
                const std::function<bool(const Fact&)>& wanted, std::vector<NumberedFact>& found, MemoryLeft& memory) {
    BlockReader reader(block, frame, memory);
    for (std::uint64_t i = 0; i < facts && reader.ok(); ++i) {
        const Fact* const fact = reader.next();
        if (fact != nullptr && wanted(*fact)) {
            reader.take_texts();
            if (!memory.take(reader.memory())) {
                return false;
            }
            found.push_back(reader.whole_fact());
        }
    }
    return reader.at_end();
}

}  // namespace opdebug::logs::map_file
