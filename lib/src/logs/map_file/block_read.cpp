// A block → facts.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/map_file/block.hpp"
#include "logs/map_file/block_lists.hpp"
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
        : in_(block), frame_(frame), names_(frame.names), lists_(in_, frame, memory) {
        differences_ = ByteReader(Bytes(in_.text()));
        before_.numbers.resize(names_.numbers.size());
    }

    bool ok() const noexcept { return in_.ok() && differences_.ok(); }
    bool at_end() const noexcept { return in_.at_end() && differences_.at_end(); }

    /// What hangs on whether the next fact is wanted: its lines and texts are made only for facts that are kept. Null:
    /// of a kind that this version does not know. In the memory of the one before.
    const Fact* next() {
        clear(fact_);
        row_ = lists_.row_kind(in_.number());
        if (row_ == nullptr) {
            in_.fail();
            return nullptr;
        }
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
    struct Line {
        std::uint32_t file = 0;
        std::uint64_t number = 0;
        LineText text;
    };

    static std::int64_t add(std::int64_t value, std::int64_t difference) {
        return static_cast<std::int64_t>(sum(static_cast<std::uint64_t>(value), difference));
    }

    std::string_view text(std::uint64_t number) {
        const std::optional<std::string_view> text = lists_.text(number);
        if (!text) {
            in_.fail();
        }
        return text.value_or(std::string_view());
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
        } else if (text.form = lists_.form(number / 2); text.form != nullptr) {
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
    BlockLists lists_;
    WrittenTimes times_;
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
