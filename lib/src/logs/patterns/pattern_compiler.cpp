// A pattern's text → its instructions.
#include "logs/patterns/pattern_program.hpp"

#include <algorithm>
#include <utility>

#include "logs/patterns/pattern_runs.hpp"
#include "logs/patterns/pattern_text.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

using Code = std::vector<Instruction>;

constexpr int kDeepest = 16;  // brackets in brackets; far more than a pattern of a log line has

std::ptrdiff_t distance(std::size_t instructions) noexcept {
    return static_cast<std::ptrdiff_t>(instructions);
}

void append(Code& code, const Code& further) {
    code.insert(code.end(), further.begin(), further.end());
}

Instruction plain(Operation operation, std::uint32_t index = 0) {
    Instruction instruction;
    instruction.operation = operation;
    instruction.index = index;
    return instruction;
}

Instruction branch(Operation operation, std::size_t offset, bool lazy = false) {
    Instruction instruction = plain(operation);
    instruction.offset = distance(offset);
    instruction.lazy = lazy;
    return instruction;
}

class Compiler {
public:
    explicit Compiler(std::string_view pattern) : text_(pattern) {}

    std::optional<PatternProgram> compile() {
        program_.instructions = alternatives(0);
        if (!text_.ends()) {
            text_.fail();
        }
        program_.instructions.push_back(plain(Operation::matched));
        return text_.failed() ? std::nullopt : std::optional(std::move(program_));
    }

private:
    Code alternatives(int depth) {
        std::vector<Code> ways;
        do {
            ways.push_back(sequence(depth));
        } while (!text_.failed() && text_.take("|"));
        const bool has_empty = std::any_of(ways.begin(), ways.end(), [](const Code& way) { return way.empty(); });
        if (ways.size() > 1 && has_empty) {
            text_.fail();
        }
        Code code = std::move(ways.back());
        for (std::size_t way = ways.size() - 1; way-- > 0;) {
            Code earlier{branch(Operation::either, ways[way].size() + 2)};
            append(earlier, ways[way]);
            earlier.push_back(branch(Operation::jump, code.size() + 1));
            append(earlier, code);
            code = std::move(earlier);
        }
        return code;
    }

    Code sequence(int depth) {
        Code code;
        bool joins = false;  // the last instruction of a group is not to be made longer
        while (!text_.ends() && !text_.at('|') && !text_.at(')')) {
            const bool is_group = text_.at('(');
            if (is_group) {
                append(code, group(depth));
            } else if (const std::optional<char> byte = text_.take_plain_byte()) {
                add_to_literal(code, *byte, joins);
            } else if (const std::optional<Operation> place = take_place()) {
                code.push_back(plain(*place));
            } else {
                bytes(code, joins);
            }
            joins = !is_group;
        }
        return code;
    }

    /// "^", "$", "\b"
    std::optional<Operation> take_place() {
        if (text_.take("^")) {
            return Operation::text_begin;
        }
        if (text_.take("$")) {
            return Operation::text_end;
        }
        return text_.take("\\b") ? std::optional(Operation::word_boundary) : std::nullopt;
    }

    /// One byte or set and how often it occurs. Bytes that occur once are joined to a literal.
    void bytes(Code& code, bool joins) {
        ByteSet set{};
        std::optional<char> byte;
        const bool any_byte = text_.at('.');
        if (any_byte) {
            text_.take(".");
        } else if (text_.at('[')) {
            set = text_.take_class();
        } else if (!text_.take_named_set(set)) {
            byte = text_.take_single_byte();
        }
        const Repeat repeat = text_.take_repeat();
        if (text_.failed()) {
            return;
        }
        if (byte && repeat.once()) {
            add_to_literal(code, *byte, joins);
            return;
        }
        if (byte) {
            set[static_cast<unsigned char>(*byte)] = true;
        }
        Instruction run = plain(Operation::run, any_byte ? 0 : index_of(set));
        run.any_byte = any_byte;
        run.lazy = repeat.lazy;
        run.minimum = repeat.minimum;
        run.maximum = repeat.maximum;
        code.push_back(run);
    }

    /// Most patterns have few sets, many times.
    std::uint32_t index_of(const ByteSet& set) {
        const auto known = std::find(program_.sets.begin(), program_.sets.end(), set);
        const auto index = static_cast<std::uint32_t>(known - program_.sets.begin());
        if (known == program_.sets.end()) {
            program_.sets.push_back(set);
        }
        return index;
    }

    void add_to_literal(Code& code, char byte, bool joins = true) {
        if (!joins || code.empty() || code.back().operation != Operation::literal) {
            code.push_back(plain(Operation::literal, static_cast<std::uint32_t>(program_.literals.size())));
            program_.literals.emplace_back();
        }
        program_.literals[code.back().index].push_back(byte);
    }

    Code group(int depth) {
        if (depth == kDeepest) {
            text_.fail();
            return {};
        }
        text_.take("(");
        if (text_.take("?=")) {
            return look(Operation::ahead, depth);
        }
        if (text_.take("?!")) {
            return look(Operation::not_ahead, depth);
        }
        if (text_.take("?<!")) {
            return not_behind();
        }
        const std::size_t captures_before = program_.names_of_groups.size();
        Code code = text_.take("?<") ? captured(depth) : (text_.take("?:"), alternatives(depth + 1));
        close();
        const bool has_captures = program_.names_of_groups.size() != captures_before;
        return repeated(std::move(code), has_captures);
    }

    void close() {
        if (!text_.take(")")) {
            text_.fail();
        }
    }

    Code captured(int depth) {
        const std::string name(text_.take_word());
        if (name.empty() || is_digit(name.front()) || !text_.take(">")) {
            text_.fail();
        }
        const auto index = static_cast<std::uint32_t>(program_.names_of_groups.size());
        const auto known = std::find(program_.names.begin(), program_.names.end(), name);
        program_.names_of_groups.push_back(static_cast<std::size_t>(known - program_.names.begin()));
        if (known == program_.names.end()) {
            program_.names.push_back(name);
        }
        Code code{plain(Operation::begin_capture, index)};
        append(code, alternatives(depth + 1));
        code.push_back(plain(Operation::end_capture, index));
        return code;
    }

    Code look(Operation operation, int depth) {
        const std::size_t captures_before = program_.names_of_groups.size();
        Code code = alternatives(depth + 1);
        close();
        const bool has_captures = program_.names_of_groups.size() != captures_before;
        if ((operation == Operation::not_ahead && has_captures) || !text_.take_repeat().once()) {
            text_.fail();
        }
        code.push_back(plain(Operation::matched));
        code.insert(code.begin(), branch(operation, code.size() + 1));
        return code;
    }

    Code not_behind() {
        Code code;
        while (!text_.ends() && !text_.at(')')) {
            add_to_literal(code, text_.take_single_byte());
        }
        close();
        if (code.empty() || !text_.take_repeat().once()) {
            text_.fail();
        } else {
            code.front().operation = Operation::not_behind;
        }
        return code;
    }

    /// A group and how often it occurs: once, at most once, or any number of times where it takes at least one byte.
    Code repeated(Code code, bool has_captures) {
        const Repeat repeat = text_.take_repeat();
        if (repeat.once() || text_.failed()) {
            return code;
        }
        const bool is_optional = repeat.minimum == 0 && repeat.maximum == 1;
        const bool may_repeat =
            repeat.maximum == kUnbounded && repeat.minimum <= 1 && !has_captures && takes_bytes(code);
        if (!is_optional && !may_repeat) {
            text_.fail();
            return {};
        }
        if (repeat.minimum == 1) {  // body; either: back to the body, or on
            Instruction again = plain(Operation::either);
            again.offset = -distance(code.size());
            again.lazy = !repeat.lazy;  // the other way is the body
            code.push_back(again);
            return code;
        }
        Code result{branch(Operation::either, code.size() + (is_optional ? 1 : 2), repeat.lazy)};
        append(result, code);
        if (!is_optional) {
            Instruction back = plain(Operation::jump);
            back.offset = -distance(result.size());
            result.push_back(back);
        }
        return result;
    }

    /// Whether the first instructions, which are always run, take a byte: a repeat of nothing would not end.
    static bool takes_bytes(const Code& code) noexcept {
        for (std::size_t index = 0; index < code.size();) {
            switch (code[index].operation) {
                case Operation::literal: return true;
                case Operation::run:
                    if (code[index].minimum > 0) {
                        return true;
                    }
                    ++index;
                    break;
                case Operation::ahead:
                case Operation::not_ahead: index += static_cast<std::size_t>(code[index].offset); break;
                case Operation::text_begin:
                case Operation::text_end:
                case Operation::word_boundary:
                case Operation::not_behind: ++index; break;
                default: return false;
            }
        }
        return false;
    }

    PatternText text_;
    PatternProgram program_;
};

}  // namespace

std::optional<PatternProgram> compile_pattern(std::string_view pattern) {
    std::optional<PatternProgram> program = Compiler(pattern).compile();
    if (!program || program->names_of_groups.size() > kMostGroups) {
        return std::nullopt;
    }
    settle_runs(*program);
    settle_choices(*program);
    join_fields(*program);
    const Instruction& first = program->instructions[following(program->instructions, 0)];
    program->at_text_begin = first.operation == Operation::text_begin;
    program->asks_for_breaks =
        std::any_of(program->instructions.begin(), program->instructions.end(), [](const Instruction& i) {
            return i.operation == Operation::text_begin || i.operation == Operation::text_end;
        });
    if (first.operation == Operation::literal) {
        program->first_literal = first.index;
    }
    return program;
}

}  // namespace opdebug::logs
