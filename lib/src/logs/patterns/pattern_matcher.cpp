#include "logs/patterns/pattern_matcher.hpp"

#include <algorithm>
#include <cstring>

#include "logs/patterns/find_literal.hpp"
#include "logs/text/digits.hpp"
#include "logs/text/lexer.hpp"
#include "logs/text/same_bytes.hpp"

namespace opdebug::logs {
namespace {

// Real lines take up to 200 steps (measured: samples and public logs). A text that takes more than these is one that
// Boost.Regex is asked about, with its own bound.
constexpr std::uint64_t kSteps = 2048;
constexpr std::size_t kBytesPerStep = 32;  // that are searched for a literal

/// What is tried when the rest does not match.
struct Choice {
    const Instruction* instruction;
    const char* place;  ///< where it goes on; begin_capture, end_capture: what was there before; field: its begin
    const char* limit;  ///< run: how far it may be made longer (lazy) or shorter; field: the end that was there before
};

/// Where the match goes on; without instruction: nowhere, this way does not match. By value, so that it stays in
/// registers.
struct Next {
    const Instruction* instruction = nullptr;
    const char* place = nullptr;
};

/// A match that begins at one place of a text. Only for one call of search_pattern().
class Matching {
public:
    Matching(const PatternProgram& program, std::string_view text)
        : program_(program), begin_(text.data()), end_(text.data() + text.size()), steps_(kSteps + 2 * text.size()) {}

    bool matches_at(const char* place) {
        std::fill_n(captured_.begin(), 2 * program_.names_of_groups.size(), nullptr);
        return run(program_.instructions.data(), place);
    }
    bool gave_up() const noexcept { return gave_up_; }

    void charge(std::size_t steps) noexcept {
        gave_up_ = gave_up_ || steps_ < steps;
        steps_ -= steps;  // what is below 0 is never asked
    }

    std::string_view group(std::size_t index) const noexcept {
        const char* const begin = captured_[2 * index];
        const char* const end = captured_[2 * index + 1];
        return begin == nullptr || end == nullptr ? std::string_view()
                                                  : std::string_view(begin, static_cast<std::size_t>(end - begin));
    }

    /// The next place of the literal from `from` on at which it may begin up to `last`, or null.
    const char* find(const std::string& literal, const char* from, const char* last) {
        const auto space = static_cast<std::size_t>(end_ - from);
        const std::size_t size = std::min(space, static_cast<std::size_t>(last - from) + literal.size());
        const std::size_t found = find_literal(std::string_view(from, size), literal);
        charge((found == std::string_view::npos ? size : found) / kBytesPerStep);
        return found == std::string_view::npos ? nullptr : from + found;
    }

private:
    /// Steps are counted here, for a match without choices is a short one.
    void push(const Instruction* instruction, const char* place, const char* limit) noexcept {
        charge(1);
        if (size_ == choices_.size()) {
            gave_up_ = true;
            return;
        }
        choices_[size_++] = {instruction, place, limit};
    }

    bool is_word_edge(const char* place) const noexcept {
        return (place != begin_ && is_word(place[-1])) != (place != end_ && is_word(*place));
    }

    bool has_literal(const std::string& literal, const char* place) const noexcept {
        // The first byte decides mostly: without the question the comparing took a tenth of the matching.
        return static_cast<std::size_t>(end_ - place) >= literal.size() && *place == literal.front() &&
               same_bytes(place, literal.data(), literal.size());
    }

    bool has_literal_before(const std::string& literal, const char* place) const noexcept {
        return static_cast<std::size_t>(place - begin_) >= literal.size() &&
               std::memcmp(place - literal.size(), literal.data(), literal.size()) == 0;
    }

    static std::size_t bytes_of_set(const ByteSet& set, const char* place, std::size_t space) noexcept {
        std::size_t size = 0;
        while (size < space && set[static_cast<unsigned char>(place[size])]) {
            ++size;
        }
        return size;
    }

    /// How far the run may go from `place`; null where that is not far enough.
    const char* longest(const Instruction& run, const char* place) noexcept {
        const auto space = std::min<std::size_t>(static_cast<std::size_t>(end_ - place), run.maximum);
        std::size_t size = space;
        if (!run.any_byte) {
            size = run.digits ? leading_digits(place, space) : bytes_of_set(program_.sets[run.index], place, space);
            charge(size / kBytesPerStep);
        }
        return size < run.minimum ? nullptr : place + size;
    }

    /// Behind the run, and behind the literals that were found at its end.
    static Next behind(const Instruction* run, const char* end) noexcept {
        return {run + 1 + run->found_literals, end + run->found_bytes};
    }

    /// The shortest run that ends at `from` or behind it; a later try may end up to `limit`.
    Next end_lazily(const Instruction* run, const char* from, const char* limit) {
        const char* const end = run->ends_at ? find(program_.literals[*run->ends_at], from, limit) : from;
        if (end == nullptr) {
            return {};
        }
        if (end < limit) {
            push(run, end + 1, limit);
        }
        return behind(run, end);
    }

    /// The longest run that ends at `from` or before it; a later try may end down to `limit`.
    Next end_greedily(const Instruction* run, const char* from, const char* limit) {
        const char* end = from;
        if (run->ends_at) {
            const std::string& literal = program_.literals[*run->ends_at];
            const auto last = static_cast<std::size_t>(from - limit);
            const std::size_t size = std::min(static_cast<std::size_t>(end_ - limit), last + literal.size());
            const std::string_view text(limit, size);
            // Mostly there is none, which is seen sooner forwards.
            const bool is_there = find_literal(text, literal) != std::string_view::npos;
            const std::size_t found = is_there ? text.rfind(literal, last) : std::string_view::npos;
            charge((found == std::string_view::npos ? last : last - found) / kBytesPerStep);
            if (found == std::string_view::npos) {
                return {};
            }
            end = limit + found;
        }
        if (end > limit) {
            push(run, end - 1, limit);
        }
        return behind(run, end);
    }

    /// The way that is tried first, unless the next byte shows that it leads nowhere; the other one is left to try.
    Next choose(const Instruction* either, const char* place) {
        const Instruction* const first = either->lazy ? either + either->offset : either + 1;
        const Instruction* const other = either->lazy ? either + 1 : either + either->offset;
        if (either->first && (place == end_ || *place != *either->first)) {
            charge(1);
            return {gave_up_ ? nullptr : other, place};
        }
        push(either, place, nullptr);
        return {gave_up_ ? nullptr : first, place};
    }

    Next begin_run(const Instruction* run, const char* place) {
        const char* const end = longest(*run, place);
        if (end == nullptr) {
            return {};
        }
        if (run->settled) {
            return {run + 1, end};
        }
        return run->lazy ? end_lazily(run, place + run->minimum, end) : end_greedily(run, end, place + run->minimum);
    }

    Next take_field(const Instruction* field, const char* place) {
        const char* const end = longest(*field, place);
        if (end == nullptr) {
            return {};
        }
        const char** const captured = captured_.data() + 2 * std::size_t{field->capture};
        if (size_ != 0) {
            push(field, captured[0], captured[1]);
        }
        captured[0] = place;
        captured[1] = end;
        return {field + 3, end};
    }

    /// Takes up the last choice that is above `base`; nowhere when there is none.
    Next back(std::size_t base) {
        while (size_ > base && !gave_up_) {
            const Choice choice = choices_[--size_];
            const Instruction* const chosen = choice.instruction;
            Next next;
            if (chosen->operation == Operation::either) {
                next = {chosen->lazy ? chosen + 1 : chosen + chosen->offset, choice.place};
            } else if (chosen->operation == Operation::run) {
                next = chosen->lazy ? end_lazily(chosen, choice.place, choice.limit)
                                    : end_greedily(chosen, choice.place, choice.limit);
            } else if (chosen->operation == Operation::field) {
                captured_[2 * std::size_t{chosen->capture}] = choice.place;
                captured_[2 * std::size_t{chosen->capture} + 1] = choice.limit;
            } else {
                captured_[slot(*chosen)] = choice.place;
            }
            if (next.instruction != nullptr) {
                return next;
            }
        }
        return {};
    }

    static std::size_t slot(const Instruction& capture) noexcept {
        return 2 * std::size_t{capture.index} + (capture.operation == Operation::end_capture ? 1 : 0);
    }

    /// What was captured before is only needed where another choice is left.
    void capture(const Instruction* instruction, const char* place) {
        if (size_ != 0) {
            push(instruction, captured_[slot(*instruction)], nullptr);
        }
        captured_[slot(*instruction)] = place;
    }

    /// What a look ahead left to try is no longer asked; what it captured stays, and is taken back with the rest.
    void keep_captures_only(std::size_t base) {
        const auto is_no_capture = [](const Choice& choice) {
            const Operation operation = choice.instruction->operation;
            return operation != Operation::begin_capture && operation != Operation::end_capture &&
                   operation != Operation::field;
        };
        Choice* const first = choices_.data() + base;
        size_ =
            static_cast<std::size_t>(std::remove_if(first, choices_.data() + size_, is_no_capture) - choices_.data());
    }

    /// A look ahead from `place`, which stays.
    bool looks(const Instruction* instruction, const char* place) {
        const std::size_t base = size_;
        const bool found = run(instruction + 1, place);
        if (found && size_ != base) {
            keep_captures_only(base);
        }
        return found == (instruction->operation == Operation::ahead);
    }

    /// One instruction that asks something of the place and takes no byte.
    bool holds(const Instruction& condition, const char* place) const noexcept {
        switch (condition.operation) {
            case Operation::text_begin: return place == begin_;
            case Operation::text_end: return place == end_;
            case Operation::word_boundary: return is_word_edge(place);
            case Operation::not_behind: return !has_literal_before(program_.literals[condition.index], place);
            default: return false;  // takes bytes
        }
    }

    /// From this instruction up to its `matched`. What was to be tried before is left as it is. Whether steps are left
    /// is asked where there is a choice: without one a match is short.
    bool run(const Instruction* now, const char* place) {
        const std::size_t base = size_;
        while (true) {
            Next next{now + 1, place};
            switch (now->operation) {
                case Operation::literal: {
                    const std::string& literal = program_.literals[now->index];
                    next.place += literal.size();
                    next.instruction = has_literal(literal, place) ? next.instruction : nullptr;
                    break;
                }
                case Operation::field: next = take_field(now, place); break;
                case Operation::run: next = begin_run(now, place); break;
                case Operation::either: next = choose(now, place); break;
                case Operation::jump: next.instruction = now + now->offset; break;
                case Operation::begin_capture:
                case Operation::end_capture: capture(now, place); break;
                case Operation::ahead:
                case Operation::not_ahead: next.instruction = looks(now, place) ? now + now->offset : nullptr; break;
                case Operation::matched: return !gave_up_;
                default: next.instruction = holds(*now, place) ? now + 1 : nullptr; break;
            }
            if (next.instruction == nullptr) {
                next = back(base);
                if (next.instruction == nullptr) {
                    return false;
                }
            }
            now = next.instruction;
            place = next.place;
        }
    }

    const PatternProgram& program_;
    const char* begin_;
    const char* end_;
    std::uint64_t steps_;
    bool gave_up_ = false;
    std::size_t size_ = 0;
    std::array<Choice, 128> choices_;  // not cleared: it is large
    std::array<const char*, 2 * kMostGroups> captured_;
};

bool search(const PatternProgram& program, Matching& matching, std::string_view text) {
    const char* const end = text.data() + text.size();
    if (program.at_text_begin) {
        return matching.matches_at(text.data());
    }
    for (const char* place = text.data();; ++place) {
        if (program.first_literal) {
            place = matching.find(program.literals[*program.first_literal], place, end);
        }
        if (place == nullptr || matching.gave_up()) {
            return false;
        }
        matching.charge(1);
        if (matching.matches_at(place)) {
            return true;
        }
        if (place == end) {
            return false;
        }
    }
}

}  // namespace

bool holds_line_break(std::string_view text) noexcept {
    return text.find('\n') != std::string_view::npos || text.find('\r') != std::string_view::npos ||
           text.find('\f') != std::string_view::npos;
}

PatternOutcome search_pattern(const PatternProgram& program, std::string_view text, CapturedTexts& texts) {
    Matching matching(program, text);
    const bool found = search(program, matching, text);
    if (matching.gave_up()) {
        return PatternOutcome::unknown;
    }
    if (!found) {
        return PatternOutcome::not_matched;
    }
    for (std::size_t name = 0; name < program.names.size(); ++name) {
        texts.set(name, {});
    }
    for (std::size_t group = 0; group < program.names_of_groups.size(); ++group) {
        const std::size_t name = program.names_of_groups[group];
        if (texts[name].data() == nullptr) {
            texts.set(name, matching.group(group));
        }
    }
    return PatternOutcome::matched;
}

}  // namespace opdebug::logs
